import InboxLinux

/// The part of a file that its writer has only made room for: holes, and blocks that were reserved and never written.
package enum UnwrittenPart {
    /// Bytes: what a filesystem keeps beside the blocks of a small file is less.
    package static let least: UInt64 = 64 << 10

    /// Returns how many bytes of a file that part has, where it is a 64th of it and not too small to count; else nil.
    /// - Parameter status: what the file is.
    package static func size(
        in file: borrowing FileDescriptor, _ status: FileStatus
    ) throws(SyscallError) -> UInt64? {
        let much = max(least, status.size / 64)
        guard status.size >= much else { return nil }
        let holes = holes(status)
        var missing = holes
        // What is written and not on the disk yet counts at first, which costs nothing; few files are asked twice.
        for isSynced in [false, true] where holes < much {
            missing = try holes + file.unwritten(of: status.size, isSynced: isSynced)
            if missing < much { return nil }
        }
        return try Filesystem(of: file).showsHoles ? min(missing, status.size) : nil
    }

    /// Returns the number of bytes of a file that have no blocks.
    static func holes(_ status: FileStatus) -> UInt64 { status.size - min(status.allocated, status.size) }
}
