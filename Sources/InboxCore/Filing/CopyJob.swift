import InboxLinux

/// Copies documents to another filesystem, on a worker: several small ones share their syncs, a large one goes alone.
///
/// Each step rests on the one before. Contents and attributes reach the disk; the journal tells the marks of the
/// copies; they get their names, of which none is ever replaced; the folders reach the disk; the sources are set aside
/// under a name that nobody else uses; the history tells; the sources go; their folders reach the disk; the journal is
/// cleared. Until the history tells, everything can be taken back, and the source is what it was.
struct CopyJob: Sendable {
    /// What came of one document.
    enum Result: Sendable {
        /// It is at its destination, recorded, and its source is gone.
        case filed(FiledRecord, lost: [String])
        /// It is at its destination and recorded, but what stands in the Inbox now must stay, for this reason.
        case doubled(FiledRecord, lost: [String], Outcome)
        /// Nothing has happened.
        case refused(Outcome)
    }

    /// A failure of the state folder: which file, and why.
    struct StateFailure: Sendable {
        let file: String
        let error: SyscallError
    }

    /// What came of all, in the order of the job.
    struct Report: Sendable {
        var results: [Result] = []
        var stateFailure: StateFailure?
        var notices: [String] = []

        /// Whether anything was recorded, so that the state folder works.
        var hasRecorded: Bool {
            results.contains { result in
                if case .refused = result { false } else { true }
            }
        }
    }

    let documents: [CopyDocument]
    let journal: CopyJournal
    let history: History
    let isDurable: Bool
    let abort: CopyAbort
    /// Known from one job to the next.
    var nameless = NamelessFilesystems()

    /// Does the job.
    func perform() -> Report {
        var run = CopyRun(self)
        run.perform()
        return run.report
    }
}
