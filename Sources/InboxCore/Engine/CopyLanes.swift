import InboxFiling
import InboxLinux

/// The two workers that copy, and what waits for them.
///
/// Small documents have a worker of their own, so that none waits for a package or a large file. The lanes outlive the
/// use of a state folder, and so does a job that hangs: its requests are found when it ends.
final class CopyLanes {
    /// One of the two.
    enum Lane {
        case small
        case large
    }

    /// A job has so many documents at most, and so many bytes unless it has one document only.
    private static let most = 64
    private static let mostBytes: UInt64 = 16 << 20
    /// So many requests wait here at most; the others wait in the intake.
    private static let mostWaiting = 512

    private var small: CopyLane
    private var large: CopyLane
    /// The documents that are to be put back, in the order in which somebody asked for them.
    private var undos: [UndoJob] = []

    init() throws(SyscallError) {
        small = try CopyLane()
        large = try CopyLane()
    }

    /// Lends the descriptors that are readable when a worker has finished something.
    func withBells<Failure: Error>(_ body: (borrowing FileDescriptor) throws(Failure) -> Void) throws(Failure) {
        try body(small.worker.bell.descriptor)
        try body(large.worker.bell.descriptor)
    }

    /// Whether a job is under way.
    var isBusy: Bool { small.isBusy || large.isBusy }

    /// Whether no job is under way or waits.
    var isIdle: Bool { !isBusy && small.queue.isEmpty && large.queue.isEmpty && undos.isEmpty }

    /// How many documents wait to be copied.
    var queuedCount: Int { small.queue.count + large.queue.count }

    /// Whether so few documents wait that others are taken.
    var takesMore: Bool { queuedCount < Self.mostWaiting }

    /// Whether the worker of small documents has nothing to do.
    var isSmallFree: Bool { !small.isBusy }

    /// Whether a copy that waits could begin at once.
    var hasRoom: Bool { small.hasRoom || large.hasRoom }

    /// A document waits to be copied.
    func append(_ request: FilingRequest) {
        if request.isPackage || request.status.size >= Self.mostBytes {
            large.queue.append(request)
        } else {
            small.queue.append(request)
        }
    }

    /// Takes the next copies for a worker that is free; nil where it is not, or nothing waits for it.
    func take(for lane: Lane) -> [FilingRequest]? {
        switch lane {
        case .small: small.hasRoom ? small.queue.take(most: Self.most, bytes: Self.mostBytes) : nil
        case .large: large.hasRoom ? large.queue.take(most: 1, bytes: Self.mostBytes) : nil
        }
    }

    /// Takes all copies that wait.
    func takeAll() -> [FilingRequest] { small.queue.takeAll() + large.queue.takeAll() }

    /// Begins to copy, on a worker that is free.
    func begin(_ job: ClaimJob, for requests: [FilingRequest], in lane: Lane) {
        switch lane {
        case .small: small.begin(.claim(job), for: requests)
        case .large: large.begin(.claim(job), for: requests)
        }
    }

    /// Begins to end what an interruption has left, on the worker of small documents, which is free.
    func begin(_ recovery: Recovery) { small.begin(.recover(recovery)) }

    /// A document waits to be put back.
    func append(_ job: UndoJob) { undos.append(job) }

    /// Whether a document could be put back at once.
    var hasUndo: Bool { undos.contains { canBegin($0) } }

    /// Begins to put documents back, as long as workers are free.
    func beginUndos() {
        while let index = undos.firstIndex(where: { canBegin($0) }) {
            let job = undos.remove(at: index)
            if Self.isLarge(job) { large.begin(.undo(job)) } else { small.begin(.undo(job)) }
        }
    }

    /// Takes what waits to be put back.
    func takeUndos() -> [UndoJob] {
        defer { undos = [] }
        return undos
    }

    private func canBegin(_ job: UndoJob) -> Bool { Self.isLarge(job) ? !large.isBusy : !small.isBusy }

    private static func isLarge(_ job: UndoJob) -> Bool { job.order.size >= mostBytes }

    /// When a job will have taken so long that its worker may hang.
    var nextSuspicion: Instant { min(small.suspicion, large.suspicion) }

    /// Goes on without the workers that may hang.
    func replaceHungWorkers(at now: Instant) {
        small.replaceHungWorker(at: now)
        large.replaceHungWorker(at: now)
    }

    /// The jobs that a lane's worker has finished, with their requests.
    func finished(
        in lane: Lane
    ) throws(SyscallError) -> [(report: CopyWork.Report, requests: [FilingRequest])] {
        switch lane {
        case .small: try small.finished()
        case .large: try large.finished()
        }
    }
}
