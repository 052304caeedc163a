import InboxLinux

/// Finds out before a copy whether its source can be removed afterwards. Nothing is changed for the answer.
package struct RemovalObstacle {
    /// Why something in a package cannot be removed; nil where nothing speaks against it.
    package private(set) var words: String?
    /// The folder that may be changed, as was asked last.
    private var changeable: FolderWalk.Level?

    /// Why a document cannot be removed with all that is in it; nil where nothing speaks against it.
    static func find(_ document: PreparedDocument, in folder: OpenFolder) throws(SyscallError) -> String? {
        let around = try folder.directory.status()
        return try find(document.status, in: folder.directory, around, mayChange: false) ?? document.innerObstacle
    }

    /// Takes in what a survey finds in a folder.
    mutating func inspect(
        _ status: FileStatus, _ name: FileName, in level: FolderWalk.Level
    ) throws(SyscallError) {
        guard words == nil else { return }
        words = try Self.find(status, in: level.directory, level.status, mayChange: changeable === level)
            .map { "\(name) in it: \($0)" }
        changeable = level
    }

    /// Why a name cannot be removed.
    ///
    /// unlink(2): rights to the folder, the sticky bit, files and folders that are fixed, what something is mounted on.
    private static func find(
        _ status: FileStatus, in folder: borrowing Directory, _ around: FileStatus, mayChange: Bool
    ) throws(SyscallError) -> String? {
        if status.isFixed { return "it is immutable or for appending only" }
        do throws(SyscallError) {
            if !mayChange { try folder.mayChange() }
        } catch  where error.errno.isDenied {
            return "its folder may not be changed: \(error.errno)"
        }
        if around.isFixed { return "its folder is immutable or for appending only" }
        if status.mount != around.mount { return "something is mounted there" }
        let isSticky = around.permissions & 0o1000 != 0
        if isSticky, ![status.owner, around.owner].contains(Process.user), try !Process.actsAsOwner() {
            return "its folder is sticky, and neither is the daemon's"
        }
        return nil
    }
}
