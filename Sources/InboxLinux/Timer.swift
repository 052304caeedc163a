import CInboxLinux
import Glibc

/// One alarm on the monotonic clock: timerfd_create(2).
public struct Timer: ~Copyable {
    /// The descriptor, for epoll(7).
    public let descriptor: FileDescriptor
    private var armed = Instant.never

    /// A timer that is not set.
    public init() throws(SyscallError) {
        descriptor = FileDescriptor(owning: try systemCall(.timerfdCreate) { inbox_timerfd() })
    }

    /// Sets the alarm, in place of the one before; `Instant.never` for none. Nothing is called where nothing changes.
    public mutating func set(_ moment: Instant) throws(SyscallError) {
        guard moment != armed else { return }
        // 0 would disarm: a moment that has passed is an alarm now.
        let nanoseconds = moment == .never ? 0 : max(1, moment.nanoseconds)
        _ = try systemCall(.timerfdSet) { inbox_timerfd_set(descriptor.number, nanoseconds) }
        armed = moment
    }

    /// Takes note that the alarm rang.
    public mutating func acknowledge() throws(SyscallError) {
        armed = .never
        try descriptor.drainCounter()
    }
}

/// A bell that any thread can ring to wake another: eventfd(2).
public struct Bell: ~Copyable, Sendable {
    /// The descriptor, for epoll(7).
    public let descriptor: FileDescriptor

    /// A silent bell.
    public init() throws(SyscallError) {
        descriptor = FileDescriptor(owning: try systemCall(.eventfd) { inbox_eventfd() })
    }

    /// Wakes who waits for the bell.
    public func ring() throws(SyscallError) {
        var one: UInt64 = 1
        do throws(SyscallError) {
            _ = try systemCall(.write) { Glibc.write(descriptor.number, &one, 8) }
        } catch  where error.errno == .again {
            // The counter is full: the bell is ringing as loudly as it can.
        }
    }

    /// Silences it.
    public func silence() throws(SyscallError) { try descriptor.drainCounter() }
}

extension FileDescriptor {
    /// Reads the 8-byte counter of a timerfd or eventfd, so that it is no longer readable.
    func drainCounter() throws(SyscallError) {
        var counter: UInt64 = 0
        do throws(SyscallError) {
            _ = try systemCall(.read) { Glibc.read(number, &counter, 8) }
        } catch  where error.errno == .again {
            // Nothing had been counted.
        }
    }
}
