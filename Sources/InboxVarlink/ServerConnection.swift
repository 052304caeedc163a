import InboxLinux

/// A client of the control socket: its socket and what is being said on it.
///
/// The loop waits for `interest` and calls `serve(with:)` when any of it is there; it drops the connection once
/// `isFinished`. No call waits: one turn receives once, answers a little and sends once.
public final class ServerConnection {
    /// The socket, for epoll(7).
    public let socket: UnixSocket
    private var connection: Connection

    /// Takes a connected socket.
    ///
    /// - Parameter longestMessage: how long a call may be, in bytes: the setting `MaxMessage`.
    public init(_ socket: consuming UnixSocket, longestMessage: Int = 64 * 1024) {
        self.socket = socket
        connection = Connection(longestMessage: longestMessage)
    }

    /// What the socket is to be waited for; it changes with every turn.
    public var interest: Readiness {
        var interest: Readiness = []
        if connection.wantsBytes { interest.insert(.readable) }
        if connection.hasWork { interest.insert(.writable) }
        return interest
    }

    /// Whether the connection is at its end, and this object to be dropped.
    public var isFinished: Bool { connection.isFinished }

    /// Takes a turn.
    public func serve(with service: Service) {
        receive()
        let bytes = connection.bytesToSend(answeredBy: service)
        guard !bytes.isEmpty else { return }
        do throws(SyscallError) {
            connection.sent(try socket.send(bytes))
        } catch {
            // The client hung up; what it said before is still there to be read.
            connection.loseOutput()
        }
    }

    private func receive() {
        guard connection.wantsBytes else { return }
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        do throws(SyscallError) {
            switch try socket.receive(into: &buffer) {
            case .bytes(let count): connection.receive(buffer[..<count])
            case .nothing: break
            case .end: connection.receiveEnd()
            }
        } catch {
            connection.receiveEnd()
            connection.loseOutput()
        }
    }
}
