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
        let isDurable = isDurable
        let failures = SideBySide.map(made) { (_, target, source) -> CopyFailure? in
            do throws(SyscallError) {
                let isWhole = try Self.sync(target, source, isDurable: isDurable)
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
            if case .journal(let error) = error { stateFailed("the journal", error) }
            let document = ways[index].document
            refuse(index, error.refusal(source: document.prepared.source, target: document.targetPath))
        }
    }

    private mutating func makeTarget(_ index: Int, _ source: ClaimedSource) throws(CopyFailure) -> CopyTarget {
        let document = ways[index].document
        let isNameless = try lacks(.hidden, document)
        if !isNameless || source.status.kind == .directory, try isBeside(source, document) {
            return CopyTarget(.source)
        }
        do throws(SyscallError) {
            if case .file = source.content, try !means.nameless.lacks(.unnamed, document.target),
                let file = try unnamedFile(in: document.target)
            {
                return CopyTarget(.unnamed(file))
            }
        } catch {
            throw .copy(error)
        }
        if case .file = source.content, isNameless { return try makeDirect(index) }
        return try makeInStaging(document, source)
    }

    /// Whether a rename leads from the staging folder to the destination.
    private func isBeside(_ source: ClaimedSource, _ document: ClaimDocument) throws(CopyFailure) -> Bool {
        do throws(SyscallError) {
            let around = try source.staged.staging.root.directory.status()
            return document.targets.last?.isBeside(around) == true
        } catch {
            throw .source(error)
        }
    }

    private func lacks(_ way: NamelessFilesystems.Way, _ document: ClaimDocument) throws(CopyFailure) -> Bool {
        do throws(SyscallError) { return try means.nameless.lacks(way, document.target) } catch { throw .copy(error) }
    }

    /// Nil where the filesystem has no files without a name.
    private func unnamedFile(in folder: OpenFolder) throws(SyscallError) -> OpenFile? {
        do throws(SyscallError) {
            return OpenFile(try folder.directory.unnamedFile())
        } catch  where error.errno.lacksUnnamedFiles {
            return nil
        }
    }

    /// Creates what the document needs in `making-ID`, at the top of the destination's filesystem.
    private func makeInStaging(_ document: ClaimDocument, _ source: ClaimedSource) throws(CopyFailure) -> CopyTarget {
        guard let top = document.targetTop else { throw .refused(Refusal(.changed)) }
        let id = document.prepared.id
        let staging: StagingFolder?
        do throws(SyscallError) { staging = try means.staging.folder(in: top.folder, at: top.path) } catch {
            throw .copy(error)
        }
        guard let staging else {
            throw .refused(
                Refusal(.hold(.permission, "the name of the staging folder in \(top.path) is taken")))
        }
        do throws(SyscallError) {
            let name = source.staged.name
            let folder = try staging.subfolder(CopyTarget.folderName(id))
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
        } catch {
            throw .copy(error)
        }
    }

    /// Creates the copy under the first free name of its row, which the journal has before and after.
    private mutating func makeDirect(_ index: Int) throws(CopyFailure) -> CopyTarget {
        let document = ways[index].document
        let row = NumberedName(document.prepared.wanted)
        var number = 0
        while let candidate = row.numbered(number), number == 0 || document.undoes == nil {
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
            number += 1
        }
        throw .refused(Refusal(.hold(.name, "no free name fits \(document.targetPath)")))
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
        guard let entry = ways[index].entry else { return }
        do throws(SyscallError) { try means.journal.note([entry], isDurable: isDurable) } catch {
            throw .journal(error)
        }
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
        switch (source.content, target.made) {
        case (_, .source): break
        case (.file(let file), _):
            guard let copy = target.file else { return }
            let hasOwnName = if case .direct = target.made { true } else { false }
            ways[index].lost = try fill(
                copy, from: file, source, document.progress, takesRoom: !hasOwnName, isAbandoned)
        case (.package(let package), .package(let copy)):
            let most: Int
            do throws(SyscallError) { most = try Process.descriptorLimit() / 8 } catch { throw .source(error) }
            var run = PackageCopy(
                of: source.status, into: copy, document.progress, isLeased: document.isLeased, keeping: most,
                abandonment: isAbandoned)
            try run.run(from: package)
            ways[index].manifest = run.manifest
            ways[index].lost = run.attributes.lost
        case (.link, _):
            guard let making = target.making else { return }
            var attributes = CopyAttributes()
            do throws(SyscallError) {
                try attributes.copy(source.status, toLink: source.staged.name, in: making.folder.directory)
            } catch {
                throw .copy(error)
            }
            ways[index].lost = attributes.lost
        case (.package, _): throw .refused(Refusal(.changed))
        }
    }

    private func fill(
        _ copy: OpenFile, from file: OpenFile, _ source: ClaimedSource, _ progress: CopyProgress, takesRoom: Bool,
        _ refusal: @escaping () -> Refusal?
    ) throws(CopyFailure) -> [String] {
        var content = CopyContent(of: file, source.status, into: copy, progress, refusal: refusal)
        try content.run(allocated: source.status.allocated, takesRoom: takesRoom)
        var attributes = CopyAttributes()
        do throws(SyscallError) {
            try attributes.copy(source.status, from: file.descriptor, to: copy.descriptor)
        } catch {
            throw .copy(error)
        }
        return attributes.lost
    }

    /// Brings a copy to the disk. One that fails is never synced again as proof, but made anew later.
    /// - Returns: false for a package that has grown beyond what is walked.
    private static func sync(
        _ target: CopyTarget, _ source: ClaimedSource, isDurable: Bool
    ) throws(SyscallError) -> Bool {
        switch target.made {
        case .unnamed(let file), .file(let file), .direct(let file, _, _): try file.descriptor.sync()
        // Its files are there already.
        case .package(let package): return try Syncing.sync(package: package, foldersAlone: true)
        case .link: try target.making?.folder.directory.sync()
        case .source:
            guard isDurable else { return true }
            switch source.content {
            case .file(let file): try file.descriptor.sync()
            case .package(let package): return try Syncing.sync(package: package)
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
        let entries = under.compactMap { ways[$0].entry }
        guard !entries.isEmpty else { return }
        do throws(SyscallError) { try means.journal.note(entries, isDurable: isDurable) } catch {
            stateFailed("the journal", error)
            for index in under { refuse(index, Refusal(.postponed("cannot write the journal: \(error.errno)"))) }
        }
    }
}
