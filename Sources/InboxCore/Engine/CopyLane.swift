import InboxFiling
import InboxLinux

/// What a copy lane's worker does.
enum CopyWork: Sendable {
    /// Brings documents to another filesystem.
    case claim(ClaimJob)
    /// Ends what an interruption has left.
    case recover(Recovery)
    /// Puts a filed document back.
    case undo(UndoJob)

    /// What came of it.
    enum Report: Sendable {
        case claimed(ClaimJob.Report)
        case recovered(Recovery.Findings)
        case undone(UndoJob.Report)
    }

    func perform() -> Report {
        switch self {
        case .claim(let job): .claimed(job.perform())
        case .recover(let recovery): .recovered(recovery.perform())
        case .undo(let job): .undone(job.perform())
        }
    }
}

/// One worker that copies, and what waits for it.
struct CopyLane {
    /// The worker; it has one job at a time.
    let worker: Worker<CopyWork, CopyWork.Report>
    /// The requests that wait for it.
    var queue = OwnerQueue()
    /// The requests of the job that is under way, in its order.
    private var underWay: [FilingRequest] = []
    /// Whether it has a job.
    private(set) var isBusy = false

    init() throws(SyscallError) {
        worker = try Worker { $0.perform() }
    }

    /// Whether a copy could begin at once.
    var hasRoom: Bool { !isBusy && !queue.isEmpty }

    /// Begins a job.
    mutating func begin(_ work: CopyWork, for requests: [FilingRequest] = []) {
        assert(!isBusy, "a job is under way")
        underWay = requests
        isBusy = true
        worker.begin(work)
    }

    /// The job that it has finished, with its requests; nil where it has finished none.
    mutating func finished() throws(SyscallError) -> (report: CopyWork.Report, requests: [FilingRequest])? {
        guard let report = try worker.finished().first else { return nil }
        defer { underWay = [] }
        isBusy = false
        return (report, underWay)
    }
}
