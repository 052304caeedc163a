import InboxLinux

/// The control socket as the loop waits for it, with a descriptor in reserve for when there is none left.
struct ControlListener: ~Copyable {
    private var socket: ControlSocket
    private var token: Epoll.Token?
    /// Given up to take a connection when there is no other descriptor.
    private var spare: FileDescriptor?

    init(_ socket: consuming ControlSocket) throws(SyscallError) {
        self.socket = socket
        spare = try FileDescriptor.reading(path: Self.nothing)
    }

    private static let nothing = BytePath("/dev/null")

    /// Waits for connections from now on.
    mutating func begin(in loop: EventLoop, _ handler: @escaping (Readiness) -> Void) throws(SyscallError) {
        token = try loop.add(socket.listener.descriptor, for: .readable, handler)
    }

    /// Gives the socket's name another mode.
    mutating func adopt(mode: UInt32) throws(SyscallError) { try socket.adopt(mode: mode) }

    /// Waits no longer, and removes the socket's name.
    mutating func end(in loop: EventLoop) throws(SyscallError) {
        if let token { try loop.remove(socket.listener.descriptor, token) }
        token = nil
        try socket.remove()
    }

    /// The next connection; nil where none waits.
    mutating func accept() throws(SyscallError) -> UnixSocket? {
        // Another thread took the descriptor while the spare one was closed.
        if spare == nil { spare = try FileDescriptor.reading(path: Self.nothing) }
        return try socket.listener.accept()
    }

    /// Lends the next connection, if one waits, in the place of the spare descriptor, and closes it.
    mutating func withSpare(
        _ body: (borrowing UnixSocket) throws(SyscallError) -> Void
    ) throws(SyscallError) {
        spare = nil
        // What the body throws leaves without a spare one too, until the next connection is taken.
        if let accepted = try socket.listener.accept() { try body(accepted) }
        spare = try FileDescriptor.reading(path: Self.nothing)
    }
}
