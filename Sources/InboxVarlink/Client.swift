import InboxLinux

/// A client of a Varlink service that waits for its answers.
package struct Client: ~Copyable {
    /// The longest reply that is taken: a path of a very deep tree is long, but not endless.
    private static let longestReply = 64 * 1024 * 1024

    private let socket: UnixSocket
    private let timeout: Duration
    private var input = FrameSplitter(longest: longestReply)
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    /// Connects to the socket at a path; `@name` names one in the abstract namespace.
    ///
    /// - Parameter timeout: how long each message may take, either way.
    package init(path: BytePath, timeout: Duration = .seconds(10)) throws(ClientError) {
        guard let address = SocketAddress(path) else { throw .noAddress }
        do throws(SyscallError) {
            self.init(try UnixSocket.connect(to: address), timeout: timeout)
        } catch {
            throw .unreachable(error)
        }
    }

    /// Takes a connected socket.
    package init(_ socket: consuming UnixSocket, timeout: Duration = .seconds(10)) {
        self.socket = socket
        self.timeout = timeout
    }

    /// Calls a method that has one reply; returns its output.
    package mutating func call(
        _ method: String, _ parameters: [String: JSONValue] = [:]
    ) throws(ClientError) -> [String: JSONValue] {
        try send(Call(method, parameters).bytes)
        return try receive().parameters
    }

    /// Calls a method whose one reply may take any time, and returns its output.
    ///
    /// - Parameters:
    ///   - delay: how long the reply may take before `remark` is called, once.
    package mutating func call(
        _ method: String, _ parameters: [String: JSONValue], after delay: Duration, remark: () -> Void
    ) throws(ClientError) -> [String: JSONValue] {
        try send(Call(method, parameters).bytes)
        if let output = try next(before: .now() + delay) { return output }
        remark()
        while true {
            if let output = try next(before: .never) { return output }
        }
    }

    /// Calls a method with `more`, and passes an open file along: the parameter that refers to it has the index 0.
    ///
    /// - Parameter progress: takes the output of each reply but the last.
    /// - Returns: the output of the last one.
    package mutating func call(
        _ method: String, _ parameters: [String: JSONValue], passing file: borrowing FileDescriptor,
        progress: ([String: JSONValue]) -> Void
    ) throws(ClientError) -> [String: JSONValue] {
        let bytes = Call(method, parameters, more: true).bytes
        let sent: Int
        try wait(toWrite: true, for: timeout)
        do throws(SyscallError) { sent = try socket.send(bytes[...], with: file) } catch { throw .failed(error) }
        // Nothing of the message is out yet where the socket was full all the same: then the file would not be either.
        guard sent > 0 else { throw .timedOut(timeout) }
        try send(bytes[sent...])
        var reply = try receive()
        while reply.continues {
            progress(reply.parameters)
            reply = try receive()
        }
        return reply.parameters
    }

    /// Calls a method whose replies have no end; returns the output of the first one, and ``next(before:)`` the others.
    package mutating func start(
        _ method: String, _ parameters: [String: JSONValue] = [:]
    ) throws(ClientError) -> [String: JSONValue] {
        try send(Call(method, parameters, more: true).bytes)
        return try receive().parameters
    }

    /// The output of the next reply to what was started; nil where none has come by then.
    package mutating func next(before deadline: Instant) throws(ClientError) -> [String: JSONValue]? {
        while true {
            if let reply = try takeReply() { return reply.parameters }
            let isReady: Bool
            do throws(SyscallError) {
                isReady = try socket.wait(for: deadline == .never ? nil : deadline - .now())
            } catch {
                throw .failed(error)
            }
            guard isReady else { return nil }
            try receivePart()
        }
    }

    /// Calls a method that has many replies, and hands over the output of each as it comes.
    ///
    /// - Parameter body: takes an output; false ends the call, after which the client is of no more use.
    package mutating func call(
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
    package mutating func follow(
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

    private mutating func send(_ bytes: some Collection<UInt8>) throws(ClientError) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            try wait(toWrite: true, for: timeout)
            do throws(SyscallError) {
                rest = rest.dropFirst(try socket.send(rest))
            } catch {
                // A service that serves no more clients says so before it hangs up, without being asked.
                if error.errno.isHangUp { try takeLastWords() }
                throw .failed(error)
            }
        }
    }

    /// Fails with the reason that the service gave before it hung up, if it gave one.
    private mutating func takeLastWords() throws(ClientError) {
        var isMore = true
        while isMore {
            if try takeReply() != nil { return }
            do throws(ClientError) { try receivePart() } catch { isMore = false }
        }
        _ = try takeReply()
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
        guard isReady else { throw .timedOut(timeout) }
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

/// The reason why a call got no answer.
package enum ClientError: Error, Hashable {
    /// No socket can have the path: it is empty or too long.
    case noAddress
    /// Nobody could be reached at the socket.
    case unreachable(SyscallError)
    /// Sending or receiving failed.
    case failed(SyscallError)
    /// No answer came within this time.
    case timedOut(Duration)
    /// The service hung up before it answered.
    case closed
    /// The answer breaks the protocol.
    case malformedReply
    /// The service answered with this error and its parameters.
    case refused(String, [String: JSONValue])
}
