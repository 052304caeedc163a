import InboxFiling
import InboxLinux

/// What a lane's worker does.
enum BatchJob: Sendable {
    /// Files documents.
    case file(FilingBatch)
    /// Discards documents that are identical to others.
    case discard(DiscardBatch)
    /// Records what moved earlier, when the history could not be written.
    case record(MovedDocuments, any FilingLog)

    var documentCount: Int {
        switch self {
        case .file(let batch): batch.documentCount
        case .discard, .record: 0
        }
    }

    func perform() -> BatchReport {
        switch self {
        case .file(let batch): return batch.perform()
        case .discard(let batch): return batch.perform()
        case .record(let moved, let log):
            var report = BatchReport(recordingAgain: moved)
            FilingBatch.record(log, &report)
            return report
        }
    }
}

/// One worker that files batches, and what waits for it.
struct BatchLane {
    /// The worker.
    let worker: Worker<BatchJob, BatchReport>
    /// The requests that wait for it.
    var queue = OwnerQueue()
    /// Whether it has a job.
    private(set) var isBusy = false

    init() throws(SyscallError) {
        worker = try Worker { $0.perform() }
    }

    /// How many documents the job has that is under way.
    private var documentCount = 0

    /// Whether a job is under way that will take a while, since it has many documents.
    var isFilingMany: Bool { isBusy && documentCount >= 64 }

    /// Whether a job could begin at once.
    var hasRoom: Bool { !isBusy && !queue.isEmpty }

    mutating func begin(_ job: BatchJob) {
        worker.begin(job)
        isBusy = true
        documentCount = job.documentCount
    }

    /// What it has finished.
    mutating func finished() throws(SyscallError) -> [BatchReport] {
        let reports = try worker.finished()
        if !reports.isEmpty { isBusy = false }
        return reports
    }
}
