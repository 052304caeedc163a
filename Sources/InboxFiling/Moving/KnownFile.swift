import InboxLinux

/// What a file or folder was before its name moves, and what is open of it since then.
struct KnownFile {
    /// What it was.
    let status: FileStatus
    /// The open file; nil for what is no file, or may not be read.
    let file: OpenFile?
    /// The open folder; nil for what is none.
    let folder: OpenFolder?

    /// Whether this has its name after a rename: the file or folder itself, or what a filesystem makes of it.
    func isSame(as found: FileIdentity) throws(SyscallError) -> Bool {
        if found.file == status.identity.file { return true }
        // Some programs that serve a mount number a folder by its path: by the open folder it has its new number.
        if let folder { return try folder.directory.status().identity.file == found.file }
        guard let file else { return false }
        return try CopyUp.isSame(found, as: status.identity, file.descriptor)
    }
}
