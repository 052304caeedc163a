import InboxFiling
import InboxLinux

/// A worker, and the requests that wait for it.
///
/// A job that is one user's document may take hours. Another user's need not wait for that: once it has waited for a
/// second it gets a thread of its own, as long as there are not too many.
final class Lane<Job: Sendable, Report: Sendable> {
    /// Something of a job of this number.
    typealias Numbered<Value> = (number: Int, value: Value)

    /// A job that is under way.
    private struct Begun {
        /// Whose documents it has; none where several users share it for a moment.
        let owners: Set<UInt32>
        /// From then on it may hang.
        let suspicion: Instant
    }

    /// How long after a thread could not be had the next one is tried.
    private static var pause: Duration { .seconds(1) }

    /// The worker, with the jobs that it has.
    private(set) var jobs: WorkerJobs<Numbered<Job>, Numbered<Report>>
    /// The requests that wait for it.
    var queue = OwnerQueue<FilingRequest>()
    /// Those that are under way, less those that may hang.
    private var begun: [Int: Begun] = [:]
    private var lastNumber = 0
    private var nextTry = Instant(nanoseconds: 0)

    init(_ work: @escaping @Sendable (Job) -> Report) throws(SyscallError) {
        jobs = WorkerJobs(try Worker { job in (job.number, work(job.value)) })
    }

    /// Whether a job is under way that does not seem to hang.
    var isBusy: Bool { jobs.isBusy || !begun.isEmpty }

    /// Whether a job could begin at once.
    var isFree: Bool { !jobs.isBusy }

    /// The users whose documents are being worked on: no second one of theirs begins.
    var owners: Set<UInt32> { begun.values.reduce(into: []) { $0.formUnion($1.owners) } }

    /// Whether a request that waits could begin at once.
    var hasRoom: Bool { isFree && queue.hasOwner(besides: owners) }

    /// Takes the next request of a user who has no job, where the worker is free.
    func takeOne() -> [FilingRequest]? { isFree ? queue.popFirst(besides: owners).map { [$0] } : nil }

    /// Begins a job, where the worker is free.
    /// - Parameter owners: whose documents it has; none where several users share it for a moment.
    func begin(_ job: Job, of owners: Set<UInt32> = []) {
        lastNumber += 1
        jobs.begin((lastNumber, job))
        begun[lastNumber] = Begun(owners: owners, suspicion: jobs.suspicion)
    }

    /// What was done since the last call.
    func finished() throws(SyscallError) -> [Report] {
        try jobs.finished().map { report in
            begun[report.number] = nil
            return report.value
        }
    }

    /// Goes on without the jobs that may hang.
    func replaceHungThread(at now: Instant) {
        jobs.replaceHungThread(at: now)
        begun = begun.filter { $0.value.suspicion > now }
    }

    /// When a request of another user has waited for long enough to get a thread of its own.
    /// - Parameter isAwaited: whether one waits elsewhere.
    func nextSharing(isAwaited: Bool = false) -> Instant {
        guard jobs.isBusy, jobs.mayReplace, isAwaited || queue.hasOwner(besides: owners) else { return .never }
        return max(jobs.suspicion, nextTry)
    }

    /// Goes on with another thread, beside the job that is under way.
    func share(at now: Instant) {
        nextTry = now + Self.pause
        jobs.replaceHungThread(at: now)
    }
}
