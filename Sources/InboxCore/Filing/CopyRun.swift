import InboxLinux

/// One run of a ``CopyJob``: which document has come how far.
struct CopyRun {
    /// How far a document has come.
    enum Step {
        case begun
        case copied(CopyTarget, lost: [String])
        case published(CopyTarget, FileName, FiledRecord, lost: [String])
        case recorded(CopyTarget, FiledRecord, lost: [String])
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
        record()
        removeSources()
        for document in job.documents { document.releaseLease() }
        clearJournal()
        report.results = steps.map { step in
            if case .ended(let result) = step { result } else { .refused(.changed) }
        }
    }

    /// Ends a document's way before anything stands at its destination: the copy is taken away.
    mutating func refuse(_ index: Int, _ refusal: Refusal) {
        let (target, published): (CopyTarget?, FileName?) =
            switch steps[index] {
            case .copied(let target, _): (target, nil)
            case .published(let target, let name, _, _): (target, name)
            case .begun, .recorded, .ended: (nil, nil)
            }
        if let target { discard(target, published: published, job.documents[index]) }
        steps[index] = .ended(.refused(refusal.outcome))
    }

    mutating func discard(_ target: CopyTarget, published: FileName?, _ document: CopyDocument) {
        do throws(SyscallError) { try target.discard(published: published, document) } catch {
            job.journal.keep()
            report.notices.append("the remains of a copy could not be removed now: \(error)")
        }
    }

    private mutating func clearJournal() {
        do throws(SyscallError) { try job.journal.clear() } catch { stateFailed("the journal", error) }
    }

    mutating func stateFailed(_ file: String, _ error: SyscallError) {
        report.stateFailure = CopyJob.StateFailure(file: file, error: error)
    }
}
