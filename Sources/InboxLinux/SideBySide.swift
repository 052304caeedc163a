import Synchronization

/// Jobs that wait for the disk, done by several threads at once.
///
/// A disk serves everybody who waits with the same flush, and a filesystem with the same transaction: 32 threads with an
/// fsync(2) each take hardly longer than one.
package enum SideBySide {
    /// Fewer jobs than this are done one after the other: starting threads would not pay.
    package static let fewest = 8
    /// The most threads that there are for this, beside those of the callers.
    private static let most = 31
    private static let threads = Mutex(0)

    /// Does all jobs, some of them in the calling thread, and returns what came of each, in their order.
    ///
    /// Where no thread can be had the calling one does more of them.
    package static func map<Job: Sendable, Result: Sendable>(
        _ jobs: [Job], _ body: @escaping @Sendable (Job) -> Result
    ) -> [Result] {
        guard jobs.count >= fewest else { return jobs.map(body) }
        let bell: Bell
        do throws(SyscallError) { bell = try Bell() } catch { return jobs.map(body) }
        let run = SharedRun(jobs, body, bell)
        for _ in 0..<min(most, jobs.count - 1) where take() {
            run.add()
            do throws(SyscallError) {
                try BackgroundThread.start {
                    run.work()
                    giveBack()
                    run.leave()
                }
            } catch {
                giveBack()
                run.leave()
                break
            }
        }
        run.work()
        return run.results()
    }

    private static func take() -> Bool {
        threads.withLock { threads in
            guard threads < most else { return false }
            threads += 1
            return true
        }
    }

    private static func giveBack() { threads.withLock { $0 -= 1 } }
}

/// Jobs that several threads take one by one.
private final class SharedRun<Job: Sendable, Result: Sendable>: Sendable {
    private struct State {
        var next = 0
        var results: [Result?]
        /// The threads, beside the caller's, that are still at work.
        var threads = 0
        var isAwaited = false
    }

    private let jobs: [Job]
    private let body: @Sendable (Job) -> Result
    private let bell: Bell
    private let state: Mutex<State>

    init(_ jobs: [Job], _ body: @escaping @Sendable (Job) -> Result, _ bell: consuming Bell) {
        self.jobs = jobs
        self.body = body
        self.bell = bell
        state = Mutex(State(results: Array(repeating: nil, count: jobs.count)))
    }

    func add() { state.withLock { $0.threads += 1 } }

    /// A thread has done its last job.
    func leave() {
        let isLast = state.withLock { state in
            state.threads -= 1
            return state.threads == 0 && state.isAwaited
        }
        if isLast { bell.ring() }
    }

    func work() {
        while let index = take() {
            let result = body(jobs[index])
            state.withLock { $0.results[index] = result }
        }
    }

    private func take() -> Int? {
        state.withLock { state in
            guard state.next < jobs.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Waits for the other threads, and takes what all have done.
    func results() -> [Result] {
        let isWaiting = state.withLock { state in
            state.isAwaited = state.threads > 0
            return state.isAwaited
        }
        if isWaiting { bell.awaitRing() }
        return state.withLock { $0.results.compactMap { $0 } }
    }
}
