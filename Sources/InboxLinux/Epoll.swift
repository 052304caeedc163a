import CInboxLinux
import Glibc

/// The readiness of a descriptor.
package struct Readiness: OptionSet, Sendable {
    /// The bits of epoll_ctl(2).
    package let rawValue: UInt32

    /// Takes any bits.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Bytes, a connection or an event can be read.
    package static var readable: Readiness { Readiness(rawValue: inbox_epoll_in) }
    /// Bytes can be written.
    package static var writable: Readiness { Readiness(rawValue: inbox_epoll_out) }
    /// An exceptional condition: a change of the mounts.
    package static var priority: Readiness { Readiness(rawValue: inbox_epoll_priority) }
    /// An error is pending; always reported.
    package static var error: Readiness { Readiness(rawValue: inbox_epoll_error) }
    /// The peer has hung up; always reported.
    package static var hangup: Readiness { Readiness(rawValue: inbox_epoll_hangup) }
}

/// An epoll(7) instance. Its tokens are generations that are never used twice, so that an event which was already
/// queued when its descriptor closed cannot reach the descriptor's successor.
package struct Epoll: ~Copyable {
    /// One registration.
    package struct Token: Hashable, Sendable {
        let number: UInt64
    }

    private let descriptor: FileDescriptor
    private var last: UInt64 = 0
    private var ready = [inbox_epoll_event](repeating: inbox_epoll_event(), count: 64)

    /// An instance that waits for nothing.
    package init() throws(SyscallError) {
        descriptor = FileDescriptor(owning: try systemCall(.epollCreate) { inbox_epoll_create() })
    }

    /// Waits for a descriptor from now on.
    package mutating func add(
        _ other: borrowing FileDescriptor, for readiness: Readiness
    ) throws(SyscallError) -> Token {
        last += 1
        let (number, token) = (other.number, last)
        _ = try systemCall(.epollControl) {
            inbox_epoll_add(descriptor.number, number, readiness.rawValue, token)
        }
        return Token(number: token)
    }

    /// Changes what a registered descriptor is waited for.
    package func change(
        _ other: borrowing FileDescriptor, _ token: Token, to readiness: Readiness
    ) throws(SyscallError) {
        let number = other.number
        _ = try systemCall(.epollControl) {
            inbox_epoll_change(descriptor.number, number, readiness.rawValue, token.number)
        }
    }

    /// Waits for a descriptor no longer.
    package func remove(_ other: borrowing FileDescriptor) throws(SyscallError) {
        let number = other.number
        _ = try systemCall(.epollControl) { inbox_epoll_remove(descriptor.number, number) }
    }

    /// Hands over what is ready, at most 64 at a time; waits for the first where `blocking` says so.
    package mutating func wait(blocking: Bool, _ body: (Token, Readiness) -> Void) throws(SyscallError) {
        let count = try systemCall(.epollWait) {
            inbox_epoll_wait(descriptor.number, &ready, Int32(ready.count), blocking ? -1 : 0)
        }
        for event in ready[..<Int(count)] {
            body(Token(number: event.token), Readiness(rawValue: event.events))
        }
    }
}
