import InboxConfiguration
import InboxLinux
import InboxVarlink

/// Serves the control socket: accepts, reads, has the service answer, writes. A slow or silent client costs the others
/// nothing, since nobody is ever waited for.
final class ControlServer {
    private let loop: EventLoop
    private let socket: ControlSocket
    private let service: Service
    private let log: Log
    private var settings: ControlSettings
    private var limits: ConnectionLimits
    private var clients: [ObjectIdentifier: ControlClient] = [:]
    private var listening: Epoll.Token?
    private var spare: FileDescriptor?
    /// The number of the last event that was passed on to those who follow.
    private var passedOn = 0
    /// Whether it was logged that clients are turned away.
    private var isFull = false
    /// When the next client may have been idle for too long.
    private var nextIdle = Instant.never

    /// Listens from now on.
    init(
        _ socket: consuming ControlSocket, settings: ControlSettings, service: Service, log: Log, loop: EventLoop
    ) throws(SyscallError) {
        self.loop = loop
        self.socket = socket
        self.settings = settings
        self.service = service
        self.log = log
        limits = ConnectionLimits(settings)
        spare = try FileDescriptor.reading(path: Self.nothing)
        listening = try loop.add(self.socket.listener.descriptor, for: .readable) { [unowned self] _ in accept() }
    }

    /// Puts other limits in force; nobody who is connected is cut off.
    func adopt(_ settings: ControlSettings) {
        self.settings = settings
        limits = ConnectionLimits(settings)
        nextIdle = .now()
    }

    /// Ends: clients are cut off, and the socket's name goes.
    func close() throws(SyscallError) {
        for client in Array(clients.values) { drop(client) }
        if let listening { try loop.remove(socket.listener.descriptor, listening) }
        listening = nil
        try socket.remove()
    }

    // MARK: Accepting

    private func accept() {
        do throws(SyscallError) {
            while let accepted = try socket.listener.accept() {
                let peer = try accepted.peer()
                let own = clients.values.count { $0.peer.user == peer.user }
                let isTrusted = AccessControl.isTrusted(peer.user)
                guard limits.admits(count: clients.count, own: own, isTrusted: isTrusted) else {
                    refuse(accepted, peer)
                    continue
                }
                let connection = ServerConnection(
                    accepted, caller: peer, longestMessage: Int(clamping: settings.maxMessage))
                try begin(ControlClient(connection, peer: peer))
            }
        } catch {
            // Any other failure is the client's own, which sees its connection end.
            if error.errno.isWantOfDescriptors { turnAway() }
        }
    }

    /// A connection beyond the limit gets an error, if its socket takes that at once, and is closed; the others are served.
    private func refuse(_ socket: borrowing UnixSocket, _ peer: UnixSocket.Peer) {
        if !isFull {
            isFull = true
            log.write(
                .warning,
                "as many clients are connected as are served at a time, altogether or of one user "
                    + "(MaxConnections=\(limits.most), MaxConnectionsPerUser=\(limits.mostPerUser)): "
                    + "the user \(peer.user), process \(peer.process), is turned away, as are others until some have left"
            )
        }
        do throws(SyscallError) {
            _ = try socket.send(ServerConnection.refusal(.tooManyConnections)[...])
        } catch {
            // It has left already.
        }
    }

    /// Without a free descriptor a waiting connection can be neither taken nor refused, and would wake the loop for
    /// ever: the spare one is given up to take it, and it is closed.
    private func turnAway() {
        spare = nil
        do throws(SyscallError) {
            if let accepted = try socket.listener.accept() { refuse(accepted, try accepted.peer()) }
            spare = try FileDescriptor.reading(path: Self.nothing)
        } catch {
            // Somebody else took the descriptor: the next turn tries again.
        }
    }

    private static let nothing = Array("/dev/null".utf8)

    private func begin(_ client: ControlClient) throws(SyscallError) {
        client.token = try loop.add(client.connection.socket.descriptor, for: .readable) {
            [unowned self, unowned client] readiness in serve(client, hungUp: readiness.contains(.hangup))
        }
        clients[ObjectIdentifier(client)] = client
        if settings.idleTimeout > .zero { nextIdle = min(nextIdle, client.lastUse + settings.idleTimeout) }
    }

    // MARK: Serving

    /// Sends followers the events up to this one, and waiting callers the replies that are ready.
    func tellWaiting(upTo last: Int) {
        let hasEvents = last != passedOn
        passedOn = last
        for client in clients.values where client.connection.isPending || (hasEvents && client.connection.isFollowing) {
            client.connection.tellMore(with: service)
            settle(client)
        }
    }

    private func serve(_ client: ControlClient, hungUp: Bool) {
        client.connection.serve(with: service, hungUp: hungUp)
        settle(client)
    }

    private func settle(_ client: ControlClient) {
        guard !client.connection.isFinished else { return drop(client) }
        client.lastUse = .now()
        let interest = client.connection.interest
        guard interest != client.interest, let token = client.token else { return }
        client.interest = interest
        do throws(SyscallError) { try loop.change(client.connection.socket.descriptor, token, to: interest) } catch {
            // A client that cannot be waited for would never be served again.
            drop(client)
        }
    }

    private func drop(_ client: ControlClient) {
        clients[ObjectIdentifier(client)] = nil
        if isFull, clients.count < limits.most - limits.reserved {
            isFull = false
            log.write(.notice, "over: clients are no longer turned away")
        }
        guard let token = client.token else { return }
        client.token = nil
        do throws(SyscallError) { try loop.remove(client.connection.socket.descriptor, token) } catch {
            // Closing the socket takes it out of the loop as well.
        }
    }

    // MARK: Idle clients

    /// When somebody may have been idle for too long.
    var nextDeadline: Instant { nextIdle }

    /// Closes connections that neither call nor wait for a reply: `IdleTimeout=`.
    func dropIdle(at now: Instant) {
        guard nextIdle <= now else { return }
        nextIdle = .never
        guard settings.idleTimeout > .zero else { return }
        for client in Array(clients.values) {
            // Who waits for the daemon is not idle, and counts anew when that is over.
            if client.isWaiting { client.lastUse = now }
            let due = client.lastUse + settings.idleTimeout
            if due <= now { drop(client) } else { nextIdle = min(nextIdle, due) }
        }
    }
}
