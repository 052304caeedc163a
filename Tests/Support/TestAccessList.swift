import InboxLinux

/// An access list of acl(5), for tests.
package struct TestAccessList: Sendable {
    /// Who has the rights of an entry: the tags of linux/posix_acl_xattr.h.
    package enum Holder: Sendable {
        case owner
        case user(UInt32)
        case group
        case namedGroup(UInt32)
        case mask
        case others
    }

    /// The kernel's binary form.
    package let bytes: [UInt8]

    /// - Parameter entries: in the order of the cases of ``Holder``, as the kernel asks for, with the three bits of a mode.
    package init(_ entries: [(Holder, UInt16)]) {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }
        let version = UInt32(2)
        self.bytes = entries.reduce(into: bytes(version)) { list, entry in
            let (tag, identifier): (UInt16, UInt32) =
                switch entry.0 {
                case .owner: (1, .max)
                case .user(let user): (2, user)
                case .group: (4, .max)
                case .namedGroup(let group): (8, group)
                case .mask: (16, .max)
                case .others: (32, .max)
                }
            list += bytes(tag) + bytes(entry.1) + bytes(identifier)
        }
    }

    /// Gives what is at a path this list.
    package func set(_ path: TestPath) throws {
        try FileDescriptor.readingItself(path: BytePath("\(path)")).setAttribute(.accessList, to: bytes)
    }
}
