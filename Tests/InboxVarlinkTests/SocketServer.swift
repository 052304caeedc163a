import Glibc
import InboxLinux
import InboxTestSupport
import InboxVarlink

/// A service on a real socket, served by one thread as the daemon does it: epoll, one turn at a time.
final class SocketServer: @unchecked Sendable {
    let address: SocketAddress
    private let listener: UnixListener
    private let make: @Sendable () throws -> Service
    private var thread: ServingThread?

    var path: BytePath { address.path }

    init(_ make: @escaping @Sendable () throws -> Service) throws {
        guard let address = SocketAddress(BytePath(try TestRun.current.makeFolder() / "socket")) else {
            throw ClientError.noAddress
        }
        self.address = address
        listener = try UnixListener(at: address, mode: 0o600)
        self.make = make
        thread = try ServingThread { [unowned self] stopping in try run(until: stopping) }
    }

    /// Ends the thread and removes the socket; returns whether the thread ran without an error.
    func stop() throws -> Bool {
        let isWhole = try thread?.stop() ?? false
        unlink(path.displayText)
        rmdir(path.parent?.displayText ?? "")
        return isWhole
    }

    private func run(until stopping: borrowing FileDescriptor) throws {
        let service = try make()
        var epoll = try Epoll()
        let listening = try epoll.add(listener.descriptor, for: .readable)
        let end = try epoll.add(stopping, for: .readable)
        var connections: [Epoll.Token: ServerConnection] = [:]
        while true {
            var ready: [Epoll.Token] = []
            try epoll.wait(blocking: true) { token, _ in ready.append(token) }
            for token in ready {
                if token == end { return }
                if token == listening {
                    while let socket = try listener.accept() {
                        let connection = ServerConnection(socket)
                        connections[try epoll.add(connection.socket.descriptor, for: connection.interest)] = connection
                    }
                } else if let connection = connections[token] {
                    connection.serve(with: service)
                    if connection.isFinished {
                        connections[token] = nil
                    } else {
                        try epoll.change(connection.socket.descriptor, token, to: connection.interest)
                    }
                }
            }
        }
    }
}
