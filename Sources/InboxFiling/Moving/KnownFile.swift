import InboxLinux

/// A file or folder as it was before its name moves, and its open descriptor, which shows what has that name afterwards.
struct KnownFile {
    /// Its status before the move.
    let status: FileStatus
    /// The open file; nil where this is no file, or may not be read.
    let file: OpenFile?
    /// The open folder; nil where this is no folder.
    let folder: OpenFolder?

    /// Whether the file or folder that was found after a rename is this one, whatever number the filesystem gives it now.
    func isSame(as found: FileIdentity) throws(SyscallError) -> Bool {
        if found.file == status.identity.file { return true }
        // Some servers of FUSE number a folder by its path: the open descriptor shows its new number.
        if let folder { return try folder.directory.status().identity.file == found.file }
        guard let file else { return false }
        return try CopyUp.isSame(found, as: status.identity, file.descriptor)
    }
}
