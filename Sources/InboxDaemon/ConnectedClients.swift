import InboxLinux

/// The clients that are connected, and whether others are turned away because of them.
struct ConnectedClients {
    /// The limits on connections.
    let limits: ConnectionLimits
    private var clients: [ObjectIdentifier: ControlClient] = [:]
    /// A client was turned away, and no place has become free since.
    private var isFull = false
    /// A client was turned away because too many files were open, and none has been served since.
    private var isShort = false

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    /// All of them, in no order.
    var all: some Collection<ControlClient> { clients.values }

    /// The number of clients.
    var count: Int { clients.count }

    /// Returns true if one more client of this user is served.
    func admits(_ peer: UnixSocket.Peer) -> Bool {
        let own = clients.values.count { $0.peer.user == peer.user }
        return limits.admits(count: clients.count, own: own, isTrusted: AccessControl.isTrusted(peer.user))
    }

    /// The client that leaves so that one more of this user is served: of those of the user who has the most, one that waits
    /// for nothing if there is one, and the one that has said nothing for the longest.
    func donor(for peer: UnixSocket.Peer) -> ControlClient? {
        let others = clients.values.filter { !AccessControl.isTrusted($0.peer.user) }
        let counts = Dictionary(others.map { ($0.peer.user, 1) }, uniquingKeysWith: +)
        guard
            let user = limits.donor(for: peer.user, isTrusted: AccessControl.isTrusted(peer.user), among: counts)
        else { return nil }
        return others.filter { $0.peer.user == user }.min { first, second in
            first.isWaiting == second.isWaiting ? first.lastUse < second.lastUse : second.isWaiting
        }
    }

    /// Somebody is turned away.
    /// - Returns: whether nobody was so far.
    mutating func noteRefusal() -> Bool {
        defer { isFull = true }
        return !isFull
    }

    /// Somebody is turned away since too many files are open, or is served.
    /// - Returns: whether that is new.
    mutating func noteShortage(_ isShort: Bool) -> Bool {
        defer { self.isShort = isShort }
        return self.isShort != isShort
    }

    /// A client has connected.
    mutating func insert(_ client: ControlClient) { clients[ObjectIdentifier(client)] = client }

    /// A client has left.
    /// - Returns: whether clients were turned away and are no longer.
    mutating func remove(_ client: ControlClient) -> Bool {
        clients[ObjectIdentifier(client)] = nil
        guard isFull, clients.count < limits.most - limits.reserved else { return false }
        isFull = false
        return true
    }
}
