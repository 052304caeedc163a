import InboxLinux

/// Waits on one thread for descriptors and a deadline, and calls their handlers.
final class EventLoop {
    private var epoll: Epoll
    private var timer: Timer
    private var alarm: Epoll.Token?
    private var handlers: [Epoll.Token: (Readiness) -> Void] = [:]

    init() throws(SyscallError) {
        epoll = try Epoll()
        timer = try Timer()
        alarm = try epoll.add(timer.descriptor, for: .readable)
    }

    /// Calls the handler whenever the descriptor is ready.
    func add(
        _ descriptor: borrowing FileDescriptor, for readiness: Readiness, _ handler: @escaping (Readiness) -> Void
    ) throws(SyscallError) -> Epoll.Token {
        let token = try epoll.add(descriptor, for: readiness)
        handlers[token] = handler
        return token
    }

    /// Waits for something else from now on.
    func change(
        _ descriptor: borrowing FileDescriptor, _ token: Epoll.Token, to readiness: Readiness
    ) throws(SyscallError) {
        try epoll.change(descriptor, token, to: readiness)
    }

    /// Waits for the descriptor no longer; it must still be open.
    func remove(_ descriptor: borrowing FileDescriptor, _ token: Epoll.Token) throws(SyscallError) {
        handlers[token] = nil
        try epoll.remove(descriptor)
    }

    /// Waits until something is ready or the deadline has come, and calls the handlers.
    func turn(until deadline: Instant) throws(SyscallError) {
        let isDue = deadline <= .now()
        if !isDue { try timer.set(deadline) }
        var ready: [(Epoll.Token, Readiness)] = []
        try epoll.wait(blocking: !isDue) { ready.append(($0, $1)) }
        for (token, readiness) in ready {
            if token == alarm {
                try timer.acknowledge()
            } else {
                handlers[token]?(readiness)
            }
        }
    }
}
