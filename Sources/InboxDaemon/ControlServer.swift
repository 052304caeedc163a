import InboxConfiguration
import InboxLinux
import InboxVarlink

/// Serves the control socket: accepts, reads, has the service answer, writes. A slow or silent client costs the others
/// nothing, since nobody is ever waited for.
final class ControlServer {
    /// Connections: so many are taken in one turn of the loop, so that whoever connects without end does not hold it up.
    private static let mostAccepted = 32

    private let loop: EventLoop
    private let service: Service
    private let log: Log
    private var listener: ControlListener
    private var clients = ConnectedClients(limits: ConnectionLimits())
    private var idle = IdleTimeout()
    /// The number of the last event that was passed on to those who follow.
    private var passedOn = 0

    /// Listens from now on.
    init(
        _ socket: consuming ControlSocket, service: Service, log: Log, loop: EventLoop
    ) throws(SyscallError) {
        self.loop = loop
        self.service = service
        self.log = log
        listener = try ControlListener(socket)
        try listener.begin(in: loop) { [unowned self] _ in accept() }
    }

    /// Puts another mode in force.
    func adopt(_ settings: ControlSettings) {
        do throws(SyscallError) { try listener.adopt(mode: settings.socketMode) } catch {
            log.write(
                .warning, "SocketMode= takes effect at the next start: cannot change the control socket: \(error)")
        }
    }

    /// Ends: clients are cut off, and the socket's name goes.
    func close() throws(SyscallError) {
        for client in clients.all { drop(client) }
        try listener.end(in: loop)
    }

    // MARK: Accepting

    private func accept() {
        do throws(SyscallError) {
            // The others wake the loop again at once.
            for _ in 0..<Self.mostAccepted {
                guard let accepted = try listener.accept() else { return }
                let peer = try accepted.peer()
                let isAdmitted = clients.admits(peer)
                let donor = isAdmitted ? nil : clients.donor(for: peer)
                guard isAdmitted || donor != nil else {
                    refuse(accepted, peer)
                    continue
                }
                let connection = ServerConnection(accepted, caller: peer)
                try begin(ControlClient(connection, peer: peer))
                if let donor { cutOff(donor) }
                if clients.noteShortage(false) { log.write(.notice, "over: too many files are open to serve clients") }
            }
        } catch {
            // Any other failure is the client's own, which sees its connection end.
            if error.errno.isWantOfDescriptors { turnAway() }
        }
    }

    /// A connection beyond the limit is refused.
    private func refuse(_ socket: borrowing UnixSocket, _ peer: UnixSocket.Peer) {
        if clients.noteRefusal() {
            log.write(
                .warning,
                "as many clients are connected as are served at a time "
                    + "(\(clients.limits.most) altogether, \(clients.limits.mostPerUser) of one user): "
                    + "the user \(AccountNames.name(ofUser: peer.user)), process \(peer.process), is turned away, as are "
                    + "others until some have left"
            )
        }
        Self.send(.tooManyConnections, to: socket)
    }

    /// A connection of the user who has the most of them makes room for another user's.
    private func cutOff(_ client: ControlClient) {
        if clients.noteRefusal() {
            log.write(
                .warning,
                "as many clients are connected as are served at a time (\(clients.limits.most)): for others "
                    + "connections of the user \(AccountNames.name(ofUser: client.peer.user)), who has the most, are closed"
            )
        }
        drop(client)
    }

    /// Sends an error, if the socket takes that at once, to somebody whose connection is closed next; the others are
    /// served.
    private static func send(_ error: ServiceError, to socket: borrowing UnixSocket) {
        do throws(SyscallError) { _ = try socket.send(ServerConnection.refusal(error)[...]) } catch {
            // It has left already.
        }
    }

    /// Without a free descriptor a waiting connection can be neither taken nor refused, and would wake the loop for
    /// ever: the spare one is given up to take it, and it is closed.
    private func turnAway() {
        do throws(SyscallError) {
            try listener.withSpare { (accepted) throws(SyscallError) in
                Self.send(.tooManyOpenFiles, to: accepted)
                guard clients.noteShortage(true) else { return }
                let peer = try accepted.peer()
                log.write(
                    .warning,
                    "too many files are open to serve clients: the user \(AccountNames.name(ofUser: peer.user)), process "
                        + "\(peer.process), is turned away, as are others until some are closed: raise LimitNOFILE=")
            }
        } catch {
            // Somebody else took the descriptor: the next turn tries again.
        }
    }

    private func begin(_ client: ControlClient) throws(SyscallError) {
        try watch(client)
        clients.insert(client)
        idle.note(use: client.lastUse)
    }

    private func watch(_ client: ControlClient) throws(SyscallError) {
        client.token = try loop.add(client.connection.socket.descriptor, for: client.interest) {
            [unowned self, unowned client] readiness in serve(client, hungUp: readiness.contains(.hangup))
        }
    }

    // MARK: Serving

    /// Sends followers the events up to this one, and waiting callers the replies that are ready.
    func sendEvents(upTo last: Int) {
        let hasEvents = last != passedOn
        passedOn = last
        for client in clients.all where client.connection.isPending || (hasEvents && client.connection.isFollowing) {
            client.connection.sendMore(with: service, among: clients.count)
            settle(client)
        }
    }

    private func serve(_ client: ControlClient, hungUp: Bool) {
        client.connection.serve(with: service, among: clients.count, hungUp: hungUp)
        settle(client)
    }

    private func settle(_ client: ControlClient) {
        guard !client.connection.isFinished else { return drop(client) }
        client.lastUse = .now()
        let interest = client.connection.interest
        let isKnown = interest == client.interest
        client.interest = interest
        do throws(SyscallError) {
            switch (client.token, client.connection.isDeserted) {
            case (let token?, true):
                client.token = nil
                try loop.remove(client.connection.socket.descriptor, token)
            case (let token?, false):
                if !isKnown { try loop.change(client.connection.socket.descriptor, token, to: interest) }
            case (nil, true): break
            case (nil, false): try watch(client)
            }
        } catch {
            // A client that cannot be waited for would never be served again.
            drop(client)
        }
    }

    private func drop(_ client: ControlClient) {
        if clients.remove(client) { log.write(.notice, "over: clients are no longer turned away") }
        guard let token = client.token else { return }
        client.token = nil
        do throws(SyscallError) { try loop.remove(client.connection.socket.descriptor, token) } catch {
            // Closing the socket takes it out of the loop as well.
        }
    }

    // MARK: Idle clients

    /// When somebody may have been idle for too long.
    var nextDeadline: Instant { idle.next }

    /// Closes connections that neither call nor wait for a reply, after 5 minutes.
    func dropIdle(at now: Instant) {
        guard idle.begins(at: now) else { return }
        for client in clients.all {
            // A client that waits for the daemon is not idle; its idle time starts when the wait ends.
            if client.isWaiting { client.lastUse = now }
            if idle.hasPassed(since: client.lastUse, at: now) { drop(client) }
        }
    }
}
