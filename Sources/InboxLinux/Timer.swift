import CInboxLinux
import Glibc

/// One alarm on the monotonic clock: timerfd_create(2).
package struct Timer: ~Copyable {
    /// The descriptor, for epoll(7).
    package let descriptor: FileDescriptor
    private var armed = Instant.never

    /// A timer that is not set.
    package init() throws(SyscallError) {
        descriptor = FileDescriptor(owning: try systemCall(.timerfdCreate) { inbox_timerfd() })
    }

    /// Sets the alarm, in place of the one before; `Instant.never` for none. Nothing is called where nothing changes.
    package mutating func set(_ moment: Instant) throws(SyscallError) {
        guard moment != armed else { return }
        // 0 would disarm: a moment that has passed is an alarm now.
        let nanoseconds = moment == .never ? 0 : max(1, moment.nanoseconds)
        _ = try systemCall(.timerfdSet) { inbox_timerfd_set(descriptor.number, nanoseconds) }
        armed = moment
    }

    /// Takes note that the alarm rang.
    package mutating func acknowledge() throws(SyscallError) {
        armed = .never
        try descriptor.drainCounter()
    }
}

/// A bell that any thread can ring to wake another: eventfd(2).
package struct Bell: ~Copyable, Sendable {
    /// The descriptor, for epoll(7).
    package let descriptor: FileDescriptor

    /// A silent bell.
    package init() throws(SyscallError) {
        descriptor = FileDescriptor(owning: try systemCall(.eventfd) { inbox_eventfd() })
    }

    /// Wakes whichever thread waits for the bell.
    ///
    /// Nothing can fail: the descriptor is open as long as the bell is there, and a counter that is full rings already.
    package func ring() {
        var one: UInt64 = 1
        _ = Glibc.write(descriptor.number, &one, 8)
    }

    /// Silences it.
    /// - Returns: whether it was ringing.
    @discardableResult
    package func silence() throws(SyscallError) -> Bool { try descriptor.drainCounter() }
}

extension FileDescriptor {
    /// Reads the 8-byte counter of a timerfd or eventfd, so that it is no longer readable.
    /// - Returns: whether something had been counted.
    @discardableResult
    func drainCounter() throws(SyscallError) -> Bool {
        var counter: UInt64 = 0
        do throws(SyscallError) {
            _ = try systemCall(.read) { Glibc.read(number, &counter, 8) }
            return true
        } catch  where error.errno == .again {
            return false
        }
    }
}
