import InboxFiling
import InboxLinux

/// Three lanes of the pool.
///
/// Small documents have a lane of their own, so that none waits for the syncs or the copy of a package or a large file.
/// So have those whose comparison with others takes long, which somebody can make last for ever.
/// The lanes outlive the use of a state folder, and so does a job that hangs.
class Lanes {
    /// The lane of small documents.
    let small: Lane
    /// The lane of packages and large documents, one a job.
    let large: Lane
    /// The lane of documents whose comparison takes long, one a job.
    let comparing: Lane
    /// A document of this many bytes is large.
    private let limit: UInt64

    /// Lanes of a pool whose jobs are done by this.
    init(
        of pool: FairPool, large limit: UInt64,
        _ work: @escaping @Sendable (FilingWork) -> FilingWork.Report = { $0.perform() }
    ) {
        small = Lane(of: pool, work)
        large = Lane(of: pool, work)
        comparing = Lane(of: pool, work)
        self.limit = limit
    }

    /// A job is under way.
    var isBusy: Bool { small.isBusy || large.isBusy || comparing.isBusy }

    /// The number of documents that are waiting.
    var queuedCount: Int { small.queue.count + large.queue.count + comparing.queue.count }

    /// A document that is waiting could begin at once.
    var hasRoom: Bool { small.hasRoom || large.hasRoom || comparing.hasRoom }

    /// A document waits.
    func append(_ request: FilingRequest) { lane(of: request.status.size, request.isPackage).queue.append(request) }

    /// The lane of a document of this size.
    func lane(of size: UInt64, _ isPackage: Bool = false) -> Lane {
        isPackage || size >= limit ? large : small
    }

    /// Takes all documents that wait.
    func takeAll() -> [FilingRequest] {
        small.queue.takeAll() + large.queue.takeAll() + comparing.queue.takeAll()
    }

    /// When a job will have taken so long that it may hang.
    var nextSuspicion: Instant { min(small.suspicion, large.suspicion, comparing.suspicion) }

    /// Goes on without the jobs that may hang.
    func leaveHanging(at now: Instant) {
        for lane in [small, large, comparing] { lane.leaveHanging(at: now) }
    }

    /// Takes what jobs have come to.
    func takeReports() -> [FilingWork.Report] { small.takeReports() + large.takeReports() + comparing.takeReports() }
}
