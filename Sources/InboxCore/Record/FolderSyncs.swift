import InboxFiling
import InboxLinux

/// Brings folders to the disk, each once: a failed sync is never repeated as proof.
struct FolderSyncs {
    private var done: [BytePath: SyscallError?] = [:]

    /// Syncs the folder at a path.
    mutating func sync(_ folder: OpenFolder, at path: BytePath) -> SyscallError? {
        if let known = done[path] { return known }
        let failure = Syncing.errorOf(try folder.directory.sync())
        done.updateValue(failure, forKey: path)
        return failure
    }

    /// Syncs the folders above a path, up to the first one that is on another filesystem than `home`, or that is closed
    /// to the daemon, which cannot have made a name there.
    mutating func syncAround(_ path: BytePath, on home: OpenFolder) -> SyscallError? {
        var path = path
        while let parent = path.parent {
            if done[parent] == nil {
                do throws(SyscallError) {
                    let folder = OpenFolder(try Directory.open(path: parent))
                    guard
                        try folder.directory.status().identity.file.device
                            == home.directory.status().identity.file.device
                    else { return nil }
                    if let failure = sync(folder, at: parent) { return failure }
                } catch {
                    return error.errno.isAbsent || error.errno.isDenied ? nil : error
                }
            } else if let known = done[parent], let failure = known {
                return failure
            }
            path = parent
        }
        return nil
    }
}
