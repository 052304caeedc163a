/// Folders by their paths, of which the innermost one around a path is found without a comparison with each of them.
///
/// All paths are ``BytePath/normalized``, as the kernel's and those of the configuration are.
package struct FolderSet: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The folders.
    package let paths: Set<BytePath>
    /// Bytes: how long their paths are, the longest first.
    private let lengths: [Int]

    /// A set of these folders.
    package init(_ paths: some Sequence<BytePath>) {
        self.paths = Set(paths)
        lengths = Set(self.paths.lazy.map(\.bytes.count)).sorted(by: >)
    }

    /// A set of these folders.
    package init(arrayLiteral paths: BytePath...) { self.init(paths) }

    /// There are no folders.
    package var isEmpty: Bool { paths.isEmpty }

    /// Returns whether a folder is one of them.
    package func contains(_ path: BytePath) -> Bool { paths.contains(path) }

    /// The innermost of the folders that a path is in, or is itself; nil where there is none.
    package func innermost(around path: BytePath) -> BytePath? {
        let slash = UInt8(ascii: "/")
        for length in lengths where length <= path.bytes.count {
            let isWhole = length == path.bytes.count || path.bytes[length] == slash
            // The root's own slash is the one that follows it.
            guard isWhole || (length == 1 && path.bytes[0] == slash) else { continue }
            let around = length == path.bytes.count ? path : BytePath(proven: Array(path.bytes[..<length]))
            if paths.contains(around) { return around }
        }
        return nil
    }
}
