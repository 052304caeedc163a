import InboxLinux

/// The steps of a claim that make the copy: its content and attributes reach the disk, the source is proved again, and
/// the journal has the marks of both.
extension ClaimRun {
    /// Copies one document's content and attributes; the disk begins with them.
    mutating func copy(_ index: Int) {
        guard let source = ways[index].source else { return }
        attempt(index) { (run) throws(CopyFailure) in
            let target = try run.makeTarget(index, source)
            run.ways[index].target = target
            try run.fill(index, target, from: source)
        }
    }

    /// Waits until the copies are on the disk, many at once. All are made before: on ext4 the first sync brings the others'
    /// metadata along, and each would otherwise write a transaction of its own.
    mutating func syncCopies() {
        let made = under.compactMap { index in
            ways[index].target.flatMap { target in ways[index].source.map { (index, target, $0) } }
        }
        let (isDurable, abandonment) = (isDurable, means.abandonment)
        let failures = SideBySide.map(made) { (_, target, source) -> CopyFailure? in
            do throws(SyscallError) {
                let isWhole = try Self.sync(target, source, isDurable: isDurable, abandonment)
                return isWhole ? nil : .refused(Refusal(.changed))
            } catch {
                return .copy(error)
            }
        }
        for ((index, _, _), failure) in zip(made, failures) {
            if let failure { attempt(index) { (_) throws(CopyFailure) in throw failure } }
        }
    }

    private mutating func attempt(_ index: Int, _ body: (inout ClaimRun) throws(CopyFailure) -> Void) {
        do throws(CopyFailure) { try body(&self) } catch {
            let document = ways[index].document
            refuse(index, error.refusal(source: document.prepared.source, target: document.targetPath))
        }
    }

    private mutating func makeTarget(_ index: Int, _ source: ClaimedSource) throws(CopyFailure) -> CopyTarget {
        let document = ways[index].document
        if let twin = document.twin { return CopyTarget(.twin(twin)) }
        let isNameless = try CopyFailure.ofCopy { () throws(SyscallError) in
            try means.nameless.lacks(.hidden, document.target)
        }
        if !isNameless || source.status.kind == .directory, try isBeside(source, document) {
            return CopyTarget(.source)
        }
        guard case .file = source.content else { return try makeInStaging(document, source) }
        if let file = try unnamedFile(in: document.target) { return CopyTarget(.unnamed(file)) }
        return try isNameless ? makeDirect(index) : makeInStaging(document, source)
    }

    /// Whether a rename leads from the staging folder to the destination.
    private func isBeside(_ source: ClaimedSource, _ document: ClaimDocument) throws(CopyFailure) -> Bool {
        try CopyFailure.ofSource { () throws(SyscallError) in
            document.top.isBeside(try source.staged.staging.root.directory.status())
        }
    }

    /// Nil where the filesystem has no files without a name, or can give them none afterwards.
    private func unnamedFile(in folder: OpenFolder) throws(CopyFailure) -> OpenFile? {
        do throws(SyscallError) {
            return try means.nameless.lacks(.unnamed, folder) ? nil : OpenFile(try folder.directory.unnamedFile())
        } catch {
            if error.errno.lacksUnnamedFiles { return nil }
            throw .copy(error)
        }
    }

    /// Creates what the document needs in `making-ID`, at the top of the destination's filesystem.
    private func makeInStaging(_ document: ClaimDocument, _ source: ClaimedSource) throws(CopyFailure) -> CopyTarget {
        let top = document.top
        let found = try CopyFailure.ofCopy { () throws(SyscallError) in
            try means.staging.folder(in: top.folder, at: top.path)
        }
        let staging: StagingFolder
        do throws(Refusal) { staging = try found.folder(at: top.path) } catch { throw .refused(error) }
        return try CopyFailure.ofCopy { () throws(SyscallError) in
            let name = source.staged.name
            let folder = try staging.subfolder(CopyTarget.folderName(document.prepared.id))
            let making = (folder: folder, staging: staging)
            switch source.content {
            case .file: return CopyTarget(.file(OpenFile(try folder.directory.newFile(name))), in: making)
            case .package:
                try folder.directory.makeFolder(name, mode: 0o700)
                return CopyTarget(.package(OpenFolder(try folder.directory.folder(name))), in: making)
            case .link(let text):
                try folder.directory.makeLink(name, to: text)
                return CopyTarget(.link, in: making)
            }
        }
    }

    /// Creates the copy under the first free name of its row, which the journal has before and after.
    private mutating func makeDirect(_ index: Int) throws(CopyFailure) -> CopyTarget {
        let document = ways[index].document
        var names = document.names
        // Searched for first, since each try costs two syncs of the journal.
        while let (candidate, number) = try freeName(for: document, &names) {
            ways[index].entry?.directName = candidate
            try note(index)
            if let file = try newFile(candidate, document) {
                let target = CopyTarget(.direct(file, candidate, number: number))
                ways[index].target = target
                do throws(SyscallError) {
                    ways[index].entry?.directMade = try file.descriptor.status().identity
                } catch {
                    throw .copy(error)
                }
                try note(index)
                return target
            }
        }
        throw .refused(Refusal(.hold(.name, "no free name fits \(document.targetPath)")))
    }

