import InboxLinux
import Synchronization

/// The threads for everything that leaves the loop: what waits for a disk, for a server, or for another program.
///
/// The loop owns the pool and is the only one to call it. A thread gets a `Sendable` closure, and what that returns is
/// handed to whoever began it, on the loop again. How much of a kind is done at once is the concern of a ``PoolLane``.
package final class FairPool {
    /// The pause before another thread is tried after one could not be created.
    private static let pause = Duration.seconds(1)

    private let threads: PoolThreads
    private var receivers: [Int: () -> Void] = [:]
    private var last = 0
    private var nextTry = Instant(nanoseconds: 0)

    /// Starts the first thread; signals are blocked in all of them.
    package init() throws(SyscallError) { threads = try PoolThreads() }

    deinit { threads.end() }

    /// Lends the descriptor that is readable when there is something to take.
    package func withBell<Failure: Error>(
        _ body: (borrowing FileDescriptor) throws(Failure) -> Void
    ) throws(Failure) { try body(threads.bell.descriptor) }

    /// Waits until there is something to take, though no longer than until this instant.
    func awaitFinished(until end: Instant) { threads.bell.awaitRing(until: end) }

    /// Begins a job on a thread, and hands what it returns to the loop.
    func begin<Value: Sendable>(_ work: @escaping @Sendable () -> Value, then take: @escaping (Value) -> Void) {
        begin(reporting: { _ in work() }, then: take)
    }

    /// Begins a job that also reports while it goes on. Nothing bounds the number of its reports but the job.
    func begin<Value: Sendable>(
        reporting work: @escaping @Sendable (_ report: @escaping @Sendable (Value) -> Void) -> Value,
        then take: @escaping (Value) -> Void
    ) {
        Self.assertOnLoop()
        last += 1
        let number = last
        let values = PoolValues<Value>()
        receivers[number] = { for value in values.takeAll() { take(value) } }
        threads.perform { [threads] in
            let value = work { value in
                values.add(value)
                threads.note(number, isOver: false)
            }
            values.add(value)
            threads.note(number, isOver: true)
        }
    }

    /// Hands what jobs have returned and reported since the last call to those who began them, in its order.
    package func takeFinished() throws(SyscallError) {
        Self.assertOnLoop()
        for (number, isOver) in try threads.takeNews() {
            guard let receive = isOver ? receivers.removeValue(forKey: number) : receivers[number] else { continue }
            receive()
        }
    }

    /// When a thread is tried again that could not be had; `never` while no job waits for one.
    package var nextDeadline: Instant { threads.isShort ? nextTry : .never }

    /// Tries again to start a thread for jobs that wait, where that is due.
    package func proceed(at now: Instant) {
        guard nextDeadline <= now else { return }
        nextTry = now + Self.pause
        threads.start()
    }

    /// Traps in a debug build where it is called on a thread of a pool: what the loop owns is touched by the loop alone.
    package static func assertOnLoop() {
        assert(!PoolThreads.isCurrent, "the loop's state is touched by another thread")
    }
}

/// The values that a job has returned and reported, until the loop takes them.
private final class PoolValues<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    func add(_ value: Value) { values.withLock { $0.append(value) } }

    func takeAll() -> [Value] {
        values.withLock { values in
            defer { values = [] }
            return values
        }
    }
}
