import InboxLinux

/// The steps that make a copy, where there is one, and bring what is to get a name to the disk; the source of a claim is
/// proved again, and the journal has the marks of both.
extension FilingRun {
    /// Copies one document's content and attributes; the disk begins with them.
    func copy(_ document: RunDocument) throws(Refusal) {
        guard let source = document.files.source else { return }
        do throws(CopyFailure) {
            let target = try makeTarget(document, source)
            document.files.target = target
            try fill(document, target, from: source)
        } catch {
            throw error.refusal(of: document)
        }
    }

    /// Waits until what is to get a name is on the disk, many at once. All copies are made before: on ext4 the first sync
    /// brings the others' metadata along, and each would otherwise write a transaction of its own.
    ///
    /// One that is renamed may have a writer here, since it is proved when its name moves.
    func syncContents() {
        let synced = open.filter { !$0.isRenamed || $0.isDurable }
        if synced.isEmpty { return }
        let renamed = synced.filter(\.isRenamed)
        if renamed.count > 1 { for document in renamed { Syncing.begin(contentOf: document.prepared) } }
        let contents = synced.map { document in
            document.isRenamed
                ? Content.prepared(document.prepared) : .claimed(document.files.target, document.files.source)
        }
        let failures = SideBySide.map(contents) { [isDurable, means] (content) -> CopyFailure? in
            do throws(SyscallError) {
                let isWhole =
                    switch content {
                    case .prepared(let document): try Syncing.sync(contentOf: document, means.abandonment)
                    case .claimed(let target?, let source?):
                        try Self.sync(target, source, isDurable: isDurable, means.abandonment)
                    case .claimed: true
                    }
                return isWhole ? nil : .refused(Refusal(.changed))
            } catch {
                return .copy(error)
            }
        }
        for (document, failure) in zip(synced, failures) {
            if let failure { refuse(document, Self.refusal(failure, of: document)) }
        }
    }

    /// The content that is brought to the disk.
    private enum Content: Sendable {
        case prepared(PreparedDocument)
        case claimed(CopyTarget?, ClaimedSource?)
    }

    /// Returns the refusal that a failed sync means: of a document that is renamed the disk does not take its own content.
    private static func refusal(_ failure: CopyFailure, of document: RunDocument) -> Refusal {
        guard document.isRenamed, case .copy(let error) = failure else { return failure.refusal(of: document) }
        let words = error.words(at: document.path)
        return Refusal(error.errno.isServerAway ? .retry(words) : .hold(.syncFailed, words))
    }

    private func makeTarget(_ document: RunDocument, _ source: ClaimedSource) throws(CopyFailure) -> CopyTarget {
        var facts = document.facts
        facts.lacking = means.naming.lacking(on: document.filesystem)
        document.way = FilingWay(facts)
        if document.way == .unnamedCopy {
            if let file = try unnamedFile(for: document) { return CopyTarget(.unnamed(file)) }
            facts.lacking.insert(.unnamed)
            document.way = FilingWay(facts)
        }
        switch document.way {
        case nil: throw .refused(Refusal.unreadable)
        case .rename, .claimedRename: return CopyTarget(.source)
        case .discard: if let twin = document.twin { return CopyTarget(.twin(twin)) }
        case .directCopy where document.main != nil || !document.members.isEmpty:
            let words = "the filesystem of \(document.targetPath) cannot take it and what goes with it at once"
            throw .refused(Refusal(.hold(.permission, "\(words): move them yourself")))
        case .directCopy: return try makeNamed(document)
        case .unnamedCopy, .stagedCopy: break
        }
        guard let target = document.stagingRoots?.target else { throw .refused(Refusal(.changed)) }
        let making: StagingFolder
        do throws(Refusal) { making = try staging(in: target) } catch { throw .refused(error) }
        return try CopyFailure.ofNaming(source.staged.name, in: making.folder) { () throws(SyscallError) in
            try CopyTarget(in: making, document.id, source)
        }
    }

    /// Nil where the filesystem has no files without a name.
    private func unnamedFile(for document: RunDocument) throws(CopyFailure) -> OpenFile? {
        do throws(SyscallError) { return OpenFile(try document.target.directory.unnamedFile()) } catch {
            if error.errno.lacksUnnamedFiles { return nil }
            throw .copy(error)
        }
    }

