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
    let worker: Worker<(number: Int, work: CopyWork), (number: Int, report: CopyWork.Report)>
    /// The requests that wait for it.
    var queue = OwnerQueue()
    /// The requests of each job that is under way, in its order.
    private var underWay: [Int: [FilingRequest]] = [:]
    private var jobs = WorkerJobs()
    private var lastNumber = 0

    init() throws(SyscallError) {
        worker = try Worker { ($0.number, $0.work.perform()) }
    }

    /// Whether it has a job, less those that hang.
    var isBusy: Bool { jobs.isBusy(worker) }

    /// When its job will have taken so long that it may hang.
    var suspicion: Instant { jobs.suspicion(of: worker) }

    /// Goes on with another thread where the job has taken that long.
    mutating func replaceHungWorker(at now: Instant) { jobs.replaceThread(of: worker, at: now) }

    /// Whether a copy could begin at once.
    var hasRoom: Bool { !isBusy && !queue.isEmpty }

    /// Begins a job.
    mutating func begin(_ work: CopyWork, for requests: [FilingRequest] = []) {
        assert(!isBusy, "a job is under way")
        lastNumber += 1
        underWay[lastNumber] = requests
        worker.begin((lastNumber, work))
        jobs.noteBegun()
    }

    /// The jobs that it has finished, with their requests.
    mutating func finished() throws(SyscallError) -> [(report: CopyWork.Report, requests: [FilingRequest])] {
        let ended = try worker.finished()
        jobs.noteFinished(ended.count, by: worker)
        return ended.map { ($0.report, underWay.removeValue(forKey: $0.number) ?? []) }
    }
}
