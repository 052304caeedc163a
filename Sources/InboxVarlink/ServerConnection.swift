import InboxLinux

/// A client of the control socket: its socket and what is being said on it.
///
/// The loop waits for `interest` and calls `serve(with:)` when any of it is there; it drops the connection once
/// `isFinished`. No call waits: one turn receives once, answers a little and sends once.
package final class ServerConnection {
    /// Bytes: the amount that a client may go on sending after it was refused.
    private static let patience = 16 * 1024 * 1024
    /// The number of rounds in one turn for clients that follow, as long as their sockets accept all of it.
    private static let rounds = 16

    /// The socket, for epoll(7).
    package let socket: UnixSocket
    private var connection: Connection
    private let user: UInt32
    /// The number of bytes still to be thrown away before the socket is closed; nil while all is well.
    private var leftToDiscard: Int?

    /// Takes a connected socket.
    ///
    /// - Parameters:
    ///   - caller: who is at the other end; nobody has no rights.
    ///   - longestMessage: how long a call may be, in bytes.
    package init(
        _ socket: consuming UnixSocket, caller: UnixSocket.Peer = .nobody, longestMessage: Int = 64 * 1024
    ) {
        self.socket = socket
        user = caller.user
        connection = Connection(caller: caller, longestMessage: longestMessage)
    }

    /// The message that says why a client is not served.
    package static func refusal(_ error: ServiceError) -> [UInt8] {
        Reply.bytes(error.parameters, continues: false, error: error.name)
    }

    /// The readiness to wait for; it changes with every turn.
    package var interest: Readiness {
        var interest: Readiness = []
        if connection.wantsBytes { interest.insert(.readable) }
        if connection.hasWork { interest.insert(.writable) }
        if leftToDiscard != nil { interest.insert(.readable) }
        return interest
    }

    /// The connection has ended, and this object is to be dropped.
    package var isFinished: Bool { connection.isFinished && (leftToDiscard ?? 0) <= 0 }

    /// The client follows something that has no end.
    package var isFollowing: Bool { connection.isFollowing }

    /// The client waits for an answer that takes time.
    package var isPending: Bool { connection.isPending }

    /// The client has hung up while one of its calls is being done: its socket is waited for again once that is done,
    /// since epoll(7) reports a hangup whatever it is asked for.
    package var isDeserted: Bool { connection.isDeserted }

    /// Takes a turn because there may be more to send to a client that follows or waits. One whose socket has not yet taken what was
    /// sent before gets it when it has.
    /// - Parameter count: how many clients there are: all others wait for the turns of all who follow.
    package func sendMore(with service: Service, among count: Int = 1) {
        // One who reads no more takes nothing, and nobody else would go on with his calls.
        let isBehind = connection.hasWork && !connection.isDeserted
        connection.wake()
        if !isBehind { send(with: service, among: count) }
    }

    /// Takes a turn.
    /// - Parameters:
    ///   - count: how many clients there are.
    ///   - hungUp: whether the client has closed its socket, so that nothing reaches it any more.
    package func serve(with service: Service, among count: Int = 1, hungUp: Bool = false) {
        if leftToDiscard != nil { return discard() }
        receive()
        // A client that follows may get nothing for long: that nobody is there would not show by sending.
        if hungUp { connection.loseOutput() }
        send(with: service, among: count)
    }

    private func send(with service: Service, among count: Int) {
        do throws(SyscallError) {
            // Events come in bursts, and are kept for a while only: who follows gets as many as the socket takes.
            for _ in 0..<(isFollowing ? max(1, Self.rounds / max(1, count)) : 1) {
                let bytes = connection.bytesToSend(answeredBy: service)
                guard !bytes.isEmpty else { break }
                let count = try socket.send(bytes)
                connection.sent(count)
                if count < bytes.count { break }
            }
            if connection.isFinished, connection.isRefused {
                // Were the socket closed while unread bytes wait, the client might lose the last words.
                try socket.endSending()
                leftToDiscard = Self.patience
            }
        } catch {
            // The client hung up; what it said before is still there to be read.
            connection.loseOutput()
        }
    }

    private func discard() {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        do throws(SyscallError) {
            switch try socket.receive(into: &buffer) {
            case .bytes(let count): leftToDiscard = (leftToDiscard ?? 0) - count
            case .nothing: break
            case .end: leftToDiscard = 0
            }
        } catch {
            leftToDiscard = 0
        }
    }

    private func receive() {
        guard connection.wantsBytes else { return }
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        var files: [PassedFile] = []
        let most = min(Connection.mostFiles, PassedFile.room(for: user))
        do throws(SyscallError) {
            switch try socket.receive(into: &buffer, files: &files, atMost: most, of: user) {
            case .bytes(let count): connection.receive(buffer[..<count], with: files)
            case .nothing: break
            case .end: connection.receiveEnd()
            }
        } catch {
            connection.receiveEnd()
            connection.loseOutput()
        }
    }
}
