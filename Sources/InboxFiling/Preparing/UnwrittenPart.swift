import InboxLinux

/// The part of a file that its writer has only made room for: holes, and blocks that were reserved and never written.
package enum UnwrittenPart {
    /// Bytes: what a filesystem keeps beside the blocks of a small file is less.
    package static let least: UInt64 = 64 << 10

    /// The result of inspecting a file.
    package enum Found: Equatable, Sendable {
        /// That part is less than a 64th of the file, or too small to count.
        case little
        /// That part has so many bytes.
        case much(UInt64)
        /// Only a sync of the file shows which of its blocks are written.
        case unsynced
    }

    /// Inspects a file.
    /// - Parameters:
    ///   - status: its status.
    ///   - mayWait: whether it may be synced, which may take long.
    package static func find(
        in file: borrowing FileDescriptor, _ status: FileStatus, mayWait: Bool
    ) throws(SyscallError) -> Found {
        let much = max(least, status.size / 64)
        guard status.size >= much else { return .little }
        let holes = holes(status)
        if holes >= much { return try Filesystem(of: file).showsHoles ? .much(holes) : .little }
        // Without a sync, blocks that are written and not on the disk yet count as well. Few files have any that count.
        guard try holes + file.unwritten(of: status.size, isSynced: false) >= much, try Filesystem(of: file).showsHoles
        else { return .little }
        guard mayWait else { return .unsynced }
        let missing = try holes + file.unwritten(of: status.size, isSynced: true)
        return missing >= much ? .much(min(missing, status.size)) : .little
    }

    /// Returns the number of bytes of a file that have no blocks.
    static func holes(_ status: FileStatus) -> UInt64 { status.size - min(status.allocated, status.size) }
}
