import InboxLinux

/// A client of a Varlink service that waits for its answers.
public struct Client: ~Copyable {
    /// The longest reply that is taken: a path of a very deep tree is long, but not endless.
    private static let longestReply = 64 * 1024 * 1024

    private let socket: UnixSocket
    private let timeout: Duration
    private var input = FrameSplitter(longest: longestReply)
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    /// Connects to the socket at a path; `@name` names one in the abstract namespace.
    ///
    /// - Parameter timeout: how long each message may take, either way.
    public init(path: [UInt8], timeout: Duration = .seconds(10)) throws(ClientError) {
        do throws(SyscallError) {
            self.init(try UnixSocket.connect(path: path), timeout: timeout)
        } catch {
            throw .unreachable(error)
        }
    }

    /// Takes a connected socket.
    public init(_ socket: consuming UnixSocket, timeout: Duration = .seconds(10)) {
        self.socket = socket
        self.timeout = timeout
    }

    /// Calls a method that has one reply; answers its output.
    public mutating func call(
        _ method: String, _ parameters: [String: JSONValue] = [:]
    ) throws(ClientError) -> [String: JSONValue] {
        try send(Call(method, parameters).bytes)
        return try receive().parameters
    }

    /// Calls a method that has many replies, and hands over the output of each as it comes.
    ///
    /// - Parameter body: takes an output; false ends the call, after which the client is of no more use.
    public mutating func call(
        _ method: String, _ parameters: [String: JSONValue] = [:], each body: ([String: JSONValue]) -> Bool
    ) throws(ClientError) {
        try send(Call(method, parameters, more: true).bytes)
        while true {
            let reply = try receive()
            guard body(reply.parameters), reply.continues else { return }
        }
    }

    /// Calls a method whose replies have no end, and hands over the output of each as it comes, until `body` says false
    /// or nobody reads this descriptor of the process any more. Only the first reply has to come in time.
    public mutating func follow(
        _ method: String, _ parameters: [String: JSONValue] = [:], whileRead output: Int32,
        each body: ([String: JSONValue]) -> Bool
    ) throws(ClientError) {
        try send(Call(method, parameters, more: true).bytes)
        var reply = try receive()
        while body(reply.parameters), reply.continues {
            while true {
                if let next = try takeReply() {
                    reply = next
                    break
                }
                let isRead: Bool
                do throws(SyscallError) { isRead = try socket.wait(whileRead: output) } catch { throw .failed(error) }
                guard isRead else { return }
                try receivePart()
            }
        }
    }

    private func send(_ bytes: [UInt8]) throws(ClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try wait(toWrite: true, for: timeout)
            do throws(SyscallError) {
                rest = rest.dropFirst(try socket.send(rest))
            } catch {
                throw .failed(error)
            }
        }
    }

    private mutating func receive() throws(ClientError) -> Reply {
        let deadline = Instant.now() + timeout
        while true {
            if let reply = try takeReply() { return reply }
            try wait(toWrite: false, for: deadline - Instant.now())
            try receivePart()
        }
    }

    /// The next reply, if all of it has arrived.
    private mutating func takeReply() throws(ClientError) -> Reply? {
        switch input.next() {
        case .message(let message)?: try Self.reply(message)
        case .tooLong?: throw .malformedReply
        case nil: nil
        }
    }

    private func wait(toWrite: Bool, for duration: Duration) throws(ClientError) {
        let isReady: Bool
        do throws(SyscallError) {
            isReady = try socket.wait(toWrite: toWrite, for: duration)
        } catch {
            throw .failed(error)
        }
        guard isReady else { throw .timedOut }
    }

    private mutating func receivePart() throws(ClientError) {
        let end: Bool
        do throws(SyscallError) {
            switch try socket.receive(into: &buffer) {
            case .bytes(let count):
                input.append(buffer[..<count])
                end = false
            case .nothing: end = false
            case .end: end = true
            }
        } catch {
            throw .failed(error)
        }
        if end { throw .closed }
    }

    private static func reply(_ message: [UInt8]) throws(ClientError) -> Reply {
        let reply: Reply
        do throws(MalformedMessage) {
            reply = try Reply(parsing: message)
        } catch {
            throw .malformedReply
        }
        if let error = reply.error { throw .refused(error, reply.parameters) }
        return reply
    }
}

/// Why a call got no answer.
public enum ClientError: Error, Hashable {
    /// Nobody could be reached at the socket.
    case unreachable(SyscallError)
    /// Sending or receiving failed.
    case failed(SyscallError)
    /// No answer came in time.
    case timedOut
    /// The service hung up before it answered.
    case closed
    /// The answer breaks the protocol.
    case malformedReply
    /// The service answered with this error, and what it tells.
    case refused(String, [String: JSONValue])
}
