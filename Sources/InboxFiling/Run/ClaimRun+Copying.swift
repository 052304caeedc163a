import InboxLinux

/// The steps of a claim that make the copy: its content and attributes reach the disk, the source is proved again, and
/// the journal has the marks of both.
extension ClaimRun {
    /// Copies one document's content and attributes; the disk begins with them.
    func copy(_ claim: Claim) throws(Refusal) {
        guard let source = claim.files.source else { return }
        do throws(CopyFailure) {
            let target = try makeTarget(claim, source)
            claim.files.target = target
            try fill(claim, target, from: source)
        } catch {
            throw error.refusal(of: claim.document)
        }
    }

    /// Waits until the copies are on the disk, many at once. All are made before: on ext4 the first sync brings the others'
    /// metadata along, and each would otherwise write a transaction of its own.
    func syncCopies() {
        let copied = open
        let made = copied.map { ($0.files.target, $0.files.source) }
        let failures = SideBySide.map(made) { [isDurable, means] (target, source) -> CopyFailure? in
            guard let target, let source else { return nil }
            do throws(SyscallError) {
                let isWhole = try Self.sync(target, source, isDurable: isDurable, means.abandonment)
                return isWhole ? nil : .refused(Refusal(.changed))
            } catch {
                return .copy(error)
            }
        }
        for (claim, failure) in zip(copied, failures) {
            if let failure { refuse(claim, failure.refusal(of: claim.document)) }
        }
    }

    private func makeTarget(_ claim: Claim, _ source: ClaimedSource) throws(CopyFailure) -> CopyTarget {
        let document = claim.document
        var facts = document.facts
        facts.lacking = means.naming.lacking(on: document.filesystem)
        claim.way = FilingWay(facts)
        if claim.way == .unnamedCopy {
            if let file = try unnamedFile(for: document) { return CopyTarget(.unnamed(file)) }
            facts.lacking.insert(.unnamed)
            claim.way = FilingWay(facts)
        }
        switch claim.way {
        case nil: throw .refused(Refusal.unreadable)
        case .rename, .claimedRename: return CopyTarget(.source)
        case .discard: if let twin = document.twin { return CopyTarget(.twin(twin)) }
        case .directCopy: return try makeNamed(claim)
        case .unnamedCopy, .stagedCopy: break
        }
        let making: StagingFolder
        do throws(Refusal) { making = try staging(in: document.top) } catch { throw .refused(error) }
        return try CopyFailure.ofNaming(source.staged.name, in: making.folder) { () throws(SyscallError) in
            try CopyTarget(in: making, claim.id, source)
        }
    }

    /// Nil where the filesystem has no files without a name.
    private func unnamedFile(for document: ClaimDocument) throws(CopyFailure) -> OpenFile? {
        do throws(SyscallError) { return OpenFile(try document.target.directory.unnamedFile()) } catch {
            if error.errno.lacksUnnamedFiles { return nil }
            throw .copy(error)
        }
    }

    /// Creates the copy under the first free name of its row, which the journal has before and after.
    private func makeNamed(_ claim: Claim) throws(CopyFailure) -> CopyTarget {
        let document = claim.document
        let folder = document.target
        var names = document.names
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
            claim.entry?.directName = name
            try note(claim)
            let made = try CopyFailure.ofNaming(name, in: folder) { () throws(SyscallError) in
                try Self.newFile(name, in: folder)
            }
            guard let file = made else { continue }
            let target = CopyTarget(.named(file, name, number: number))
            claim.files.target = target
            claim.entry?.directMade = try CopyFailure.ofCopy(file.descriptor.status().identity)
            try note(claim)
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

    private func note(_ claim: Claim) throws(CopyFailure) {
        do throws(Refusal) { try note([claim], isDurable: isDurable) } catch { throw .refused(error) }
    }

    /// Copies content and attributes, where there is a copy.
    private func fill(_ claim: Claim, _ target: CopyTarget, from source: ClaimedSource) throws(CopyFailure) {
        guard claim.way?.copies == true else { return }
        let progress = claim.document.progress
        let goOn = { [means] () throws(CopyFailure) in
            if means.abandonment.isRequested { throw .refused(Refusal(.changed)) }
        }
        var attributes = CopyAttributes()
        switch (source.content, target.made) {
        case (.package(let package), .package(let copy)):
            let most = KeptFiles.most(of: Process.descriptors(oneIn: 8))
            var run = PackageCopy(
                of: source.status, into: copy, progress, isLeased: claim.document.isLeased, keeping: most,
                goOn: goOn)
            try run.run(from: package)
            claim.files.manifest = run.manifest
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
        claim.lost = attributes.losses.map(\.what)
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
    func prove(_ claim: Claim) throws(Refusal) {
        guard let source = claim.files.source else { return }
        let isLeased = claim.document.isLeased
        let refusal = try Refusal.at(
            claim.path, source.prove(claim.files.manifest, isLeased: isLeased, means.abandonment))
        if let refusal { throw refusal }
        guard let target = claim.files.target else { return }
        claim.entry?.copied = JournalEntry.Copied(
            copy: try Refusal.at(claim.path, target.identity(source)), source: source.status.identity,
            sourceChanged: source.status.changed, entries: claim.files.manifest?.copied)
    }
}
