import CInboxLinux
import Glibc
import Synchronization

/// A thread that does jobs one after the other, for what can block for long: syncs and copies.
///
/// `finished()` returns the results; the bell becomes readable when there is one. A long job may have interim results.
package final class Worker<Job: Sendable, Outcome: Sendable>: Sendable {
    private struct State {
        var jobs: [Job] = []
        var outcomes: [Outcome] = []
        /// Whether the bell rings, or is about to.
        var isRinging = false
        var isEnding = false
        /// The number of the thread that does the jobs; one with another number has been replaced.
        var thread = 0
        /// Whether that thread has a job.
        var isWorking = false
        /// How many threads were replaced and still do their last job.
        var replacedCount = 0
    }

    private let state = Mutex(State())
    private let work: @Sendable (_ job: Job, _ report: @escaping (Outcome) -> Void) -> Outcome
    private let wake: Bell
    /// Rings when a job was done.
    package let bell: Bell

    /// Starts the thread; signals are blocked in it.
    package convenience init(_ work: @escaping @Sendable (Job) -> Outcome) throws(SyscallError) {
        try self.init(reporting: { job, _ in work(job) })
    }

    /// Starts the thread; signals are blocked in it.
    ///
    /// - Parameter work: does a job, and may report interim results while it does. Nothing bounds their number but `work`.
    package init(
        reporting work: @escaping @Sendable (_ job: Job, _ report: @escaping (Outcome) -> Void) -> Outcome
    ) throws(SyscallError) {
        self.work = work
        wake = try Bell()
        bell = try Bell()
        try BackgroundThread.start { [self] in run(0) }
    }

    // Bells ring when the lock has been given back: whoever wakes on another processor would only spin for it.

    /// Hands over a job.
    package func begin(_ job: Job) {
        state.withLock { $0.jobs.append(job) }
        wake.ring()
    }

    /// What was done since the last call, in order.
    package func finished() throws(SyscallError) -> [Outcome] {
        guard state.withLock({ $0.isRinging }) else { return [] }
        let wasRinging = try bell.silence()
        return state.withLock { state in
            // If the bell had not rung yet it rings later for nothing, which costs one more call of this function.
            if wasRinging { state.isRinging = false }
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    /// Silences the bell and leaves what was done until ``remind()``: nobody can take it now.
    package func postpone() throws(SyscallError) {
        if try bell.silence() { state.withLock { $0.isRinging = false } }
    }

    /// Rings where something waits that was postponed.
    package func remind() {
        let isDue = state.withLock { state in
            guard !state.isRinging, !state.outcomes.isEmpty else { return false }
            state.isRinging = true
            return true
        }
        if isDue { bell.ring() }
    }

    /// How many threads were replaced and still do their last job.
    package var replacedCount: Int { state.withLock { $0.replacedCount } }

    /// Starts another thread in the place of one whose job hangs: that thread ends when it has done the job, which has
    /// an outcome like any other.
    package func replaceThread() throws(SyscallError) {
        try state.withLock { (state) throws(SyscallError) in
            guard state.isWorking else { return }
            let number = state.thread + 1
            try BackgroundThread.start { [self] in run(number) }
            state.thread = number
            state.isWorking = false
            state.replacedCount += 1
        }
        wake.ring()
    }

    /// Lets the thread end after the jobs it has.
    package func end() {
        state.withLock { $0.isEnding = true }
        wake.ring()
    }

    private func run(_ number: Int) {
        while true {
            wake.awaitRing()
            while let job = takeJob() {
                let outcome = work(job) { [self] in add($0) }
                guard add(outcome, of: number) else { return }
            }
            if state.withLock({ $0.isEnding && $0.jobs.isEmpty }) { return }
        }
    }

    private func takeJob() -> Job? {
        state.withLock { state in
            guard !state.jobs.isEmpty else { return nil }
            state.isWorking = true
            return state.jobs.removeFirst()
        }
    }

    /// Adds the outcome of a thread's job; whether the thread goes on, since it was not replaced.
    private func add(_ outcome: Outcome, of number: Int) -> Bool {
        add(outcome) { state in
            if state.thread == number { state.isWorking = false } else { state.replacedCount -= 1 }
            return state.thread == number
        }
    }

    @discardableResult
    private func add(_ outcome: Outcome, _ note: (inout State) -> Bool = { _ in true }) -> Bool {
        let (isSilent, goesOn) = state.withLock { state in
            let goesOn = note(&state)
            state.outcomes.append(outcome)
            defer { state.isRinging = true }
            return (!state.isRinging, goesOn)
        }
        if isSilent { bell.ring() }
        return goesOn
    }
}

/// Threads for what blocks until somebody else is done.
package enum BackgroundThread {
    /// Starts a thread that does this and ends; signals are blocked in it.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SyscallError) {
        let context = Unmanaged.passRetained(ThreadStart(body)).toOpaque()
        do throws(SyscallError) {
            _ = try systemCall(.threadCreate) {
                inbox_thread_start(
                    { context in
                        guard let context else { return }
                        Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body()
                    }, context)
            }
        } catch {
            Unmanaged<ThreadStart>.fromOpaque(context).release()
            throw error
        }
    }
}

/// What a new thread does, as an object whose address can pass through C.
private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

extension Bell {
    /// Sleeps until the bell rings, and silences it: poll(2) without a timeout.
    package func awaitRing() {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        // Only signals, and a kernel that is short of memory for a moment, let it fail.
        while poll(&entry, 1, -1) <= 0 { sched_yield() }
        drain()
    }

    /// Sleeps until the bell rings or this instant: poll(2).
    package func awaitRing(until end: Instant) {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, end.pollTimeout)
    }

    private func drain() {
        var counter: UInt64 = 0
        _ = Glibc.read(descriptor.number, &counter, 8)
    }
}
