import InboxFiling
import InboxLinux

/// Three workers of one kind, and what waits for them.
///
/// Small documents have a worker of their own, so that none waits for the syncs or the copy of a package or a large file.
/// So have those whose comparison with others takes long, which somebody can make last for ever.
/// The lanes outlive the use of a state folder, and so does a job that hangs.
class Lanes<Job: Sendable, Report: Sendable> {
    /// The lane of small documents.
    let small: Lane<Job, Report>
    /// The lane of packages and large documents, one a job.
    let large: Lane<Job, Report>
    /// The lane of documents whose comparison takes long, one a job.
    let comparing: Lane<Job, Report>
    /// A document of this many bytes is large.
    private let limit: UInt64

    /// Lanes whose workers do this with their jobs.
    init(large limit: UInt64, _ work: @escaping @Sendable (Job) -> Report) throws(SyscallError) {
        small = try Lane(work)
        large = try Lane(work)
        comparing = try Lane(work)
        self.limit = limit
    }

    /// Lends the descriptors that are readable when a worker has finished something.
    func withBells<Failure: Error>(_ body: (borrowing FileDescriptor) throws(Failure) -> Void) throws(Failure) {
        try body(small.jobs.worker.bell.descriptor)
        try body(large.jobs.worker.bell.descriptor)
        try body(comparing.jobs.worker.bell.descriptor)
    }

    /// Whether a job is under way.
    var isBusy: Bool { small.isBusy || large.isBusy || comparing.isBusy }

    /// How many documents wait.
    var queuedCount: Int { small.queue.count + large.queue.count + comparing.queue.count }

    /// Whether a document that waits could begin at once.
    var hasRoom: Bool { small.hasRoom || large.hasRoom || comparing.hasRoom }

    /// A document waits.
    func append(_ request: FilingRequest) { lane(of: request.status.size, request.isPackage).queue.append(request) }

    /// The lane of a document of this size.
    func lane(of size: UInt64, _ isPackage: Bool = false) -> Lane<Job, Report> {
        isPackage || size >= limit ? large : small
    }

    /// Takes all documents that wait.
    func takeAll() -> [FilingRequest] {
        small.queue.takeAll() + large.queue.takeAll() + comparing.queue.takeAll()
    }

    /// When a job will have taken so long that its worker may hang.
    var nextSuspicion: Instant {
        min(small.jobs.suspicion, large.jobs.suspicion, comparing.jobs.suspicion)
    }

    /// Goes on without the threads that may hang.
    func replaceHungThreads(at now: Instant) {
        small.replaceHungThread(at: now)
        large.replaceHungThread(at: now)
        comparing.replaceHungThread(at: now)
    }

    /// Takes what the workers have finished.
    func takeFinished(_ body: (Report) -> Void) throws(SyscallError) {
        for report in try small.finished() { body(report) }
        for report in try large.finished() { body(report) }
        for report in try comparing.finished() { body(report) }
    }

    /// Leaves what the workers have finished until ``remind()``.
    func postpone() throws(SyscallError) {
        for lane in [small, large, comparing] { try lane.jobs.worker.postpone() }
    }

    /// Rings where something was left.
    func remind() {
        for lane in [small, large, comparing] { lane.jobs.worker.remind() }
    }
}
