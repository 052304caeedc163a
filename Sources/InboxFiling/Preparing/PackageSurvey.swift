import InboxConfiguration
import InboxLinux

/// Looks through a folder that is one document, and describes it as one file: its size is that of all files in it,
/// and it changed when anything in it last did.
package struct PackageSurvey {
    /// The folder's status with the size and the times of all that is in it.
    package private(set) var status: FileStatus
    /// The package contains a file: an empty one is a placeholder.
    package private(set) var hasFiles = false
    /// A download into the package is under way.
    package private(set) var hasPartial = false
    /// A repository is in it that is not shown to be complete: a fresh clone whose references have not come yet, or one
    /// of a program that leaves no such signs.
    package var hasYoungRepository: Bool { repositories.isYoung }
    private var repositories = SurveyedRepositories()
    /// The survey was abandoned before its end.
    private(set) var isAbandoned = false

    /// The obstacles to its removal, if the survey looks for them.
    private(set) var obstacle: RemovalObstacle?

    /// Looks through a folder; `inspect` finds out what each entry is that is no folder.
    /// - Parameter abandonment: ends it early; nil for a survey that nobody waits for.
    package init(
        of folder: consuming Directory, finding obstacle: RemovalObstacle? = nil, _ abandonment: Abandonment? = nil,
        inspect: (FolderWalk.Entry) throws(SyscallError) -> FileStatus = { (entry) throws(SyscallError) in
            try entry.status()
        }
    ) throws(FolderWalk.Failure) {
        var walk = try FolderWalk(of: folder)
        status = walk.top
        self.obstacle = obstacle
        status.emptySize()
        while let step = try walk.next() {
            if abandonment?.isRequested == true {
                isAbandoned = true
                return
            }
            switch step {
            case .entered(let level, let parent):
                guard let name = level.name else { continue }
                try take(level.status, name, in: parent)
            case .entry(let entry):
                let found: FileStatus
                do throws(SyscallError) { found = try inspect(entry) } catch {
                    if error.errno.isAbsent { continue }
                    if error.errno == .crossDevice { throw .mounted }
                    throw error.errno.isDenied ? .denied(error, walk.path) : .failed(error)
                }
                try take(found, entry.name, in: entry.level)
                if found.kind == .regular { hasPartial = repositories.note(entry.name, at: walk.path) || hasPartial }
                hasFiles = hasFiles || found.kind == .regular
            case .left: break
            }
        }
    }

    private mutating func take(
        _ found: FileStatus, _ name: FileName, in level: FolderWalk.Level
    ) throws(FolderWalk.Failure) {
        // A file can be a mount too.
        guard found.mount == level.status.mount else { throw .mounted }
        status.absorb(found)
        hasPartial = hasPartial || name.isPartial
        repositories.met(name)
        try FolderWalk.Failure.of(obstacle?.inspect(found, name, in: level))
    }
}
