import InboxFiling
import InboxLinux

/// The lanes of copies, and what waits for them.
typealias CopyLanes = Lanes<CopyWork, CopyWork.Report>

/// What the worker of a copy lane does.
enum CopyWork: Sendable {
    /// Brings documents to another filesystem.
    case claim(ClaimJob)
    /// Ends what an interruption has left, and reports it under this number.
    case recover(Recovery, RecordID)
    /// Puts a filed document back.
    case undo(UndoJob)

    /// What came of it.
    enum Report: Sendable {
        case claimed(ClaimJob.Report)
        case recovered(Recovery.Findings, RecordID)
        case undone(UndoJob.Report)
    }

    func perform() -> Report {
        switch self {
        case .claim(let job): .claimed(job.perform())
        case .recover(let recovery, let number): .recovered(recovery.perform(), number)
        case .undo(let job): .undone(job.perform())
        }
    }
}
