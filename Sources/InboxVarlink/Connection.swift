import InboxLinux

/// One client's side of a service, without its socket: bytes go in, bytes come out.
///
/// Calls are answered one after the other, in order. Nothing is queued without bound, however a client behaves: input
/// is not wanted while a message waits to be answered, a call is not answered while too much output waits, and a list is
/// made reply by reply.
package struct Connection {
    /// Bytes: the pending output up to which the next reply is made; a single reply may exceed it.
    private static let outputGoal = 16 * 1024
    /// The largest number of replies made in one turn, so that other clients get theirs.
    private static let repliesPerTurn = 64
    /// The longest time for which one turn makes replies, so that twenty clients with long lists keep nobody else
    /// waiting.
    private static let timePerTurn = Duration.milliseconds(2)
    /// The number of open files that are kept for calls not yet answered; more are dropped.
    package static let mostFiles = 4

    /// The parameters of a reply that has none.
    private static let nothing: [String: String] = [:]

    private let longestMessage: Int
    private let caller: UnixSocket.Peer
    private var input: FrameSplitter
    private var output: [UInt8] = []
    private var sentCount = 0
    private var replies: AnyIterator<(any Encodable)?>?
    private var feed: Service.Feed?
    private var stream: (next: Service.Stream, takesMore: Bool)?
    private var later: (answer: Service.Later, call: Call, isDeed: Bool)?
    /// The files that came with messages, by the message's number.
    private var files: [Int: [PassedFile]] = [:]
    /// The number of messages that have arrived completely, and of those that were taken.
    private var messages = (arrived: 0, taken: 0)
    private var inputEnded = false
    private var outputLost = false
    /// A message broke the protocol, so that the client may still be sending.
    private(set) var isRefused = false
    private var mayHaveWork = false

    /// A connection on which nothing was said yet.
    ///
    /// - Parameters:
    ///   - caller: who is at the other end; nobody has no rights.
    ///   - longestMessage: how long a call may be, in bytes.
    package init(caller: UnixSocket.Peer = .nobody, longestMessage: Int) {
        self.caller = caller
        self.longestMessage = longestMessage
        input = FrameSplitter(longest: longestMessage)
    }

    /// Bytes should be received now.
    package var wantsBytes: Bool { !inputEnded && input.count <= longestMessage }

    /// There is something to send, or a reply to be made.
    package var hasWork: Bool { mayHaveWork || sentCount < output.count }

    /// The client follows something that has no end: it is sent more whenever there is more.
    package var isFollowing: Bool { feed != nil }

    /// The client waits for an answer that takes time.
    package var isPending: Bool { later != nil || stream != nil }

    /// The client reads no more while one of its calls is being done.
    package var isDeserted: Bool { outputLost && isPending }

    /// Everything has been sent, and the socket is to be closed.
    package var isFinished: Bool { inputEnded && !hasWork && !isFollowing && !isPending }

    /// Takes bytes that the client sent.
    /// - Parameter files: what came with the last one of them, and with the message that has it.
    package mutating func receive(_ bytes: some Collection<UInt8>, with files: [PassedFile] = []) {
        guard !inputEnded else { return }
        input.append(bytes)
        let room = Self.mostFiles - self.files.values.reduce(0) { $0 + $1.count }
        let ends = bytes.count { $0 == 0 }
        if !files.isEmpty, room > 0 {
            let number = messages.arrived + bytes.dropLast().count { $0 == 0 }
            self.files[number, default: []] += files.prefix(room)
        }
        messages.arrived += ends
        mayHaveWork = true
    }

    /// Takes note that the client sends no more. What it asked for is still answered.
    package mutating func receiveEnd() {
        inputEnded = true
        mayHaveWork = true
    }

    /// Takes note that the client reads no more. What it requested without waiting for a reply is still done.
    package mutating func loseOutput() {
        outputLost = true
        output = []
        sentCount = 0
        replies = nil
        feed = nil
        stream = nil
        if later?.isDeed == false { later = nil }
    }

    /// Takes note that there may be more to send to a client that follows, or an answer for one that waits.
    package mutating func wake() {
        if isFollowing || isPending { mayHaveWork = true }
    }

    /// The bytes to send now, after as much answering as is due; empty where the client has to speak first.
    package mutating func bytesToSend(answeredBy service: Service) -> ArraySlice<UInt8> {
        let deadline = Instant.now() + Self.timePerTurn
        for count in 0..<Self.repliesPerTurn {
            guard output.count - sentCount < Self.outputGoal, count == 0 || .now() < deadline else { break }
            guard step(service) else {
                mayHaveWork = false
                break
            }
        }
        return output[sentCount...]
    }

    /// Takes note of how many of the bytes were sent.
    package mutating func sent(_ count: Int) {
        sentCount = min(output.count, sentCount + max(0, count))
        if sentCount == output.count {
            output.removeAll(keepingCapacity: output.capacity <= 4 * Self.outputGoal)
            sentCount = 0
        }
    }

    /// Makes one reply, or takes one call; false where there is nothing to do.
    private mutating func step(_ service: Service) -> Bool {
        if let replies {
            if let next = replies.next() {
                if let next { reply(next, continues: true) }
            } else {
                self.replies = nil
                reply(Self.nothing)
            }
            return true
        }
        if let feed {
            switch feed() {
            case .notYet: return false
            case .passedOver: return true
            case .reply(let next): reply(next, continues: true)
            }
            return true
        }
        if let stream { return take(stream.next(), continuing: stream.takesMore) }
        if let (answer, call, _) = later {
            guard let answer = answer() else { return false }
            later = nil
            deliver(answer, to: call)
            return true
        }
        guard !isRefused else { return false }
        switch input.next() {
        case nil:
            // A person who types a call for nc(1) forgets its NUL, and would wait for an answer for ever.
            guard inputEnded, input.hasBeginning else { return false }
            refuse("message")
        case .tooLong?: refuse("message")
        case .message(let message)?:
            let files = files.removeValue(forKey: messages.taken) ?? []
            messages.taken += 1
            do throws(MalformedMessage) {
                let call = try Call(parsing: message)
                deliver(service.answer(call, from: caller, with: files), to: call)
            } catch {
                refuse(error.member)
            }
        }
        return true
    }

    /// Takes what a stream has to say; false where that is nothing.
    private mutating func take(_ part: Service.Part, continuing takesMore: Bool) -> Bool {
        switch part {
        case .notYet: return false
        case .reply(let parameters): if takesMore { reply(parameters, continues: true) }
        case .last(let parameters):
            stream = nil
            reply(parameters)
        case .end:
            stream = nil
            reply(Self.nothing)
        case .failure(let error):
            stream = nil
            reply(error.parameters, error: error.name)
        }
        return true
    }

    private mutating func deliver(_ answer: Service.Answer, to call: Call) {
        if case .deed(let answer) = answer {
            later = (answer, call, isDeed: true)
            return
        }
        guard !call.oneway, !outputLost else { return }
        switch answer {
        case .reply(let parameters): reply(parameters)
        case .replies(let iterator):
            // Without `more` nothing may continue: the first is all that there is.
            if call.more {
                replies = iterator
            } else {
                let first: any Encodable = iterator.lazy.compactMap { $0 }.first { _ in true } ?? Self.nothing
                reply(first)
            }
        case .feed(let feed): self.feed = feed
        case .stream(let next): stream = (next, call.more)
        case .later(let answer): later = (answer, call, isDeed: false)
        case .deed: break
        case .failure(let error): reply(error.parameters, error: error.name)
        }
    }

    /// The last words on a connection on which nothing that follows can be trusted.
    private mutating func refuse(_ member: String) {
        let error = ServiceError.invalidParameter(member)
        reply(error.parameters, error: error.name)
        inputEnded = true
        isRefused = true
        files = [:]
        input = FrameSplitter(longest: longestMessage)
    }

    private mutating func reply(_ parameters: some Encodable, continues: Bool = false, error: String? = nil) {
        guard !outputLost else { return }
        if let parameters = parameters as? [String: JSONValue] {
            output += Reply.bytes(parameters, continues: continues, error: error)
            return
        }
        do throws(MalformedMessage) {
            output += try Reply.bytes(parameters, continues: continues, error: error)
        } catch {
            // A reply that has no JSON form would leave the client waiting for ever.
            inputEnded = true
            loseOutput()
        }
    }
}
