import InboxConfiguration
import InboxLinux

/// Looks through a folder that is one document, and describes it as one file: its size is that of all files in it,
/// and it changed when anything in it last did.
package struct PackageSurvey {
    /// The folder's status with the size and the times of all that is in it.
    package private(set) var status: FileStatus
    /// Whether any file is in it: an empty one is a placeholder.
    package private(set) var hasFiles = false
    /// Whether a download into it is under way.
    package private(set) var hasPartial = false

    /// Looks through a folder; `visit` gets each regular file with the folder that it is in.
    package init(
        of folder: consuming Directory,
        visit: (borrowing Directory, FileName) throws(SyscallError) -> Void = { _, _ in }
    ) throws(FolderWalk.Failure) {
        var walk = try FolderWalk(of: folder)
        status = walk.top
        status.emptySize()
        while let step = try walk.next() {
            switch step {
            case .entered(let level, _):
                take(level.status, isPartial: level.name?.isPartial == true)
            case .entry(let name, let found, let level):
                take(found, isPartial: name.isPartial)
                guard found.kind == .regular else { continue }
                hasFiles = true
                do throws(SyscallError) { try visit(level.directory, name) } catch {
                    if !error.errno.isAbsent { throw .failed(error) }
                }
            case .left: break
            }
        }
    }

    private mutating func take(_ found: FileStatus, isPartial: Bool) {
        status.absorb(found)
        hasPartial = hasPartial || isPartial
    }
}
