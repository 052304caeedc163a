import InboxLinux

/// An overlay copies a file of its lower layer up when it is renamed or opened for writing: by device, inode and birth
/// it is another file from then on, with the size and the modification time that it had.
package enum CopyUp {
    /// Returns whether what has a name is the known file, or what an overlay has made of it: the descriptor by which it
    /// was opened before shows that.
    package static func isSame(
        _ found: FileIdentity, as known: FileIdentity, _ descriptor: borrowing FileDescriptor
    ) throws(SyscallError) -> Bool {
        if found == known { return true }
        guard found.size == known.size, found.modified == known.modified, try Filesystem(of: descriptor).isLayered
        else { return false }
        return try descriptor.status().identity == found
    }

    /// Returns whether what has a name may be what an overlay has made of a file that is not open any more: for a name
    /// that nobody but the daemon gives, or a file that is younger than the daemon's wish to move it.
    package static func mayBe(
        _ found: FileIdentity, _ known: FileIdentity, in folder: borrowing Directory
    ) throws(SyscallError) -> Bool {
        guard found.size == known.size, found.modified == known.modified else { return false }
        return try Filesystem(of: folder.descriptor).isLayered
    }
}
