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
                discard(target, published: nil)
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
            do throws(SyscallError) {
                if try !document.file.descriptor.claim() { return Refusal(.claimed) }
            } catch  where !error.errno.isTransient {
                // A filesystem without such locks.
            }
            if document.isLeased {
                switch ReadLease.take(document.file.descriptor) {
                case .held: break
                case .writer: return Refusal(.writer)
                case .unavailable: return Refusal(.changed)
                }
            }
            if let refusal = document.refusal() { return refusal }
            return try SourceRemoval.obstacle(document.status, in: document.folder.directory).map { obstacle in
                Refusal(.hold(.permission, "it would be copied, but could not be removed then: \(obstacle)"))
            }
        } catch {
            return Refusal(error, at: document.template.source)
        }
    }

    private func makeTarget(_ document: CopyDocument) throws(CopyFailure) -> CopyTarget {
        do throws(SyscallError) {
            if let unnamed = try CopyTarget.unnamed(in: document.target) { return unnamed }
        } catch {
            throw .copy(error)
        }
        let name = CopyTarget.temporaryName(document.template.id)
        do throws(SyscallError) {
            try job.journal.add([document.intent(temporary: name)], isDurable: job.isDurable)
        } catch {
            throw .journal(error)
        }
        do throws(SyscallError) { return try CopyTarget.hidden(name, in: document.target) } catch {
            throw .copy(error)
        }
    }

    private func fill(_ target: CopyTarget, from document: CopyDocument) throws(CopyFailure) -> [String] {
        let abort = job.abort
        var content = CopyContent(of: document, into: target.file) {
            abort.isWished ? Refusal(.changed) : document.brokenLease
        }
        try content.run(allocated: document.status.allocated)
        var attributes = CopyAttributes()
        let size: UInt64
        do throws(SyscallError) {
            try attributes.copy(document.status, from: document.file, to: target.file)
            size = try target.file.descriptor.status().size
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
        for (index, step) in steps.enumerated() {
            guard case .copied(let target, _) = step else { continue }
            indices.append(index)
            files.append(target.file)
        }
        for (index, failure) in zip(indices, DurableJob.sync(files)) {
            if let failure { refuse(index, CopyFailure.copy(failure).refusal(job.documents[index])) }
        }
    }

    /// Tells the journal the marks of the copies, so that a copy can be told from every other file after a crash.
    mutating func announce() {
        var intents: [CopyIntent] = []
        for (index, step) in steps.enumerated() {
            guard case .copied(let target, _) = step else { continue }
            do throws(SyscallError) {
                let marks = try target.file.descriptor.status().identity
                intents.append(job.documents[index].intent(temporary: target.temporary, copy: marks))
            } catch {
                refuse(index, CopyFailure.copy(error).refusal(job.documents[index]))
            }
        }
        guard !intents.isEmpty else { return }
        do throws(SyscallError) {
            try job.journal.add(intents, isDurable: job.isDurable)
        } catch {
            stateFailed("the journal", error)
            for (index, step) in steps.enumerated() {
                if case .copied = step { refuse(index, CopyFailure.journal(error).refusal(job.documents[index])) }
            }
        }
    }
}
