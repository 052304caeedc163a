import CInboxLinux
import Glibc
import Synchronization

/// A thread that does jobs one after the other, for what can block for long: syncs and copies.
///
/// Results come back through `finished()`; the bell rings when there is one to fetch.
public final class Worker<Job: Sendable, Outcome: Sendable>: Sendable {
    private struct State {
        var jobs: [Job] = []
        var outcomes: [Outcome] = []
        var isEnding = false
    }

    private let state = Mutex(State())
    private let work: @Sendable (Job) -> Outcome
    private let wake: Bell
    /// Rings when a job was done.
    public let bell: Bell

    /// Starts the thread; signals are blocked in it.
    public init(_ work: @escaping @Sendable (Job) -> Outcome) throws(SyscallError) {
        self.work = work
        wake = try Bell()
        bell = try Bell()
        let context = Unmanaged.passRetained(ThreadStart { [self] in run() }).toOpaque()
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

    /// Hands over a job. Where that fails the job is not done, now or later.
    public func begin(_ job: Job) throws(SyscallError) {
        // Under the lock the worker cannot take the job before it is known that the bell has rung.
        let failure: SyscallError? = state.withLock { state in
            state.jobs.append(job)
            do throws(SyscallError) {
                try wake.ring()
                return nil
            } catch {
                // Left there it would be done a second time, whenever the next job rings.
                state.jobs.removeLast()
                return error
            }
        }
        if let failure { throw failure }
    }

    /// What was done since the last call, in order.
    public func finished() throws(SyscallError) -> [Outcome] {
        try bell.silence()
        return state.withLock { state in
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    /// Lets the thread end after the jobs it has.
    public func end() throws(SyscallError) {
        state.withLock { $0.isEnding = true }
        try wake.ring()
    }

    private func run() {
        while true {
            wake.awaitRing()
            while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
                let outcome = work(job)
                state.withLock { $0.outcomes.append(outcome) }
                bell.ringFromWorker()
            }
            if state.withLock({ $0.isEnding && $0.jobs.isEmpty }) { return }
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
    fileprivate func awaitRing() {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, -1) <= 0 {}
        drain()
    }

    private func drain() {
        var counter: UInt64 = 0
        _ = Glibc.read(descriptor.number, &counter, 8)
    }

    /// Rings from the worker's thread, which the fault plan of the tests does not reach.
    fileprivate func ringFromWorker() {
        var one: UInt64 = 1
        _ = Glibc.write(descriptor.number, &one, 8)
    }
}
