import InboxFiling
import InboxLinux

/// The work of a lane's worker.
enum FilingWork: Sendable {
    /// Files documents, or discards them.
    case file(FilingJob)
    /// Creates the empty folders of trees.
    case mirror(FolderMirroring)
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
        case .file(let job): .filed(job.perform())
        case .mirror(let folders): .filed(folders.perform())
        case .recover(let recovery, let number): .recovered(recovery.perform(), number)
        case .undo(let job): .undone(job.perform())
        }
    }
}
