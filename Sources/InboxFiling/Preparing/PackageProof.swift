import InboxLinux

/// Shows file by file that nobody writes to a folder that is one document: nothing holds all of its leases at once.
package enum PackageProof {
    /// What the package is now, and what asking for the leases of its files came to.
    ///
    /// ENOENT where it has grown beyond what is walked: it is another than it was.
    package static func look(
        at name: FileName, in parent: OpenFolder
    ) throws(SyscallError) -> (status: FileStatus, answer: ReadLease.Answer) {
        var answer = ReadLease.Answer.held
        do throws(FolderWalk.Failure) {
            let survey = try PackageSurvey(of: try folder(name, in: parent)) { (inner, name) throws(SyscallError) in
                let given: ReadLease.Answer
                do throws(SyscallError) {
                    given = ReadLease.take(try inner.file(name))
                } catch  where error.errno.isDenied {
                    given = .unavailable(error)
                }
                // A writer anywhere outweighs a file that can have no lease.
                if given == .writer || answer == .held { answer = given }
            }
            return (survey.status, answer)
        } catch {
            throw error.error
        }
    }

    /// Opens a folder for a walk.
    package static func folder(_ name: FileName, in parent: OpenFolder) throws(FolderWalk.Failure) -> Directory {
        try FolderWalk.Failure.of { () throws(SyscallError) in try parent.directory.folder(name) }
    }
}
