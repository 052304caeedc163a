/// A worker and the jobs that it has: one, besides those that hang on a mount whose server does not answer. Each of those
/// has the thread to itself that began it, and has an outcome when the server answers again.
package struct WorkerJobs<Job: Sendable, Outcome: Sendable> {
    /// A job that takes longer than this may hang.
    private static var patience: Duration { .seconds(1) }
    /// A worker has no more threads that hang.
    private static var mostReplaced: Int { 8 }

    /// The worker, which gets its jobs here.
    package let worker: Worker<Job, Outcome>
    private var count = 0
    private var hasReplaced = false
    private var begun = Instant(nanoseconds: 0)

    package init(_ worker: Worker<Job, Outcome>) {
        self.worker = worker
    }

    /// Whether there is a job, less those that hang.
    package var isBusy: Bool { count > (hasReplaced ? worker.replacedCount : 0) }

    /// Hands over a job.
    package mutating func begin(_ job: Job) {
        worker.begin(job)
        count += 1
        begun = .now()
    }

    /// What was done since the last call, in order.
    package mutating func finished() throws(SyscallError) -> [Outcome] {
        let outcomes = try worker.finished()
        count -= outcomes.count
        if hasReplaced, worker.replacedCount == 0 { hasReplaced = false }
        return outcomes
    }

    /// Whether there may be one more thread beside those that hang.
    package var mayReplace: Bool { !hasReplaced || worker.replacedCount < Self.mostReplaced }

    /// When the job will have taken so long that it may hang.
    package var suspicion: Instant { isBusy ? begun + Self.patience : .never }

    /// Goes on with another thread where the job has taken that long.
    package mutating func replaceHungThread(at now: Instant) {
        guard suspicion <= now, mayReplace else { return }
        do throws(SyscallError) {
            try worker.replaceThread()
            hasReplaced = true
        } catch {
            // No thread could be had: what waits goes on waiting, and it is tried again.
        }
    }
}
