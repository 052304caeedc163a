import InboxLinux

/// A path as a person typed it: relative, with `.` and `..`, or through symbolic links.
///
/// Only folders are resolved. The last component is what the person means, and is kept even where it is a link.
struct TypedPath {
    /// The words of the command line.
    let typed: [UInt8]
    /// Absolute, as far as that needs no disk: the working directory and the typed path.
    let literal: BytePath
    /// The path with every folder resolved, as far as there is one; nil where a `..` leads out of a folder that does not
    /// exist, so that nobody knows what the path means.
    let resolved: BytePath?

    /// - Parameters:
    ///   - typed: what was typed, not empty.
    ///   - workingDirectory: where a relative path begins.
    ///   - realPath: finds the real path of a folder.
    init(
        _ typed: [UInt8], workingDirectory: [UInt8],
        realPath: ([UInt8]) throws(SyscallError) -> [UInt8] = RealPath.ofFolder
    ) {
        self.typed = typed
        let absolute = BytePath(bytes: workingDirectory).appending(BytePath(bytes: typed))
        literal = absolute.normalized ?? absolute
        resolved = Self.resolve(absolute.bytes, realPath)
    }

    private static func resolve(
        _ path: [UInt8], _ realPath: ([UInt8]) throws(SyscallError) -> [UInt8]
    ) -> BytePath? {
        let slash = UInt8(ascii: "/")
        let dots: [[UInt8]] = [[UInt8(ascii: ".")], [UInt8(ascii: "."), UInt8(ascii: ".")]]
        var folders = path.split(separator: slash).map(Array.init)
        var missing: [[UInt8]] = []
        // A slash or dots at the end mean the folder itself, wherever a link leads.
        if let last = folders.last, path.last != slash, !dots.contains(last) {
            missing = [last]
            folders.removeLast()
        }
        while true {
            do throws(SyscallError) {
                let real = try realPath([slash] + Array(folders.joined(separator: [slash])))
                return missing.reversed().reduce(BytePath(bytes: real)) { $0.appending(BytePath(bytes: $1)) }
            } catch {
                // A path that is gone is still a question for the daemon, which knows where its document went.
                guard let last = folders.popLast(), !dots.contains(last) || last.count == 1 else { return nil }
                if !dots.contains(last) { missing.append(last) }
            }
        }
    }

    /// The path by the name that the daemon uses for one of its roots, where it lies in or below one. Roots may be
    /// configured through symbolic links, which the daemon does not resolve in its answers.
    ///
    /// - Parameter roots: the daemon's name of each root and the real path of it.
    func named(by roots: [(name: BytePath, real: BytePath)]) -> BytePath? {
        guard let resolved else { return nil }
        let around = roots.filter { resolved == $0.real || resolved.isInside($0.real) }
        guard let root = around.max(by: { $0.real.bytes.count < $1.real.bytes.count }) else { return resolved }
        let rest = resolved.bytes.dropFirst(root.real.bytes.count).drop { $0 == UInt8(ascii: "/") }
        return root.name.appending(BytePath(bytes: Array(rest)))
    }
}
