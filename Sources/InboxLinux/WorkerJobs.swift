/// The jobs that a worker has: one, besides those that hang on a mount whose server does not answer. Each of those has
/// the thread to itself that began it, and has an outcome when the server answers again.
package struct WorkerJobs {
    /// A job that takes longer than this may hang.
    private static let patience = Duration.seconds(1)
    /// A worker has no more threads that hang.
    private static let mostReplaced = 8

    private var count = 0
    private var hasReplaced = false
    private var begun = Instant(nanoseconds: 0)

    package init() {}

    /// Whether the worker has a job, less those that hang.
    package func isBusy<Job, Outcome>(_ worker: Worker<Job, Outcome>) -> Bool {
        count > (hasReplaced ? worker.replacedCount : 0)
    }

    /// A job was handed to the worker.
    package mutating func noteBegun() {
        count += 1
        begun = .now()
    }

    /// So many jobs have ended.
    package mutating func noteFinished(_ ended: Int, by worker: Worker<some Any, some Any>) {
        count -= ended
        if hasReplaced, worker.replacedCount == 0 { hasReplaced = false }
    }

    /// When the job will have taken so long that it may hang.
    package func suspicion(of worker: Worker<some Any, some Any>) -> Instant {
        isBusy(worker) ? begun + Self.patience : .never
    }

    /// Goes on with another thread where the job has taken that long.
    package mutating func replaceThread(of worker: Worker<some Any, some Any>, at now: Instant) {
        guard suspicion(of: worker) <= now, !hasReplaced || worker.replacedCount < Self.mostReplaced else { return }
        do throws(SyscallError) {
            try worker.replaceThread()
            hasReplaced = true
        } catch {
            // No thread could be had: what waits goes on waiting, and it is tried again.
        }
    }
}
