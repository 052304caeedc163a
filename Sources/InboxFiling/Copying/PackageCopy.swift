import InboxLinux

/// Copies all that is in a package into a new folder, entry by entry, each file under a lease of its own.
struct PackageCopy {
    private let status: FileStatus
    private let progress: CopyProgress
    private let isLeased: Bool
    /// Asked between the parts of a file: why not to go on.
    private let abandonment: () -> Refusal?
    /// What was copied.
    private(set) var manifest = PackageManifest()
    private(set) var attributes = CopyAttributes()
    /// The open folders of the copy, from its top to where the walk is.
    private var folders: [OpenFolder]

    /// A copy of a package into a new folder.
    /// - Parameters:
    ///   - status: what the package was after it was claimed, with all that is in it.
    ///   - isLeased: whether a lease shows of each file that nobody writes.
    init(
        of status: FileStatus, into top: OpenFolder, _ progress: CopyProgress, isLeased: Bool,
        abandonment: @escaping () -> Refusal?
    ) {
        self.status = status
        self.progress = progress
        self.isLeased = isLeased
        self.abandonment = abandonment
        folders = [top]
    }

    /// Copies everything, and the folder's own attributes at last: until then nobody else may enter it.
    mutating func run(from package: OpenFolder) throws(CopyFailure) {
        var walk: FolderWalk
        do throws(FolderWalk.Failure) { walk = try FolderWalk(again: package) } catch { throw .source(error.error) }
        while let step = try Self.next(&walk) {
            if let refusal = abandonment() { throw .refused(refusal) }
            switch step {
            case .entry(let name, let status, let level): try copy(name, status, in: level)
            case .entered(let level, _): try enter(level)
            case .left(let level, _):
                try keepAttributes(of: level.directory.descriptor, level.status)
                folders.removeLast()
            }
        }
        let status: FileStatus
        do throws(SyscallError) { status = try package.directory.status() } catch { throw .source(error) }
        try keepAttributes(of: package.directory.descriptor, status)
    }

    private static func next(_ walk: inout FolderWalk) throws(CopyFailure) -> FolderWalk.Step? {
        do throws(FolderWalk.Failure) { return try walk.next() } catch { throw .source(error.error) }
    }

    /// The folder of the copy in which the walk is; there is always one, until the end of the walk.
    private func folder() throws(CopyFailure) -> OpenFolder {
        guard let folder = folders.last else { throw .refused(Refusal(.changed)) }
        return folder
    }

    private mutating func enter(_ level: FolderWalk.Level) throws(CopyFailure) {
        guard let name = level.name else { return }
        manifest.note(level.status)
        let parent = try folder()
        do throws(SyscallError) {
            try parent.directory.makeFolder(name, mode: 0o700)
            folders.append(OpenFolder(try parent.directory.folder(name)))
        } catch {
            throw .copy(error)
        }
    }

    private mutating func keepAttributes(
        of source: borrowing FileDescriptor, _ status: FileStatus
    ) throws(CopyFailure) {
        let folder = try folder()
        do throws(SyscallError) {
            try attributes.copy(status, from: source, to: folder.directory.descriptor)
        } catch {
            throw .copy(error)
        }
    }

    private mutating func copy(
        _ name: FileName, _ status: FileStatus, in level: FolderWalk.Level
    ) throws(CopyFailure) {
        guard status.changed <= self.status.changed else { throw .refused(Refusal(.changed)) }
        manifest.note(status)
        switch status.kind {
        case .regular: try copyFile(name, in: level)
        case .symlink: try copyLink(name, status, in: level)
        case .special, .directory:
            let words = "it holds \(name), which is neither a file nor a folder nor a link"
            throw .refused(Refusal(.hold(.special, words)))
        }
    }

    private mutating func copyFile(_ name: FileName, in level: FolderWalk.Level) throws(CopyFailure) {
        let (abandonment, isLeased) = (abandonment, isLeased)
        let (source, status) = try open(name, in: level)
        let folder = try folder()
        let copy: OpenFile
        do throws(SyscallError) { copy = OpenFile(try folder.directory.newFile(name)) } catch { throw .copy(error) }
        var content = CopyContent(of: source, status, into: copy, progress) {
            abandonment() ?? (isLeased ? Self.leaseBreak(of: source) : nil)
        }
        try content.run(allocated: status.allocated)
        if status.links > 1 { attributes.lose("the hard links between its files") }
        do throws(SyscallError) {
            try attributes.copy(status, from: source.descriptor, to: copy.descriptor)
        } catch {
            throw .copy(error)
        }
        let now: FileStatus
        do throws(SyscallError) {
            now = try source.descriptor.status()
            if isLeased { try ReadLease.release(source.descriptor) }
        } catch {
            throw .source(error)
        }
        guard now.identity == status.identity, now.changed == status.changed else {
            throw .refused(Refusal(.changed))
        }
    }

    private func open(
        _ name: FileName, in level: FolderWalk.Level
    ) throws(CopyFailure) -> (OpenFile, FileStatus) {
        let file: OpenFile
        let status: FileStatus
        do throws(SyscallError) {
            file = OpenFile(try level.directory.file(name))
            status = try file.descriptor.status()
        } catch {
            throw .source(error)
        }
        if isLeased, let refusal = ClaimedSource.refusal(ReadLease.take(file.descriptor)) {
            throw .refused(refusal)
        }
        guard status.kind == .regular, status.changed <= self.status.changed else {
            throw .refused(Refusal(.changed))
        }
        return (file, status)
    }

    private mutating func copyLink(
        _ name: FileName, _ status: FileStatus, in level: FolderWalk.Level
    ) throws(CopyFailure) {
        let folder = try folder()
        let target: [UInt8]
        do throws(SyscallError) { target = try level.directory.target(of: name) } catch { throw .source(error) }
        do throws(SyscallError) {
            try folder.directory.makeLink(name, to: target)
            try attributes.copy(status, toLink: name, in: folder.directory)
        } catch {
            throw .copy(error)
        }
    }

    private static func leaseBreak(of file: OpenFile) -> Refusal? {
        do throws(SyscallError) {
            return try ReadLease.isWhole(file.descriptor) ? nil : Refusal(.writer)
        } catch {
            return Refusal(.retry("\(error)"))
        }
    }
}
