/// The binary form of an access list: linux/posix_acl_xattr.h.
package enum AccessList {
    private static let ownGroup: UInt16 = 4

    /// What the owning group may, as the three bits of a mode; nothing where the list cannot be read.
    package static func groupPermissions(_ list: [UInt8]) -> UInt32 {
        let header = 4
        let entry = 8
        var offset = header
        while offset + entry <= list.count {
            let tag = UInt16(list[offset]) | UInt16(list[offset + 1]) << 8
            if tag == ownGroup { return UInt32(list[offset + 2]) & 0o7 }
            offset += entry
        }
        return 0
    }
}