    private func freeName(
        for document: ClaimDocument, _ names: inout FreeNames
    ) throws(CopyFailure) -> (name: FileName, number: Int)? {
        do throws(SyscallError) {
            return try names.take(document.prepared.wanted, in: document.target) { (name) throws(SyscallError) in
                try !document.target.directory.has(name)
            }
        } catch {
            throw failure(error, document)
        }
    }

    /// Nil where somebody has the name.
    private func newFile(_ name: FileName, _ document: ClaimDocument) throws(CopyFailure) -> OpenFile? {
        do throws(SyscallError) {
            return OpenFile(try document.target.directory.newFile(name, mode: Placeholder.fileMode))
        } catch {
            if error.errno == .exists { return nil }
            throw failure(error, document)
        }
    }

    private mutating func note(_ index: Int) throws(CopyFailure) {
        do throws(Refusal) { try note([index], isDurable: isDurable) } catch { throw .refused(error) }
    }

    /// A name that the filesystem cannot hold gives one error or another; some say ENOENT, though the folder is there.
    private func failure(_ error: SyscallError, _ document: ClaimDocument) -> CopyFailure {
        var isUnfit = error.errno.isUnfitName
        if error.errno == .noEntry {
            do throws(SyscallError) { isUnfit = try document.target.directory.status().links > 0 } catch {
                isUnfit = false
            }
        }
        return isUnfit ? .refused(Refusal(.hold(.name, error.words(at: document.targetPath)))) : .copy(error)
    }

    /// Copies content and attributes.
    private mutating func fill(
        _ index: Int, _ target: CopyTarget, from source: ClaimedSource
    ) throws(CopyFailure) {
        let document = ways[index].document
        let abandonment = means.abandonment
        let isAbandoned = { abandonment.isRequested ? Refusal(.changed) : nil }
        var attributes = CopyAttributes()
        switch (source.content, target.made) {
        case (_, .source), (_, .twin): break
        case (.file(let file), .unnamed(let copy)), (.file(let file), .file(let copy)),
            (.file(let file), .direct(let copy, _, _)):
            let hasOwnName = if case .direct = target.made { true } else { false }
            var content = CopyContent(
                of: file, source.status, into: copy, document.progress, takesRoom: !hasOwnName, refusal: isAbandoned)
            try content.run()
            try CopyFailure.ofCopy { () throws(SyscallError) in
                try attributes.copy(source.status, from: file.descriptor, to: copy.descriptor)
            }
        case (.package(let package), .package(let copy)):
            let most = KeptFiles.most(of: Process.descriptors(oneIn: 8))
            var run = PackageCopy(
                of: source.status, into: copy, document.progress, isLeased: document.isLeased, keeping: most,
                abandonment: isAbandoned)
            try run.run(from: package)
            ways[index].manifest = run.manifest
            attributes = run.attributes
        case (.link, .link):
            guard let making = target.making else { return }
            try CopyFailure.ofCopy { () throws(SyscallError) in
                try attributes.copy(source.status, toLink: source.staged.name, in: making.folder.directory)
            }
        default: throw .refused(Refusal(.changed))
        }
        ways[index].lost = attributes.lost
    }

    /// Brings a copy to the disk. One that fails is never synced again as proof, but made anew later.
    /// - Returns: false for a package that has grown beyond what is walked, and where the daemon is ending.
    private static func sync(
        _ target: CopyTarget, _ source: ClaimedSource, isDurable: Bool, _ abandonment: Abandonment
    ) throws(SyscallError) -> Bool {
        switch target.made {
        case .unnamed(let file), .file(let file), .direct(let file, _, _): try file.descriptor.sync()
        // Its files are there already.
        case .package(let package): return try Syncing.sync(package: package, foldersAlone: true, abandonment)
        case .link: try target.making?.folder.directory.sync()
        case .twin(let twin): try twin.sync()
        case .source:
            guard isDurable else { return true }
            switch source.content {
            case .file(let file): try file.descriptor.sync()
            case .package(let package): return try Syncing.sync(package: package, abandonment)
            case .link: break
            }
        }
        return true
    }

    /// Shows that nobody has written to the source since it was claimed.
    mutating func prove(_ index: Int) {
        let way = ways[index]
        guard let source = way.source else { return }
        do throws(SyscallError) {
            if let refusal = try source.prove(way.manifest, isLeased: way.document.isLeased) {
                refuse(index, refusal)
                return
            }
            guard let target = way.target else { return }
            let copied = ClaimEntry.Copied(
                copy: try target.identity(source), source: source.status.identity,
                sourceChanged: source.status.changed)
            ways[index].entry?.copied = copied
        } catch {
            refuse(index, Refusal(error, at: way.document.prepared.source))
        }
    }

    /// Writes down what is known of all that are under way: the claims, and the marks of the copies before any of them gets
    /// its name.
    mutating func announce() {
        do throws(Refusal) { try note(under, isDurable: isDurable) } catch {
            for index in under { refuse(index, error) }
        }
    }
}
