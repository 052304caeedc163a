import InboxLinux

/// An arrival, opened: what its type is read from, and what shows that nobody writes.
struct Opened {
    /// The file; nil for what is no file, or may not be read.
    let file: OpenFile?
    /// The folder of a document that is one; nil for a file.
    let package: OpenFolder?
    /// What it is, a package with all that is in it.
    let status: FileStatus
    /// What asking for the leases of a package's files came to.
    private let packageAnswer: ReadLease.Answer?

    static func open(_ arrival: Arrival, in folders: OpenFolders) -> Result<Opened, Refusal> {
        do throws(SyscallError) {
            let folder = try folders.directory(arrival.folder)
            switch arrival.status.kind {
            case .regular: return .success(try file(arrival.name, in: folder))
            case .directory: return .success(try package(arrival.name, in: folder))
            case .symlink, .special:
                let status = try folder.directory.status(of: arrival.name)
                return .success(Opened(file: nil, package: nil, status: status, packageAnswer: nil))
            }
        } catch {
            return .failure(Refusal(error, at: arrival.path))
        }
    }

    /// What stands under a name now, a package with all that is in it.
    static func status(
        of name: FileName, _ kind: FileStatus.Kind, in folder: OpenFolder
    ) throws(SyscallError) -> FileStatus {
        guard kind == .directory else { return try folder.directory.status(of: name) }
        do throws(FolderWalk.Failure) {
            return try PackageSurvey(of: try PackageProof.folder(name, in: folder)).status
        } catch {
            throw error.error
        }
    }

    /// Asks for the lease that shows that nobody writes; nil where there is nothing that could be written.
    ///
    /// A package is shown file by file: nothing holds all of its leases at once.
    func askForLease() -> ReadLease.Answer? {
        if package != nil { return packageAnswer }
        if let file { return ReadLease.take(file.descriptor) }
        return status.kind == .regular ? .unavailable(.denied) : nil
    }

    private static func file(_ name: FileName, in folder: OpenFolder) throws(SyscallError) -> Opened {
        do throws(SyscallError) {
            let file = OpenFile(try folder.directory.file(name))
            return Opened(file: file, package: nil, status: try file.descriptor.status(), packageAnswer: nil)
        } catch  where error.errno.isDenied {
            // It may be moved all the same: that takes a right to the folder, not to the file.
            let status = try folder.directory.status(of: name)
            return Opened(file: nil, package: nil, status: status, packageAnswer: nil)
        }
    }

    private static func package(
        _ name: FileName, in folder: OpenFolder
    ) throws(SyscallError) -> Opened {
        let opened = OpenFolder(try folder.directory.folder(name))
        let (status, answer) = try PackageProof.look(at: name, in: folder)
        return Opened(file: nil, package: opened, status: status, packageAnswer: answer)
    }
}
