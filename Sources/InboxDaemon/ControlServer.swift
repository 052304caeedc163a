import InboxCore
import InboxLinux
import InboxVarlink

/// Serves the control socket: accepts, reads, has the service answer, writes. A slow or silent client costs the others
/// nothing, since nobody is ever waited for.
final class ControlServer {
    /// One client and how the loop knows it.
    private final class Client {
        let connection: ServerConnection
        let user: UInt32
        var token: Epoll.Token?
        var interest: Readiness = .readable

        /// Whether it may do what changes something.
        var mayChange: Bool { user == 0 || user == Process.user }

        init(_ connection: ServerConnection, user: UInt32) {
            self.connection = connection
            self.user = user
        }
    }

    private let loop: EventLoop
    private let socket: ControlSocket
    private let settings: ControlSettings
    private let services: (changing: Service, reading: Service)
    private var clients: [ObjectIdentifier: Client] = [:]
    private var listening: Epoll.Token?
    private var spare: FileDescriptor?
    /// The number of the last event of which those who follow have been told.
    private var told = 0

    /// Listens from now on.
    /// - Parameter services: what answers those who may change something, and those who may only read.
    init(
        _ socket: consuming ControlSocket, settings: ControlSettings, services: (changing: Service, reading: Service),
        loop: EventLoop
    ) throws(SyscallError) {
        self.loop = loop
        self.socket = socket
        self.settings = settings
        self.services = services
        spare = try FileDescriptor.reading(path: Self.nothing)
        listening = try loop.add(self.socket.listener.descriptor, for: .readable) { [unowned self] _ in accept() }
    }

    /// Ends: clients are cut off, and the socket's name goes.
    func close() throws(SyscallError) {
        for client in Array(clients.values) { drop(client) }
        if let listening { try loop.remove(socket.listener.descriptor, listening) }
        listening = nil
        try socket.remove()
    }

    private func accept() {
        do throws(SyscallError) {
            while let accepted = try socket.listener.accept() {
                // One too many is closed at once: its client sees the end, and the others are served.
                let user = try accepted.peer().user
                guard clients.count < settings.maxConnections,
                    clients.values.count(where: { $0.user == user }) < settings.maxConnectionsPerUser
                else { continue }
                let connection = ServerConnection(accepted, longestMessage: Int(clamping: settings.maxMessage))
                try begin(Client(connection, user: user))
            }
        } catch {
            // Any other failure is the client's own, which sees its connection end.
            if error.errno.isWantOfDescriptors { turnAway() }
        }
    }

    /// Without a free descriptor a waiting connection can be neither taken nor refused, and would wake the loop for
    /// ever: the spare one is given up to take it, and it is closed.
    private func turnAway() {
        spare = nil
        do throws(SyscallError) {
            _ = try socket.listener.accept()
            spare = try FileDescriptor.reading(path: Self.nothing)
        } catch {
            // Somebody else took the descriptor: the next turn tries again.
        }
    }

    private static let nothing = Array("/dev/null".utf8)

    private func begin(_ client: Client) throws(SyscallError) {
        client.token = try loop.add(client.connection.socket.descriptor, for: .readable) {
            [unowned self, unowned client] readiness in serve(client, hungUp: readiness.contains(.hangup))
        }
        clients[ObjectIdentifier(client)] = client
    }

    /// Those who follow are told what has happened up to this event.
    func tellFollowers(upTo last: Int) {
        guard last != told else { return }
        told = last
        for client in clients.values.filter(\.connection.isFollowing) {
            client.connection.tellMore(with: service(for: client))
            settle(client)
        }
    }

    private func serve(_ client: Client, hungUp: Bool) {
        client.connection.serve(with: service(for: client), hungUp: hungUp)
        settle(client)
    }

    private func service(for client: Client) -> Service { client.mayChange ? services.changing : services.reading }

    private func settle(_ client: Client) {
        guard !client.connection.isFinished else { return drop(client) }
        let interest = client.connection.interest
        guard interest != client.interest, let token = client.token else { return }
        client.interest = interest
        do throws(SyscallError) { try loop.change(client.connection.socket.descriptor, token, to: interest) } catch {
            // A client that cannot be waited for would never be served again.
            drop(client)
        }
    }

    private func drop(_ client: Client) {
        clients[ObjectIdentifier(client)] = nil
        guard let token = client.token else { return }
        client.token = nil
        do throws(SyscallError) { try loop.remove(client.connection.socket.descriptor, token) } catch {
            // Closing the socket takes it out of the loop as well.
        }
    }
}
