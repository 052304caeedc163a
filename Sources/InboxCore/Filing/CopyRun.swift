import InboxLinux

/// One run of a ``CopyJob``: which document has come how far.
struct CopyRun {
    /// How far a document has come.
    enum Step {
        case begun
        case copied(CopyTarget, lost: [String])
        case published(CopyTarget, FileName, FiledRecord, lost: [String])
        case recorded(FiledRecord, lost: [String])
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
        for document in job.documents { release(document) }
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
        if let target { discard(target, published: published) }
        steps[index] = .ended(.refused(refusal.outcome))
    }

    mutating func discard(_ target: CopyTarget, published: FileName?) {
        do throws(SyscallError) { try target.discard(published: published) } catch {
            job.journal.keep()
            report.notices.append("the remains of a copy could not be removed now: \(error)")
        }
    }

    /// Gives a lease back before its descriptor closes; one that is gone already is as good.
    private func release(_ document: CopyDocument) {
        guard document.isLeased else { return }
        do throws(SyscallError) { try ReadLease.release(document.file.descriptor) } catch {
            // Closing the descriptor gives it back as well.
        }
    }

    private mutating func clearJournal() {
        do throws(SyscallError) { try job.journal.clear() } catch { stateFailed("the journal", error) }
    }

    mutating func stateFailed(_ file: String, _ error: SyscallError) {
        report.stateFailure = CopyJob.StateFailure(file: file, error: error)
    }
}