    /// Creates the copy under the first free name of its row, which the journal has before and after.
    private func makeNamed(_ document: RunDocument) throws(CopyFailure) -> CopyTarget {
        let folder = document.target
        var names = document.names(numbers)
        while true {
            // Searched for first, since each try costs two syncs of the journal.
            let free = try CopyFailure.ofNaming(document.prepared.wanted, in: folder) { () throws(SyscallError) in
                try names.take(document.prepared.wanted, in: folder) { (name) throws(SyscallError) in
                    try !folder.directory.has(name)
                }
            }
            guard let (name, number) = free else {
                throw .refused(Refusal(.hold(.name, "no free name fits \(document.targetPath)")))
            }
            document.entry?.directName = name
            try note(document)
            let made = try CopyFailure.ofNaming(name, in: folder) { () throws(SyscallError) in
                try Self.newFile(name, in: folder)
            }
            guard let file = made else { continue }
            let target = CopyTarget(.named(file, name, number: number))
            document.files.target = target
            document.entry?.directMade = try CopyFailure.ofCopy(file.descriptor.status().identity)
            try note(document)
            return target
        }
    }

    /// Nil where somebody has the name.
    private static func newFile(_ name: FileName, in folder: OpenFolder) throws(SyscallError) -> OpenFile? {
        do throws(SyscallError) {
            return OpenFile(try folder.directory.newFile(name, mode: Placeholder.fileMode))
        } catch  where error.errno == .exists {
            return nil
        }
    }

    private func note(_ document: RunDocument) throws(CopyFailure) {
        do throws(Refusal) { try note([document], isDurable: isDurable) } catch { throw .refused(error) }
    }

    /// Copies content and attributes, where there is a copy.
    private func fill(_ document: RunDocument, _ target: CopyTarget, from source: ClaimedSource) throws(CopyFailure) {
        guard document.way?.copies == true else { return }
        let progress = document.progress
        let goOn = { [means] () throws(CopyFailure) in
            if means.abandonment.isRequested { throw .refused(Refusal(.changed)) }
        }
        var attributes = CopyAttributes()
        switch (source.content, target.made) {
        case (.package(let package), .package(let copy)):
            let most = KeptFiles.most(of: Process.descriptors(oneIn: 8))
            var run = PackageCopy(
                of: source.status, into: copy, progress, isLeased: document.isLeased, keeping: most,
                goOn: goOn)
            try run.run(from: package)
            document.files.manifest = run.manifest
            attributes = run.attributes
        case (.file(let file?), let made):
            guard let copy = target.file else { return }
            let hasOwnName = if case .named = made { true } else { false }
            var content = CopyContent(
                of: file, source.status, into: copy, progress, takesRoom: !hasOwnName, goOn: goOn)
            try content.run()
            try attributes.copy(source.status, from: file.descriptor, to: copy.descriptor)
        default:
            guard let making = target.making else { return }
            try CopyFailure.ofCopy(
                attributes.copy(source.status, toLink: source.staged.name, in: making.folder.directory))
        }
        document.lost = attributes.losses.map(\.what)
    }

    /// Brings a copy to the disk. One that fails is never synced again as proof, but made anew later.
    /// - Returns: false for a package that has grown beyond what is walked, and where the daemon is ending.
    private static func sync(
        _ target: CopyTarget, _ source: ClaimedSource, isDurable: Bool, _ abandonment: Abandonment
    ) throws(SyscallError) -> Bool {
        switch target.made {
        case .unnamed(let file), .file(let file), .named(let file, _, _): try file.descriptor.sync()
        // Its files are there already.
        case .package(let package): return try Syncing.sync(package: package, foldersAlone: true, abandonment)
        case .link: try target.making?.folder.directory.sync()
        case .twin(let twin): try twin.sync()
        case .source:
            guard isDurable else { return true }
            switch source.content {
            case .file(let file?): return try Syncing.sync(file, ofSize: source.status.size, abandonment)
            case .file: break
            case .package(let package): return try Syncing.sync(package: package, abandonment)
            case .link: break
            }
        }
        return true
    }

    /// Shows that nobody has written to the source since it was claimed.
    func prove(_ document: RunDocument) throws(Refusal) {
        guard let source = document.files.source else { return }
        let isLeased = document.isLeased
        let refusal = try Refusal.at(
            document.path, source.prove(document.files.manifest, isLeased: isLeased, means.abandonment))
        if let refusal { throw refusal }
        guard let target = document.files.target else { return }
        document.entry?.copied = JournalEntry.Copied(
            copy: try Refusal.at(document.path, target.identity(source)), source: source.status.identity,
            sourceChanged: source.status.changed, entries: document.files.manifest?.copied)
    }
}
