import InboxLinux
import Synchronization

/// A thread that does jobs one after the other, beside a test.
package final class Worker<Job: Sendable, Outcome: Sendable>: Sendable {
    private struct State {
        var jobs: [Job] = []
        var outcomes: [Outcome] = []
        var isEnding = false
    }

    private let state = Mutex(State())
    private let work: @Sendable (Job) -> Outcome
    private let wake: Bell

    /// Starts the thread; signals are blocked in it.
    package init(_ work: @escaping @Sendable (Job) -> Outcome) throws(SyscallError) {
        self.work = work
        wake = try Bell()
        try BackgroundThread.start { [self] in run() }
    }

    /// Hands over a job.
    package func begin(_ job: Job) {
        state.withLock { $0.jobs.append(job) }
        wake.ring()
    }

    /// Takes what was done since the last call, in order.
    package func finished() -> [Outcome] {
        state.withLock { state in
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    /// Lets the thread end after the jobs it has.
    package func end() {
        state.withLock { $0.isEnding = true }
        wake.ring()
    }

    private func run() {
        while true {
            wake.awaitRing()
            while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
                let outcome = work(job)
                state.withLock { $0.outcomes.append(outcome) }
            }
            if state.withLock({ $0.isEnding && $0.jobs.isEmpty }) { return }
        }
    }
}
