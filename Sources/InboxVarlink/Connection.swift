/// One client's side of a service, without its socket: bytes go in, bytes come out.
///
/// Calls are answered one after the other, in order. Nothing is queued without bound, however a client behaves: input
/// is not wanted while a message waits to be answered, a call is not answered while too much output waits, and a list is
/// made reply by reply.
public struct Connection {
    /// How much output waits at most before the next reply is made; a single reply may pass it.
    private static let outputGoal = 16 * 1024
    /// How many replies one turn makes at most, so that others get theirs.
    private static let repliesPerTurn = 64

    /// The parameters of a reply that has none.
    private static let nothing: [String: String] = [:]

    private let longestMessage: Int
    private var input: FrameSplitter
    private var output: [UInt8] = []
    private var sentCount = 0
    private var replies: AnyIterator<any Encodable>?
    private var feed: Service.Feed?
    private var inputEnded = false
    private var outputLost = false
    /// Whether a message broke the protocol, so that the client may be sending still.
    private(set) var isRefused = false
    private var mayHaveWork = false

    /// A connection on which nothing was said yet.
    ///
    /// - Parameter longestMessage: how long a call may be, in bytes: the setting `MaxMessage`.
    public init(longestMessage: Int) {
        self.longestMessage = longestMessage
        input = FrameSplitter(longest: longestMessage)
    }

    /// Whether bytes should be received now.
    public var wantsBytes: Bool { !inputEnded && input.count <= longestMessage }

    /// Whether there is something to send, or a reply to be made.
    public var hasWork: Bool { mayHaveWork || sentCount < output.count }

    /// Whether the client follows something that has no end: it is told more whenever there is more.
    public var isFollowing: Bool { feed != nil }

    /// Whether all is said, and the socket is to be closed.
    public var isFinished: Bool { inputEnded && !hasWork && !isFollowing }

    /// Takes bytes that the client sent.
    public mutating func receive(_ bytes: some Collection<UInt8>) {
        guard !inputEnded else { return }
        input.append(bytes)
        mayHaveWork = true
    }

    /// Takes note that the client sends no more. What it asked for is still answered.
    public mutating func receiveEnd() {
        inputEnded = true
        mayHaveWork = true
    }

    /// Takes note that the client reads no more. What it told without waiting for a reply is still done.
    public mutating func loseOutput() {
        outputLost = true
        output = []
        sentCount = 0
        replies = nil
        feed = nil
    }

    /// Takes note that there may be more to tell a client that follows.
    public mutating func wake() {
        if isFollowing { mayHaveWork = true }
    }

    /// The bytes to send now, after as much answering as is due; empty where the client has to speak first.
    public mutating func bytesToSend(answeredBy service: Service) -> ArraySlice<UInt8> {
        for _ in 0..<Self.repliesPerTurn {
            guard output.count - sentCount < Self.outputGoal else { break }
            guard step(service) else {
                mayHaveWork = false
                break
            }
        }
        return output[sentCount...]
    }

    /// Takes note of how many of the bytes were sent.
    public mutating func sent(_ count: Int) {
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
                reply(next, continues: true)
            } else {
                self.replies = nil
                reply(Self.nothing)
            }
            return true
        }
        if let feed {
            guard let next = feed() else { return false }
            reply(next, continues: true)
            return true
        }
        guard !isRefused else { return false }
        switch input.next() {
        case nil: return false
        case .tooLong?: refuse("message")
        case .message(let message)?:
            do throws(MalformedMessage) {
                answer(try Call(parsing: message), service)
            } catch {
                refuse(error.member)
            }
        }
        return true
    }

    private mutating func answer(_ call: Call, _ service: Service) {
        let answer = service.answer(call)
        guard !call.oneway, !outputLost else { return }
        switch answer {
        case .reply(let parameters): reply(parameters)
        case .replies(let iterator):
            // Without `more` nothing may continue: the first is all that there is.
            if call.more {
                replies = iterator
            } else {
                let first: any Encodable = iterator.next() ?? Self.nothing
                reply(first)
            }
        case .feed(let feed): self.feed = feed
        case .failure(let error): reply(error.parameters, error: error.name)
        }
    }

    /// The last words on a connection on which nothing that follows can be trusted.
    private mutating func refuse(_ member: String) {
        let error = ServiceError.invalidParameter(member)
        reply(error.parameters, error: error.name)
        inputEnded = true
        isRefused = true
        input = FrameSplitter(longest: longestMessage)
    }

    private mutating func reply(_ parameters: some Encodable, continues: Bool = false, error: String? = nil) {
        guard !outputLost else { return }
        do throws(MalformedMessage) {
            output += try Reply.bytes(parameters, continues: continues, error: error)
        } catch {
            // A reply that has no JSON form would leave the client waiting for ever.
            inputEnded = true
            loseOutput()
        }
    }
}
