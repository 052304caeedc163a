import InboxTestSupport

/// What a document holds: the bytes of each of its files. A file has one part, without a path; a link one, its target.
struct Content: Hashable {
    /// The part that is a link's target.
    static let target: TestPath = "->"
    /// The part that every package of the random hand has.
    static let text: TestPath = "text.rtf"

    var parts: [TestPath: [UInt8]]

    init(parts: [TestPath: [UInt8]]) { self.parts = parts }
    init(file bytes: [UInt8]) { parts = ["": bytes] }
    init(link target: [UInt8]) { parts = [Self.target: target] }

    /// Reads all of it; nobody else may be changing it.
    init(of path: TestPath) throws {
        switch Disk.kind(path) {
        case .link: self.init(link: try Disk.linkTarget(path).bytes)
        case .folder:
            let leaves = try Disk.leaves(of: path).filter { $0.bytes.last != UInt8(ascii: "/") }
            self.init(parts: Dictionary(uniqueKeysWithValues: try leaves.map { ($0, try Disk.read(path / $0)) }))
        default: self.init(file: try Disk.read(path))
        }
    }

    /// Each part of a document begins with the same bytes, which no other document has.
    var head: [UInt8]? { parts.values.first.flatMap { Self.head(of: $0) } }

    static func head(of bytes: some Collection<UInt8>) -> [UInt8]? {
        bytes.firstIndex(of: UInt8(ascii: ">")).map { Array(bytes[...$0]) }
    }

    /// Whether each of its parts is one of another content's.
    func isPart(of other: Content) -> Bool { parts.allSatisfy { other.parts[$0.key] == $0.value } }

    /// Whether a folder of this name is one document, as the random hand names them.
    static func isPackage(_ name: TestPath) -> Bool {
        name.bytes.suffix(5).elementsEqual(".rtfd".utf8) || name.bytes.starts(with: "album".utf8)
    }
}

extension Content: CustomStringConvertible {
    var description: String {
        parts.map { "\($0.key) \(escaped($0.value.prefix(60)))" }.sorted().joined(separator: ", ")
    }
}
