import InboxLinux

/// Folders that are brought to the disk, each once: a failed sync is never repeated as proof.
struct SyncedFolders {
    private var failures: [ObjectIdentifier: SyscallError?] = [:]
    /// A folder may be open more than once.
    private var failuresByFile: [FileKey: SyscallError?] = [:]

    /// The first failure of these; each is tried all the same.
    mutating func failure(of folders: [OpenFolder]) -> SyscallError? {
        for folder in folders where failures[ObjectIdentifier(folder)] == nil {
            failures.updateValue(sync(folder), forKey: ObjectIdentifier(folder))
        }
        return folders.compactMap { failures[ObjectIdentifier($0)] ?? nil }.first
    }

    private mutating func sync(_ folder: OpenFolder) -> SyscallError? {
        let file: FileKey
        do throws(SyscallError) { file = try folder.directory.status().identity.file } catch { return error }
        if let known = failuresByFile[file] { return known }
        let failure = Syncing.failure(ofNamesIn: [folder])
        failuresByFile.updateValue(failure, forKey: file)
        return failure
    }
}
