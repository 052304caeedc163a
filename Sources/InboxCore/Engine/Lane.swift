import InboxFiling
import InboxLinux

/// A lane of the pool, and the requests that wait for it.
///
/// A job that is one user's document may take hours. Another user's need not wait for that: once it has waited for a
/// second it goes on beside it, as long as there are not too many.
final class Lane {
    private let jobs: PoolLane
    /// The requests that wait for it.
    var queue = OwnerQueue<FilingRequest>()
    /// The documents that wait to be put back: the users who ask for it take turns, and so do these and the requests, so that
    /// no user's undos delay all copies, nor the other way round.
    var undos = OwnerQueue<UndoJob>()
    /// The last job put a document back: then a request that waits is next.
    private(set) var wasUndo = false
    private let work: @Sendable (FilingWork) -> FilingWork.Report
    private var reports: [FilingWork.Report] = []

    /// A lane whose jobs are done by this.
    init(of pool: FairPool, _ work: @escaping @Sendable (FilingWork) -> FilingWork.Report) {
        self.work = work
        jobs = PoolLane(of: pool)
    }

    /// A job is under way that does not seem to hang.
    var isBusy: Bool { jobs.isBusy }

    /// A job could begin at once.
    var isFree: Bool { jobs.isFree }

    /// The users whose documents are being worked on: no second one of theirs begins.
    var owners: Set<UInt32> { jobs.owners }

    /// When a job will have taken so long that it may hang.
    var suspicion: Instant { jobs.suspicion }

    /// A request that waits could begin at once.
    var hasRoom: Bool { isFree && queue.hasOwner(besides: owners) }

    /// Takes the next request of a user who has no job, where the lane is free.
    func takeOne() -> [FilingRequest]? { isFree ? queue.popFirst(besides: owners).map { [$0] } : nil }

    /// Begins a job, where the lane is free.
    /// - Parameter owners: whose documents it has; none where several users share it for a moment.
    func begin(_ job: FilingWork, of owners: Set<UInt32> = []) {
        switch job {
        case .undo: wasUndo = true
        case .file: wasUndo = false
        case .mirror, .recover: break
        }
        jobs.begin(of: owners) { [work] in
            work(job)
        } then: { [weak self] in
            self?.reports.append($0)
        }
    }

    /// Takes what jobs have come to. A job that hung until the state folder was lost has come to something as well, which
    /// the next filing takes.
    func takeReports() -> [FilingWork.Report] {
        defer { reports = [] }
        return reports
    }

    /// When a request of another user has waited for long enough to go on beside the job that is under way.
    func nextSharing(isAwaited: Bool = false) -> Instant {
        jobs.nextSharing(isAwaited: isAwaited || queue.hasOwner(besides: owners))
    }
    /// Lets another job begin beside one that takes long.
    func share(at now: Instant) { jobs.share(at: now) }

    /// Goes on without the jobs that may hang.
    func leaveHanging(at now: Instant) { jobs.leaveHanging(at: now) }
}
