import InboxLinux
import InboxVarlink

/// One client of the control socket, and how the loop knows it.
final class ControlClient {
    let connection: ServerConnection
    /// Who it is, as the kernel reports it.
    let peer: UnixSocket.Peer
    var token: Epoll.Token?
    var interest: Readiness = .readable
    /// When bytes last went in either direction.
    var lastUse = Instant.now()

    init(_ connection: ServerConnection, peer: UnixSocket.Peer) {
        self.connection = connection
        self.peer = peer
    }

    /// The client is waiting for the daemon, rather than the daemon for the client.
    var isWaiting: Bool { connection.isFollowing || connection.isPending }
}
