import InboxLinux

/// A bound on how many jobs of one kind are under way in a pool at once.
///
/// One that hangs on a mount whose server does not answer is left out of the count, and so is one that takes long while a
/// job of other users waits: neither keeps the others from beginning, as long as there are not too many of them.
package final class PoolLane {
    private enum Standing {
        /// It counts against the bound.
        case counted
        /// It goes on beside the others, whose users it keeps from a second job.
        case beside
        /// It seems to hang, and nobody waits for its end.
        case hanging
    }

    /// A job that is under way.
    private struct Begun {
        /// Whose documents it has; none where several users share it for a moment.
        let owners: Set<UInt32>
        /// From then on it may hang.
        let suspicion: Instant
        var standing = Standing.counted
    }

    /// A job that takes longer than this may hang.
    private static let patience = Duration.seconds(1)
    /// The pause after one job was left out of the count before another is.
    private static let pause = Duration.seconds(1)
    /// Jobs: no more go on beside those that count.
    private static let mostUncounted = 8

    private let pool: FairPool
    private let most: Int
    private var jobs: [Int: Begun] = [:]
    private var last = 0
    private var nextTry = Instant(nanoseconds: 0)

    /// A lane of a pool with so many jobs at once.
    package init(of pool: FairPool, most: Int = 1) {
        self.pool = pool
        self.most = most
    }

    private var counted: some Collection<Begun> { jobs.values.filter { $0.standing == .counted } }

    private var mayLeaveOne: Bool { jobs.count - counted.count < Self.mostUncounted }

    /// A job is under way that does not seem to hang.
    var isBusy: Bool { jobs.values.contains { $0.standing != .hanging } }

    /// A job could begin at once.
    package var isFree: Bool { counted.count < most }

    /// The users whose documents are being worked on: no second job of theirs begins.
    package var owners: Set<UInt32> {
        jobs.values.reduce(into: []) { if $1.standing != .hanging { $0.formUnion($1.owners) } }
    }

    /// The number of jobs that proceed beside those that count.
    package var uncountedCount: Int { jobs.count - counted.count }

    /// When a job will have taken so long that it may hang.
    var suspicion: Instant { counted.map(\.suspicion).min() ?? .never }

    /// Begins a job, where the lane is free.
    /// - Parameter owners: whose documents it has; none where several users share it for a moment.
    package func begin<Report: Sendable>(
        of owners: Set<UInt32> = [], _ work: @escaping @Sendable () -> Report, then take: @escaping (Report) -> Void
    ) {
        let number = add(owners)
        pool.begin(work) { [weak self] report in
            self?.jobs[number] = nil
            take(report)
        }
    }

    /// Begins a job that reports while it goes on; nil is reported when it is over.
    package func begin<Report: Sendable>(
        of owners: Set<UInt32>, reporting work: @escaping @Sendable (@escaping @Sendable (Report?) -> Void) -> Void,
        then take: @escaping (Report?) -> Void
    ) {
        let number = add(owners)
        pool.begin(
            reporting: { report in
                work(report)
                return nil
            }
        ) { [weak self] (report: Report?) in
            if report == nil { self?.jobs[number] = nil }
            take(report)
        }
    }

    private func add(_ owners: Set<UInt32>) -> Int {
        last += 1
        jobs[last] = Begun(owners: owners, suspicion: .now() + Self.patience)
        return last
    }

    /// Leaves out of account what may hang, since a mount does not answer: it ends when that does.
    func leaveHanging(at now: Instant) {
        for (number, job) in jobs where job.suspicion <= now && (job.standing == .beside || mayLeaveOne) {
            jobs[number]?.standing = .hanging
        }
    }

    /// When a job of another user has waited for long enough to go on beside the one that is under way.
    /// - Parameter isAwaited: whether one waits.
    package func nextSharing(isAwaited: Bool) -> Instant {
        isAwaited && !isFree && mayLeaveOne ? max(suspicion, nextTry) : .never
    }

    /// Lets another job begin beside one that takes long.
    package func share(at now: Instant) {
        nextTry = now + Self.pause
        guard mayLeaveOne else { return }
        let longest = jobs.filter { $0.value.standing == .counted && $0.value.suspicion <= now }
            .min { $0.value.suspicion < $1.value.suspicion }
        if let longest { jobs[longest.key]?.standing = .beside }
    }
}
