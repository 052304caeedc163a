import InboxLinux

/// Copies all that is in a package into a new folder, entry by entry, each file under a lease of its own.
struct PackageCopy {
    private let status: FileStatus
    private let progress: CopyProgress
    private let isLeased: Bool
    /// Called between the parts of a file: throws why not to go on.
    private let goOn: () throws(CopyFailure) -> Void
    /// The copied entries.
    private(set) var manifest: PackageManifest
    private(set) var attributes = CopyAttributes()
    /// The open folders of the copy, from its top to where the walk is.
    private var folders: [OpenFolder]
    /// The status with which the top of the copy was made: everything made in it gets the same owner and group.
    private var made: FileStatus?
    /// The package with what was copied of it so far.
    private var found: FileStatus
    /// The copies that are not on the disk yet; no more than so many, and then all are brought there.
    private var unsynced: [OpenFile] = []
    private let mostUnsynced: Int

    /// A copy of a package into a new folder.
    /// - Parameters:
    ///   - status: what the package was after it was claimed, with all that is in it.
    ///   - isLeased: whether a lease shows of each file that nobody writes.
    ///   - most: so many files of the package are kept open, and so many of the copy.
    init(
        of status: FileStatus, into top: OpenFolder, _ progress: CopyProgress, isLeased: Bool, keeping most: Int,
        goOn: @escaping () throws(CopyFailure) -> Void
    ) {
        self.status = status
        found = status
        mostUnsynced = most
        // A lease that is not asked for has no use for an open file.
        manifest = PackageManifest(kept: KeptFiles(most: isLeased ? most : 0))
        self.progress = progress
        self.isLeased = isLeased
        self.goOn = goOn
        folders = [top]
    }

    /// Copies everything, its files to the disk, and the folder's own attributes at last: until then nobody else may enter
    /// it.
    mutating func run(from package: OpenFolder) throws(CopyFailure) {
        var walk = try CopyFailure.ofWalk(FolderWalk(again: package))
        let target = folder
        made = try CopyFailure.ofCopy(target.directory.status())
        found = walk.top
        found.emptySize()
        while let step = try CopyFailure.ofWalk(walk.next()) {
            try goOn()
            switch step {
            case .entry(let entry): try copy(entry)
            case .entered(let level, _): try enter(level)
            case .left(let level, _):
                let copy = folders.removeLast()
                try attributes.copy(level.status, from: level.directory.descriptor, to: copy.directory.descriptor)
            }
        }
        guard found.identity == status.identity else { throw .refused(Refusal(.changed)) }
        try syncFiles()
        let top = try CopyFailure.ofSource(package.directory.status())
        try attributes.copy(top, from: package.directory.descriptor, to: target.directory.descriptor)
    }

    /// The folder of the copy in which the walk is.
    private var folder: OpenFolder { folders[folders.count - 1] }

    private mutating func enter(_ level: FolderWalk.Level) throws(CopyFailure) {
        guard let name = level.name else { return }
        try note(level.status)
        let around = folder
        try CopyFailure.ofNaming(name, in: around, isNew: true) { () throws(SyscallError) in
            try around.directory.makeFolder(name, mode: 0o700)
        }
        folders.append(try CopyFailure.ofCopy(OpenFolder(try folder.directory.folder(name))))
    }

    /// Takes note of what is copied, which nobody has changed since the claim.
    private mutating func note(_ status: FileStatus) throws(CopyFailure) {
        guard status.changed <= self.status.changed else { throw .refused(Refusal(.changed)) }
        manifest.copied.note(status)
        found.absorb(status)
    }

    private mutating func copy(_ entry: FolderWalk.Entry) throws(CopyFailure) {
        switch entry.kind {
        case .regular: try copyFile(entry)
        case .symlink: try copyLink(entry)
        case .special, .directory:
            let words = "it holds \(entry.name), which is neither a file nor a folder nor a link"
            throw .refused(Refusal(.hold(.special, words)))
        }
    }

    private mutating func copyFile(_ entry: FolderWalk.Entry) throws(CopyFailure) {
        let (source, status) = try open(entry)
        let folder = folder
        let copy = try CopyFailure.ofNaming(entry.name, in: folder, isNew: true) { () throws(SyscallError) in
            OpenFile(try folder.directory.newFile(entry.name))
        }
        // The lease was taken just before the first portion.
        var isFirst = true
        var content = CopyContent(of: source, status, into: copy, progress) {
            [goOn, isLeased] () throws(CopyFailure) in
            defer { isFirst = false }
            try goOn()
            guard isLeased, !isFirst, try !CopyFailure.ofSource(ReadLease.isWhole(source.descriptor)) else { return }
            throw .refused(Refusal(.writer))
        }
        try content.run()
        if status.links > 1 { attributes.lose("the hard links between its files", because: "each is copied by itself") }
        try attributes.copy(status, from: source.descriptor, to: copy.descriptor, madeAs: made)
        if isLeased { try CopyFailure.ofSource(ReadLease.release(source.descriptor)) }
        manifest.kept.keep(source, status)
        unsynced.append(copy)
        if unsynced.count >= mostUnsynced { try syncFiles() }
    }

    /// Brings the copied files to the disk, many at once.
    private mutating func syncFiles() throws(CopyFailure) {
        @Sendable func sync(_ file: OpenFile) -> SyscallError? { Syncing.errorOf(try file.descriptor.sync()) }
        let failures = SideBySide.map(unsynced, sync)
        if let failure = failures.lazy.compactMap({ $0 }).first { throw .copy(failure) }
        unsynced = []
    }

    private mutating func open(_ entry: FolderWalk.Entry) throws(CopyFailure) -> (OpenFile, FileStatus) {
        let file = try CopyFailure.ofSource(OpenFile(try entry.level.directory.file(entry.name, mayCross: false)))
        if isLeased, let refusal = ClaimedSource.refusal(ReadLease.take(file.descriptor)) {
            throw .refused(refusal)
        }
        let status = try CopyFailure.ofSource(file.descriptor.status())
        guard status.kind == .regular else { throw .refused(Refusal(.changed)) }
        try note(status)
        return (file, status)
    }

    private mutating func copyLink(_ entry: FolderWalk.Entry) throws(CopyFailure) {
        let status = try CopyFailure.ofSource(entry.status())
        let target = try CopyFailure.ofSource(entry.level.directory.target(of: entry.name))
        try note(status)
        let folder = folder
        try CopyFailure.ofNaming(entry.name, in: folder, isNew: true) { () throws(SyscallError) in
            try folder.directory.makeLink(entry.name, to: target)
        }
        try CopyFailure.ofCopy(attributes.copy(status, toLink: entry.name, in: folder.directory))
    }
}
