import InboxVarlink

/// A daemon that answers with what the test gives it, and counts how many arrivals it was asked for.
final class FixedInbox: InboxService {
    var report: StatusReport
    var listed: [ArrivalReport]
    /// Makes arrivals without end, in place of those listed.
    var isEndless = false
    private(set) var statusCount = 0
    private(set) var arrivalCount = 0
    /// What has happened, numbered from 1.
    var happened: [EventReport] = []
    private(set) var followers = 0
    private(set) var toldCount = 0

    init(_ listed: [ArrivalReport] = []) {
        self.listed = listed
        var counters = StatusReport.Counters()
        counters.bytesFiled = 9_007_199_254_740_993
        report = StatusReport(
            version: "1.2.3", pid: 4711, since: "2026-11-20T22:51:07.042Z", paused: false, state: .watching,
            problems: ["the disk is full"], documents: "/d/caf\\xe9",
            inboxes: [.init(path: "/d/Inbox", watching: .inotify, folders: 3)], counters: counters)
    }

    func status() -> StatusReport {
        statusCount += 1
        return report
    }

    private(set) var retried: [String?] = []

    func retry(_ path: String?) throws(ServiceError) {
        guard path?.hasPrefix("/d/") != false else { throw .unreachablePath(path: path ?? "", reason: "elsewhere") }
        retried.append(path)
    }

    func explain(_ path: String) throws(ServiceError) -> ExplanationReport {
        guard path.hasPrefix("/d/") else { throw .unreachablePath(path: path, reason: "elsewhere") }
        return ExplanationReport(
            path: path, type: "com.adobe.pdf", mime: nil, evidence: "content", mismatch: true, unread: false,
            conformsTo: ["public.data"], destination: nil, arrival: listed.first)
    }

    func arrivals(_ state: ArrivalReport.State?) -> AnyIterator<ArrivalReport> {
        let wanted = listed.filter { state == nil || $0.state == state }
        var position = 0
        return AnyIterator { [self] in
            guard isEndless || position < wanted.count else { return nil }
            arrivalCount += 1
            position += 1
            return isEndless ? .waiting("/d/Inbox/\(position)") : wanted[position - 1]
        }
    }

    func events(since number: Int64?, boot: String?) throws(ServiceError) -> () -> EventReport? {
        guard boot != "unknown" else { throw .invalidParameter("boot") }
        var known = number ?? Int64(happened.count)
        followers += 1
        return { [self] in
            guard known < happened.count else { return nil }
            known += 1
            toldCount += 1
            return happened[Int(known) - 1]
        }
    }

    func service() throws -> Service { try .inbox(self, information: .inboxd, mayChange: true) }
}

extension ArrivalReport {
    static func waiting(_ path: String) -> ArrivalReport {
        ArrivalReport(path: path, state: .waiting, reason: "settling", size: 12, since: "2026-11-20T22:51:07Z")
    }

    static func held(_ path: String) -> ArrivalReport {
        ArrivalReport(
            path: path, state: .held, reason: "symlink", detail: "it points elsewhere", size: 3,
            since: "2026-11-20T22:51:07Z", next: "2026-11-20T22:51:08Z")
    }
}

/// Lets a connection answer until it has nothing to say, as a client that reads at once would see it.
func conversation(_ connection: inout Connection, _ service: Service) throws -> [Reply] {
    var splitter = FrameSplitter(longest: 1 << 24)
    var replies: [Reply] = []
    while connection.hasWork {
        let bytes = connection.bytesToSend(answeredBy: service)
        splitter.append(bytes)
        connection.sent(bytes.count)
        while case .message(let message)? = splitter.next() { replies.append(try Reply(parsing: message)) }
    }
    return replies
}

/// What a service replies to messages that arrive at once.
func replies(to calls: [UInt8]..., from inbox: FixedInbox = FixedInbox()) throws -> [Reply] {
    var connection = Connection(longestMessage: 64 * 1024)
    connection.receive(calls.joined())
    return try conversation(&connection, inbox.service())
}

func message(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
