/// An access list in the kernel's binary form, linux/posix_acl_xattr.h; its meaning is that of acl(5).
package struct AccessList: Equatable, Sendable {
    private enum Tag: UInt16 {
        case namedUser = 2
        case ownGroup = 4
        case namedGroup = 8
        case mask = 16
        case others = 32
    }

    private struct Entry {
        let tag: Tag?
        let permissions: UInt32
        let identifier: UInt32
    }

    private static let headerSize = 4
    private static let entrySize = 8

    /// The list as the kernel has it.
    package let bytes: [UInt8]

    /// A list of these bytes; what is no entry permits nothing.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A list that permits nothing: in place of one that cannot be read.
    package static let closed = AccessList([])

    /// The permissions of the owning group, as the three bits of a mode.
    package var groupPermissions: UInt32 { entries.first { $0.tag == .ownGroup }?.permissions ?? 0 }

    /// Returns whether a user who is not the owner has these rights, by acl(5), "Access check algorithm".
    /// - Parameters:
    ///   - bits: of the three bits of a mode.
    ///   - group: the owning group.
    ///   - belongs: whether the user is a member of a group.
    package func permits(
        _ bits: UInt32, user: UInt32, group: UInt32, belongs: (_ group: UInt32) -> Bool
    ) -> Bool {
        let entries = entries
        let mask = entries.first { $0.tag == .mask }?.permissions ?? 0o7
        func allows(_ entry: Entry) -> Bool { entry.permissions & mask & bits == bits }
        if let named = entries.first(where: { $0.tag == .namedUser && $0.identifier == user }) { return allows(named) }
        let groups = entries.filter { entry in
            switch entry.tag {
            case .ownGroup: belongs(group)
            case .namedGroup: belongs(entry.identifier)
            default: false
            }
        }
        guard groups.isEmpty else { return groups.contains(where: allows) }
        return entries.contains { $0.tag == .others && $0.permissions & bits == bits }
    }

    private var entries: [Entry] {
        stride(from: Self.headerSize, through: bytes.count - Self.entrySize, by: Self.entrySize).map { start in
            func number(_ offset: Int, _ length: Int) -> UInt32 {
                (0..<length).reduce(0) { $0 | UInt32(bytes[start + offset + $1]) << (8 * $1) }
            }
            return Entry(
                tag: Tag(rawValue: UInt16(number(0, 2))), permissions: number(2, 2) & 0o7, identifier: number(4, 4))
        }
    }
}

extension FileDescriptor {
    /// The access list of what is open, also by `O_PATH`; nil where it has none, and ``AccessList/closed`` where it cannot
    /// be read.
    package var accessList: AccessList? {
        do throws(SyscallError) {
            return try attributeByPath(.accessList).map { AccessList($0) }
        } catch {
            return .closed
        }
    }
}

extension Directory {
    /// The folder's access list, like that of a ``FileDescriptor``.
    package var accessList: AccessList? { descriptor.accessList }
}
