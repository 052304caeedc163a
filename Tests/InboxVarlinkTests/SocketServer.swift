import Glibc
import InboxLinux
import InboxTestSupport
import InboxVarlink

/// A service on a real socket, served by one thread as the daemon does it: epoll, one turn at a time.
final class SocketServer: @unchecked Sendable {
    let path: [UInt8]
    private let listener: UnixListener
    private let stopping: Bell
    private let make: @Sendable () throws -> Service
    private var thread: Worker<Int, Bool>?

    init(_ make: @escaping @Sendable () throws -> Service) throws {
        path = (try TestRun.current.makeFolder() / "socket").bytes
        listener = try UnixListener(path: path, mode: 0o600)
        stopping = try Bell()
        self.make = make
        let thread = try Worker<Int, Bool> { [unowned self] _ in
            do {
                try run()
                return true
            } catch {
                return false
            }
        }
        thread.begin(0)
        self.thread = thread
    }

    /// Ends the thread and removes the socket; returns whether the thread ran without an error.
    func stop() throws -> Bool {
        stopping.ring()
        var outcomes: [Bool] = []
        while outcomes.isEmpty {
            outcomes = try thread?.finished() ?? [false]
            sched_yield()
        }
        thread?.end()
        let text = String(decoding: path, as: UTF8.self)
        unlink(text)
        rmdir(String(text.dropLast("/socket".count)))
        return outcomes == [true]
    }

    private func run() throws {
        let service = try make()
        var epoll = try Epoll()
        let listening = try epoll.add(listener.descriptor, for: .readable)
        let end = try epoll.add(stopping.descriptor, for: .readable)
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
