import InboxLinux

/// The source of a document, opened: what its type is read from, and what shows that nobody writes.
struct OpenedSource {
    /// The file; nil for what is no file, or may not be read.
    let file: OpenFile?
    /// The folder of a document that is one; nil for a file.
    let package: OpenFolder?
    /// The status of the document, for a package with everything in it.
    let status: FileStatus
    /// The reason why something in a package cannot be removed; nil if nothing prevents it.
    let innerObstacle: String?
    /// The answer to a lease request, if it is known: for a package, whose files were all asked for their leases, and
    /// for a file that may not be read.
    private let leaseAnswer: ReadLease.Answer?

    /// Opens what a request is about; nil for a package that has grown beyond what is surveyed, or whose survey was given
    /// up.
    init?(
        _ request: FilingRequest, in folder: OpenFolder, _ abandonment: Abandonment? = nil
    ) throws(SyscallError) {
        switch request.status.kind {
        case .regular:
            do throws(SyscallError) {
                let file = OpenFile(try folder.directory.file(request.name, mayCross: false))
                self.init(file: file, status: try file.descriptor.status())
            } catch  where error.errno.isDenied {
                // It may be moved all the same: that takes a right to the folder, not to the file.
                self.init(
                    file: nil, status: try folder.directory.status(of: request.name),
                    leaseAnswer: .unavailable(error))
            }
        case .directory:
            let opened = OpenFolder(try folder.directory.folder(request.name, mayCross: false))
            guard let proof = try PackageProof(of: request.name, in: folder, abandonment) else { return nil }
            self.init(
                file: nil, package: opened, status: proof.status, leaseAnswer: proof.answer,
                innerObstacle: proof.obstacle)
        case .symlink, .special:
            self.init(file: nil, status: try folder.directory.status(of: request.name))
        }
    }

    private init(
        file: OpenFile?, package: OpenFolder? = nil, status: FileStatus, leaseAnswer: ReadLease.Answer? = nil,
        innerObstacle: String? = nil
    ) {
        self.file = file
        self.package = package
        self.status = status
        self.leaseAnswer = leaseAnswer
        self.innerObstacle = innerObstacle
    }

    /// Returns the current status of a name, for a package with everything in it; nil for a package that has grown
    /// beyond the limit of a survey, or whose survey was abandoned.
    /// - Parameter isLocal: whether only this machine's kernel has to be asked: a server that has just been mounted
    ///   there is not asked.
    static func status(
        of name: FileName, _ kind: FileStatus.Kind, in folder: OpenFolder, isLocal: Bool = false,
        _ abandonment: Abandonment? = nil
    ) throws(SyscallError) -> FileStatus? {
        guard kind == .directory else {
            return try isLocal ? folder.directory.rememberedStatus(of: name) : folder.directory.status(of: name)
        }
        let survey = try FolderWalk.whole { () throws(FolderWalk.Failure) in
            try PackageSurvey(of: try PackageProof.folder(name, in: folder), abandonment)
        }
        return survey.flatMap { $0.isAbandoned ? nil : $0.status }
    }

    /// Returns the content of the document's extended attributes; empty if it may not be read.
    func attributes() throws(SyscallError) -> DocumentAttributes {
        if let file { return try DocumentAttributes.read(from: file.descriptor) }
        if let package { return try DocumentAttributes.read(from: package.directory.descriptor) }
        return DocumentAttributes()
    }

    /// Requests the lease that shows that nobody writes; nil where there is nothing that could be written.
    ///
    /// A package is shown file by file: nothing holds all of its leases at once.
    /// - Parameter mayBeRemote: whether its filesystem may be a server's.
    func requestLease(mayBeRemote: Bool) -> ReadLease.Answer? {
        guard let file else { return leaseAnswer }
        return mayBeRemote ? ReadLease.takeUnlessRemote(file.descriptor) : ReadLease.take(file.descriptor)
    }
}
