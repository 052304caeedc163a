import InboxLinux

/// Copies all that is in a package into a new folder, entry by entry, each file under a lease of its own.
struct PackageCopy {
    let document: CopyDocument
    /// Asked between the parts of a file: why not to go on.
    let abandonment: () -> Refusal?
    private(set) var attributes = CopyAttributes()
    /// The open folders of the copy, from its top to where the walk is.
    private var folders: [OpenFolder]

    init(of document: CopyDocument, into top: OpenFolder, abandonment: @escaping () -> Refusal?) {
        self.document = document
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
        guard status.changed <= document.status.changed else { throw .refused(Refusal(.changed)) }
        switch status.kind {
        case .regular: try copyFile(name, in: level)
        case .symlink: try copyLink(name, status, in: level)
        case .special, .directory:
            let words = "it holds \(name), which is neither a file nor a folder nor a link"
            throw .refused(Refusal(.hold(.special, words)))
        }
    }

    private mutating func copyFile(_ name: FileName, in level: FolderWalk.Level) throws(CopyFailure) {
        let document = document
        let abandonment = abandonment
        let (source, status) = try open(name, in: level)
        let folder = try folder()
        let copy: OpenFile
        do throws(SyscallError) { copy = OpenFile(try folder.directory.newFile(name)) } catch { throw .copy(error) }
        var content = CopyContent(of: source, status, into: copy, document.progress) {
            abandonment() ?? document.refusal(byLeaseOf: source)
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
            if document.isLeased { try ReadLease.release(source.descriptor) }
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
        if document.isLeased, let refusal = CopyDocument.refusal(ReadLease.take(file.descriptor)) {
            throw .refused(refusal)
        }
        guard status.kind == .regular, status.changed <= document.status.changed else {
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
}
