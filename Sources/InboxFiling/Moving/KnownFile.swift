import InboxLinux

/// A file or folder as it was before its name moves, and its open descriptor, which shows what has that name afterwards.
struct KnownFile {
    /// Its status before the move.
    let status: FileStatus
    /// The open file; nil where this is no file, or may not be read.
    let file: OpenFile?
    /// The open folder; nil where this is no folder.
    let folder: OpenFolder?

    /// Returns whether the file or folder that was found after a rename is this one, whatever number the filesystem
    /// gives it now.
    func isSame(as found: FileIdentity) throws(SyscallError) -> Bool {
        if found.file == status.identity.file { return true }
        // Some servers of FUSE number a folder by its path: the open descriptor shows its new number.
        if let folder { return try folder.directory.status().identity.file == found.file }
        guard let file else { return false }
        return try CopyUp.isSame(found, as: status.identity, file.descriptor)
    }

    /// Returns whether this file or folder got the name by the rename, though something else has it now: its
    /// descriptor leads to the name that it has, or to its last name if it has none.
    ///
    /// A file that was put over a document right after its move is somebody's own, while one that took its place in
    /// the Inbox right before the move was never shown to be complete.
    func cameTo(_ name: FileName, in target: OpenFolder) throws(SyscallError) -> Bool {
        guard let folder = try RealPath.of(target.directory.descriptor) else { return false }
        let place = folder.appending(name)
        if let file { return try RealPath.lastName(of: file.descriptor, is: place) }
        if let folder = self.folder { return try RealPath.lastName(of: folder.directory.descriptor, is: place) }
        return false
    }
}
