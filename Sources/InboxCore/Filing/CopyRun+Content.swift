import InboxLinux

/// The first half of a copy: everything before it has a name.
extension CopyRun {
    /// Copies one document's content and attributes.
    mutating func copy(_ index: Int) {
        let document = job.documents[index]
        if let refusal = begin(document) {
            refuse(index, refusal)
            return
        }
        do throws(CopyFailure) {
            let target = try makeTarget(document)
            do throws(CopyFailure) {
                steps[index] = .copied(target, lost: try fill(target, from: document))
            } catch {
                _ = discard(target, published: nil, document)
                throw error
            }
        } catch {
            if case .journal(let error) = error { stateFailed("the journal", error) }
            refuse(index, error.refusal(document))
        }
    }

    /// Claims a document, takes its lease, and makes sure that its source can go.
    private func begin(_ document: CopyDocument) -> Refusal? {
        if job.abort.isWished { return Refusal(.changed) }
        do throws(SyscallError) {
            if try !document.claim() { return Refusal(.claimed) }
            if let refusal = document.takeLease() { return refusal }
            if let refusal = document.refusal() { return refusal }
            return try RemovalObstacle.find(document).map { obstacle in
                Refusal(.hold(.permission, "it would be copied, but could not be removed then: \(obstacle)"))
            }
        } catch {
            return Refusal(error, at: document.template.source)
        }
    }

    private func makeTarget(_ document: CopyDocument) throws(CopyFailure) -> CopyTarget {
        if try needsDirectName(document) { return try makeDirect(document) }
        if case .file = document.source, try !lacks(.unnamed, document) {
            do throws(SyscallError) {
                if let unnamed = try CopyTarget.unnamed(in: document.target) { return unnamed }
            } catch {
                throw .copy(error)
            }
        }
        let name = CopyTarget.temporaryName(document.template.id)
        do throws(SyscallError) {
            try job.journal.add([document.intent(temporary: name)], isDurable: job.isDurable)
        } catch {
            throw .journal(error)
        }
        do throws(SyscallError) {
            return try CopyTarget.hidden(name, for: document.source, in: document.target)
        } catch {
            // What could not be taken away again is found by the next start.
            if !isFree(name, in: document.target) { job.journal.keep() }
            throw .copy(error)
        }
    }

    private func isFree(_ name: FileName, in folder: OpenFolder) -> Bool {
        do throws(SyscallError) {
            _ = try folder.directory.status(of: name)
            return false
        } catch {
            return error.errno.isAbsent
        }
    }

    /// Copies content and attributes; answers what could not be kept.
    private func fill(_ target: CopyTarget, from document: CopyDocument) throws(CopyFailure) -> [String] {
        let abort = job.abort
        switch (document.source, target.made) {
        case (.file(let source), .file(let copy)):
            return try fill(copy, from: source, document) {
                abort.isWished ? Refusal(.changed) : document.refusal(byLeaseOf: source)
            }
        case (.package(let source), .package(let copy)):
            var package = PackageCopy(of: document, into: copy) { abort.isWished ? Refusal(.changed) : nil }
            try package.run(from: source)
            return package.attributes.lost
        case (.link, _):
            var attributes = CopyAttributes()
            guard let name = target.temporary else { return [] }
            do throws(SyscallError) {
                try attributes.copy(document.status, toLink: name, in: target.folder.directory)
            } catch {
                throw .copy(error)
            }
            return attributes.lost
        default: throw .refused(Refusal(.changed))
        }
    }

    private func fill(
        _ copy: OpenFile, from source: OpenFile, _ document: CopyDocument, refusal: @escaping () -> Refusal?
    ) throws(CopyFailure) -> [String] {
        var content = CopyContent(of: source, document.status, into: copy, document.progress, refusal: refusal)
        try content.run(allocated: document.status.allocated)
        var attributes = CopyAttributes()
        let size: UInt64
        do throws(SyscallError) {
            try attributes.copy(document.status, from: source.descriptor, to: copy.descriptor)
            size = try copy.descriptor.status().size
        } catch {
            throw .copy(error)
        }
        guard size == document.status.size else { throw .refused(Refusal(.changed)) }
        return attributes.lost
    }

    /// Brings the copies to the disk: each that fails is discarded, and made anew later. The same file is never
    /// synced again as proof.
    mutating func syncCopies() {
        var indices: [Int] = []
        var files: [OpenFile] = []
        var others: [ObjectIdentifier: [(Int, OpenFolder)]] = [:]
        for (index, step) in steps.enumerated() {
            guard case .copied(let target, _) = step else { continue }
            if case .file(let file) = target.made {
                indices.append(index)
                files.append(file)
            } else {
                others[ObjectIdentifier(target.folder), default: []].append((index, target.folder))
            }
        }
        for (index, failure) in zip(indices, DurableJob.sync(files)) {
            if let failure { refuse(index, CopyFailure.copy(failure).refusal(job.documents[index])) }
        }
        for copies in others.values { syncFilesystem(of: copies) }
    }

    /// A package is many files, and a link has nothing that could be synced: their filesystem is. The descriptor was
    /// opened before anything was written, so that every failure since then shows.
    private mutating func syncFilesystem(of copies: [(index: Int, folder: OpenFolder)]) {
        guard let first = copies.first else { return }
        var isWhole = true
        let failure = DurableJob.failure { () throws(SyscallError) in
            isWhole = try first.folder.isSyncedAsWhole
            if isWhole { try first.folder.syncFilesystem() }
        }
        if !isWhole {
            for copy in copies { syncAlone(copy.index) }
        }
        guard let failure else { return }
        for copy in copies { refuse(copy.index, CopyFailure.copy(failure).refusal(job.documents[copy.index])) }
    }

    private mutating func syncAlone(_ index: Int) {
        guard case .copied(let target, _) = steps[index] else { return }
        let failure = DurableJob.failure { () throws(SyscallError) in
            if case .package(let package) = target.made { try SyncedPackage(folder: package).syncAlone() }
            try target.folder.syncAlone()
        }
        if let failure { refuse(index, CopyFailure.copy(failure).refusal(job.documents[index])) }
    }

    /// Tells the journal the marks of the copies, so that a copy can be told from every other file after a crash.
    mutating func announce() {
        var intents: [CopyIntent] = []
        for (index, step) in steps.enumerated() {
            guard case .copied(let target, _) = step else { continue }
            do throws(SyscallError) {
                let marks = try target.marks()
                // Under its own name a finished copy is published.
                let temporary = target.number == nil ? target.temporary : nil
                intents.append(job.documents[index].intent(temporary: temporary, copy: marks))
            } catch {
                refuse(index, CopyFailure.copy(error).refusal(job.documents[index]))
            }
        }
        guard !intents.isEmpty else { return }
        do throws(SyscallError) {
            // Whatever the durability: a source that is set aside is found again by this alone.
            try job.journal.add(intents, isDurable: true)
        } catch {
            stateFailed("the journal", error)
            for (index, step) in steps.enumerated() {
                if case .copied = step { refuse(index, CopyFailure.journal(error).refusal(job.documents[index])) }
            }
        }
    }
}
