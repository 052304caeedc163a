import InboxFiling
import InboxLinux

/// The work of a lane's worker.
enum FilingWork: Sendable {
    /// Files documents by one rename each.
    case file(FilingBatch)
    /// Creates the empty folders of trees.
    case mirror(FolderMirroring)
    /// Brings documents to another filesystem, or discards them.
    case claim(ClaimJob)
    /// Records what moved earlier, when the history could not be written.
    case record(MovedDocuments, any FilingLog)
    /// Ends what an interruption has left, and reports it under this number.
    case recover(Recovery, RecordID)
    /// Puts a filed document back.
    case undo(UndoJob)

    /// The result of the work.
    enum Report: Sendable {
        case filed(FilingReport)
        case recovered(Recovery.Findings, RecordID)
        case undone(UndoJob.Report)
    }

    func perform() -> Report {
        switch self {
        case .file(let batch): return .filed(batch.perform())
        case .mirror(let folders): return .filed(folders.perform())
        case .claim(let job): return .filed(job.perform())
        case .record(let moved, let log):
            var report = FilingReport(recordingAgain: moved)
            FilingBatch.record(log, &report)
            return .filed(report)
        case .recover(let recovery, let number): return .recovered(recovery.perform(), number)
        case .undo(let job): return .undone(job.perform())
        }
    }
}
