import InboxLinux

/// Finds out before a copy whether its source can be removed afterwards. Nothing is changed for the answer.
enum RemovalObstacle {
    /// Why a document cannot be removed with all that is in it; nil where nothing speaks against it.
    static func find(_ document: PreparedDocument, in folder: OpenFolder) throws(SyscallError) -> String? {
        if let obstacle = try find(document.status, in: folder.directory) { return obstacle }
        guard let package = document.package else { return nil }
        do throws(FolderWalk.Failure) {
            var walk = try FolderWalk(again: package)
            while let step = try walk.next() {
                let found = try FolderWalk.Failure.of { () throws(SyscallError) in try find(step) }
                if let found { return "\(found.name) in it: \(found.obstacle)" }
            }
        } catch {
            throw error.error
        }
        return nil
    }

    private static func find(_ step: FolderWalk.Step) throws(SyscallError) -> (name: FileName, obstacle: String)? {
        switch step {
        case .entry(let name, let status, let level):
            return try find(status, in: level.directory).map { (name, $0) }
        case .entered(let level, let parent):
            guard let name = level.name else { return nil }
            return try find(level.status, in: parent.directory).map { (name, $0) }
        case .left: return nil
        }
    }

    /// Why a name cannot be removed.
    ///
    /// unlink(2): rights to the folder, the sticky bit, files and folders that are fixed, what something is mounted on.
    private static func find(_ status: FileStatus, in folder: borrowing Directory) throws(SyscallError) -> String? {
        if status.isFixed { return "it is immutable or for appending only" }
        do throws(SyscallError) {
            try folder.mayChange()
        } catch  where error.errno.isDenied {
            return "its folder may not be changed: \(error.errno)"
        }
        let around = try folder.status()
        if around.isFixed { return "its folder is immutable or for appending only" }
        if status.mount != around.mount { return "something is mounted there" }
        let isSticky = around.permissions & 0o1000 != 0
        if isSticky, ![status.owner, around.owner].contains(Process.user), try !Process.actsAsOwner() {
            return "its folder is sticky, and neither is the daemon's"
        }
        return nil
    }
}
