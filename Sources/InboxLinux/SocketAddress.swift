/// Where a socket of unix(7) is: a path, or `@name` in the abstract namespace.
package struct SocketAddress: Hashable, Sendable {
    /// The longest path in bytes: `sun_path` of unix(7), less the NUL.
    package static let longest = 107

    /// The path, or the name with its `@`.
    package let path: BytePath

    /// Nil where no socket can be there: the path is empty or longer than ``longest``.
    package init?(_ path: BytePath) {
        guard (1...Self.longest).contains(path.bytes.count) else { return nil }
        self.path = path
    }

    /// The address is a name of the abstract namespace, which is in no folder.
    var isAbstract: Bool { path.bytes.first == UInt8(ascii: "@") }
}
