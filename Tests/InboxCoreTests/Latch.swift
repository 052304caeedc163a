import Glibc
import Synchronization

/// Holds a worker up.
final class Latch: Sendable {
    private let isOpen = Mutex(true)

    func set(_ isOpen: Bool) { self.isOpen.withLock { $0 = isOpen } }

    /// Waits until it is open.
    func pass() { while !isOpen.withLock({ $0 }) { sched_yield() } }
}
