import InboxLinux

/// Shows file by file that nobody writes to a folder that is one document: nothing holds all of its leases at once.
package struct PackageProof {
    /// The status of the package now, with everything in it.
    package let status: FileStatus
    /// The result of requesting the leases of its files.
    package let answer: ReadLease.Answer
    /// The reason why something in it cannot be removed; nil if nothing prevents it.
    let obstacle: String?

    /// Inspects a package; nil where it has grown beyond what is walked, so that it is another than it was, and where the
    /// inspection was given up.
    package init?(of name: FileName, in parent: OpenFolder, _ abandonment: Abandonment?) throws(SyscallError) {
        var answer = ReadLease.Answer.held
        let hasLeases = try Filesystem(of: parent.directory.descriptor).hasLeases
        let survey = try FolderWalk.whole { () throws(FolderWalk.Failure) in
            try PackageSurvey(of: try Self.folder(name, in: parent), finding: RemovalObstacle(), abandonment) {
                (entry) throws(SyscallError) in
                guard entry.kind == .regular else { return try entry.status() }
                let (given, status) = try Self.look(entry, hasLeases)
                // A writer anywhere outweighs a file that can have no lease.
                if given == .writer || answer == .held { answer = given }
                return status
            }
        }
        guard let survey, !survey.isAbandoned else { return nil }
        status = survey.status
        obstacle = survey.obstacle?.words
        self.answer = answer
    }

    private static func look(
        _ entry: FolderWalk.Entry, _ hasLeases: Bool
    ) throws(SyscallError) -> (answer: ReadLease.Answer, status: FileStatus) {
        do throws(SyscallError) {
            let file = try entry.level.directory.file(entry.name, mayCross: false)
            return (hasLeases ? ReadLease.take(file) : .unavailable(nil), try file.status())
        } catch  where error.errno.isDenied {
            return (.unavailable(error), try entry.status())
        }
    }

    /// Opens a folder for a walk.
    package static func folder(_ name: FileName, in parent: OpenFolder) throws(FolderWalk.Failure) -> Directory {
        try FolderWalk.Failure.of(parent.directory.folder(name, mayCross: false))
    }
}
