import InboxLinux
import Synchronization

/// The threads of a pool. One that has nothing to do waits for the next job, as long as few others do.
final class PoolThreads: Sendable {
    private struct State {
        /// Those that no thread has taken.
        var jobs: [@Sendable () -> Void] = []
        /// So many threads wait for their next job, and have not been woken.
        var idle = 0
        /// The jobs that have reported something or are over, by their numbers.
        var news: [(number: Int, isOver: Bool)] = []
        /// A thread could not be had for a job that waits.
        var isShort = false
        var isEnding = false
    }

    /// So many threads that have nothing to do are kept.
    private static let mostIdle = 4
    /// The threads of all pools.
    private static let all = Mutex<Set<UInt>>([])

    private let state = Mutex(State())
    /// Wakes one of the threads that wait.
    private let wake = Semaphore(0)
    /// Rings when there is news.
    let bell: Bell

    /// Starts the first thread: without one nothing can be done.
    init() throws(SyscallError) {
        bell = try Bell()
        try BackgroundThread.start { [self] in run() }
    }

    /// The calling thread belongs to a pool.
    static var isCurrent: Bool { all.withLock { $0.contains(BackgroundThread.current) } }

    /// A job waits for a thread that could not be had.
    var isShort: Bool { state.withLock { $0.isShort && !$0.jobs.isEmpty } }

    /// Hands a job to a thread that has none, or to a new one.
    func perform(_ job: @escaping @Sendable () -> Void) {
        let isTaken = state.withLock { state in
            state.jobs.append(job)
            guard state.idle > 0 else { return false }
            state.idle -= 1
            return true
        }
        if isTaken { wake.post() } else { start() }
    }

    /// Starts one more thread. Where none can be had the job waits for one of the others.
    func start() {
        var isShort = false
        do throws(SyscallError) { try BackgroundThread.start { [self] in run() } } catch { isShort = true }
        state.withLock { $0.isShort = isShort }
    }

    /// Lets the threads end after the jobs that there are.
    func end() {
        let idle = state.withLock { state in
            state.isEnding = true
            defer { state.idle = 0 }
            return state.idle
        }
        for _ in 0..<idle { wake.post() }
    }

    /// Notes that a job has reported something or is over.
    func note(_ number: Int, isOver: Bool) {
        let isFirst = state.withLock { state in
            state.news.append((number, isOver))
            return state.news.count == 1
        }
        // Whoever wakes on another processor would only spin for the lock.
        if isFirst { bell.ring() }
    }

    /// Takes the news, and silences the bell.
    func takeNews() throws(SyscallError) -> [(number: Int, isOver: Bool)] {
        // First: what is noted from here on rings again, or is taken below, and then the bell may ring once for nothing.
        _ = try bell.silence()
        return state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }

    private func run() {
        let identity = BackgroundThread.current
        _ = Self.all.withLock { $0.insert(identity) }
        defer { _ = Self.all.withLock { $0.remove(identity) } }
        repeat {
            while let job = takeJob() { job() }
        } while rest()
    }

    private func takeJob() -> (@Sendable () -> Void)? {
        state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    }

    /// Waits until there may be a job; false where the thread is not needed any more.
    private func rest() -> Bool {
        let waits: Bool? = state.withLock { state in
            guard state.jobs.isEmpty else { return false }
            guard !state.isEnding, state.idle < Self.mostIdle else { return nil }
            state.idle += 1
            return true
        }
        if waits == true { wake.wait() }
        return waits != nil
    }
}
