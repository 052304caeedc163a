import InboxLinux

/// One run of a ``CopyJob``: which document has come how far.
struct CopyRun {
    /// How far a document has come.
    enum Step {
        case begun
        case copied(CopyTarget, lost: [String])
        case published(CopyTarget, FileName, FiledRecord, lost: [String])
        /// Its source has a name that nobody else uses, for the rest of its time, where it can have one.
        case setAside(CopyTarget, FileName, FiledRecord, lost: [String], source: FileName)
        case recorded(CopyTarget, FiledRecord, lost: [String], source: FileName)
        case ended(CopyJob.Result)
    }

    let job: CopyJob
    var steps: [Step]
    var report = CopyJob.Report()

    init(_ job: CopyJob) {
        self.job = job
        steps = job.documents.map { _ in .begun }
    }

    /// Goes through all steps; `report` tells what came of it.
    mutating func perform() {
        for index in steps.indices { copy(index) }
        syncCopies()
        announce()
        publish()
        syncNames()
        setSourcesAside()
        record()
        removeSources()
        for document in job.documents { document.releaseLease() }
        clearJournal()
        report.results = steps.map { step in
            if case .ended(let result) = step { result } else { .refused(.changed) }
        }
    }

    /// Ends a document's way before it is recorded: the copy is taken away, and then its source gets its name back.
    ///
    /// In this order an interruption in between leaves no copy beside a source that looks changed.
    mutating func refuse(_ index: Int, _ refusal: Refusal) {
        let document = job.documents[index]
        switch steps[index] {
        case .copied(let target, _): _ = discard(target, published: nil, document)
        case .published(let target, let name, _, _): _ = discard(target, published: name, document)
        case .setAside(let target, let name, _, _, let source):
            if discard(target, published: name, document) { putBack(source, document) }
        case .begun, .recorded, .ended: break
        }
        steps[index] = .ended(.refused(refusal.outcome))
    }

    /// Takes a copy away; false where something of it stays for recovery.
    mutating func discard(_ target: CopyTarget, published: FileName?, _ document: CopyDocument) -> Bool {
        do throws(SyscallError) {
            try target.discard(published: published, document)
            return true
        } catch {
            job.journal.keep()
            report.notices.append("the remains of a copy could not be removed now: \(error)")
            return false
        }
    }

    private mutating func putBack(_ source: FileName, _ document: CopyDocument) {
        guard source != document.name else { return }
        do throws(SyscallError) {
            try SourceRemoval.putBack(source, as: document.name, in: document.folder)
        } catch {
            if error.errno.isAbsent { return }
            job.journal.keep()
            report.notices.append("\(document.template.source) could not be given its name back now: \(error)")
        }
    }

    private mutating func clearJournal() {
        do throws(SyscallError) { try job.journal.clear() } catch { stateFailed("the journal", error) }
    }

    mutating func stateFailed(_ file: String, _ error: SyscallError) {
        report.stateFailure = CopyJob.StateFailure(file: file, error: error)
    }
}
