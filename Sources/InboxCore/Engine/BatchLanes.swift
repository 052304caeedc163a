import InboxFiling
import InboxLinux

/// The two workers that file batches, and what waits for them.
///
/// Small documents have a worker of their own, so that none waits for the syncs of a package or a large file. The lanes
/// outlive the use of a state folder, and so does a job that hangs.
final class BatchLanes {
    /// One of the two.
    enum Lane {
        case small
        case large
    }

    /// At most this many documents are in one batch that shares its syncs.
    private static let most = 512
    /// At most this many are in one that has none to share: nobody is answered while the loop takes its outcomes.
    private static let mostRelaxed = 128
    /// So many requests are taken from the intake at once.
    static let portion = mostRelaxed
    /// At most this many bytes are in one batch of several documents: their syncs delay the next batch.
    private static let mostBytes: UInt64 = 64 << 20
    /// A document of this many bytes does not share a batch.
    private static let large: UInt64 = 8 << 20
    /// At most this many documents are discarded at once.
    private static let mostDiscards = 64

    private var small: BatchLane
    private var large: BatchLane
    /// What is identical to a document at its destination, and is discarded when the large lane is free.
    private var identical: [IdenticalDocument] = []
    /// How many documents are open at once, where descriptors are short.
    private var mostAtOnce: Int?
    /// What needs no worker.
    var brief = BriefFiling()

    init() throws(SyscallError) {
        small = try BatchLane()
        large = try BatchLane()
    }

    /// Lends the descriptors that are readable when a worker has finished something.
    func withBells<Failure: Error>(_ body: (borrowing FileDescriptor) throws(Failure) -> Void) throws(Failure) {
        try body(small.worker.bell.descriptor)
        try body(large.worker.bell.descriptor)
    }

    /// Whether a batch is under way.
    var isBusy: Bool { small.isBusy || large.isBusy }

    /// Whether the worker of small documents has a batch.
    var isFilingSmall: Bool { small.isBusy }

    /// Whether nothing waits for a worker.
    var isEmpty: Bool { small.queue.isEmpty && large.queue.isEmpty && identical.isEmpty }

    /// How many documents wait to be filed.
    var queuedCount: Int { small.queue.count + large.queue.count }

    /// Whether so few small documents wait that others are taken.
    var takesMore: Bool { small.queue.count < mostSmall }

    private var mostSmall: Int {
        small.queue.first?.settings.durability == .relaxed ? Self.mostRelaxed : Self.most
    }

    /// Whether something that waits could begin at once.
    var hasRoom: Bool { small.hasRoom || large.hasRoom || (!identical.isEmpty && !large.isBusy) }

    /// While many documents are being filed, waits for the end of their batch, though no longer than until this instant.
    func awaitBatch(until end: Instant) {
        if small.isFilingMany { small.worker.bell.awaitRing(until: end) }
    }

    /// A document waits to be filed.
    func append(_ request: FilingRequest) {
        if request.isPackage || request.status.size >= Self.large {
            large.queue.append(request)
        } else {
            small.queue.append(request)
        }
    }

    /// A batch of small documents did not get to these.
    func putBack(_ requests: [FilingRequest]) { small.queue.putBack(requests) }

    /// Documents wait to be discarded.
    func append(identical documents: [IdenticalDocument]) { identical += documents }

    /// Takes the next batch of small documents, where its worker is free and some wait.
    func takeSmall() -> [FilingRequest]? {
        guard small.hasRoom else { return nil }
        let requests = small.queue.take(most: min(mostAtOnce ?? Self.most, mostSmall), bytes: Self.mostBytes)
        // A server that hangs keeps a whole batch waiting: no document that lies elsewhere shares it.
        guard let first = requests.first, requests.contains(where: { $0.isShared != first.isShared }) else {
            return requests
        }
        for request in requests where request.isShared != first.isShared { small.queue.append(request) }
        return requests.filter { $0.isShared == first.isShared }
    }

    /// Takes the next large document or package, where its worker is free and one waits.
    func takeLarge() -> [FilingRequest]? {
        guard large.hasRoom else { return nil }
        return large.queue.take(most: 1, bytes: Self.mostBytes)
    }

    /// Takes what is to be discarded next, where the large lane's worker is free and something waits.
    func takeIdentical() -> [IdenticalDocument]? {
        guard !identical.isEmpty, !large.isBusy else { return nil }
        let documents = Array(identical.prefix(Self.mostDiscards))
        identical.removeFirst(documents.count)
        return documents
    }

    /// When a job will have taken so long that its worker may hang.
    var nextSuspicion: Instant { min(small.suspicion, large.suspicion) }

    /// Goes on without the workers that may hang.
    func replaceHungWorkers(at now: Instant) {
        small.replaceHungWorker(at: now)
        large.replaceHungWorker(at: now)
    }

    /// Takes everything that waits.
    func takeAll() -> [FilingRequest] {
        defer { identical = [] }
        return small.queue.takeAll() + large.queue.takeAll() + identical.map(\.document.request)
    }

    /// Begins a job on a worker that is free.
    func begin(_ job: BatchJob, in lane: Lane) {
        switch lane {
        case .small: small.begin(job)
        case .large: large.begin(job)
        }
    }

    /// What a lane's worker has finished.
    func finished(in lane: Lane) throws(SyscallError) -> [BatchReport] {
        switch lane {
        case .small: try small.finished()
        case .large: try large.finished()
        }
    }

    /// A batch found that only so many documents can be open at once (nil: as many as it had).
    func note(mostAtOnce most: Int?) {
        if let most {
            mostAtOnce = most
        } else if let now = mostAtOnce {
            mostAtOnce = now * 2 < Self.most ? now * 2 : nil
        }
    }
}

/// One worker that files batches, and what waits for it.
private struct BatchLane {
    /// The worker.
    let worker: Worker<BatchJob, BatchReport>
    /// The requests that wait for it.
    var queue = OwnerQueue()
    /// The jobs that it has.
    private var jobs = WorkerJobs()

    init() throws(SyscallError) {
        worker = try Worker { $0.perform() }
    }

    /// Whether it has a job, less those that hang.
    var isBusy: Bool { jobs.isBusy(worker) }

    /// When its job will have taken so long that it may hang.
    var suspicion: Instant { jobs.suspicion(of: worker) }

    /// Goes on with another thread where the job has taken that long.
    mutating func replaceHungWorker(at now: Instant) { jobs.replaceThread(of: worker, at: now) }

    /// How many documents the job has that is under way.
    private var documentCount = 0

    /// Whether a job is under way that will take a while, since it has many documents.
    var isFilingMany: Bool { isBusy && documentCount >= 64 }

    /// Whether a job could begin at once.
    var hasRoom: Bool { !isBusy && !queue.isEmpty }

    mutating func begin(_ job: BatchJob) {
        worker.begin(job)
        jobs.noteBegun()
        documentCount = job.documentCount
    }

    /// What it has finished.
    mutating func finished() throws(SyscallError) -> [BatchReport] {
        let reports = try worker.finished()
        jobs.noteFinished(reports.count, by: worker)
        return reports
    }
}
