import InboxLinux
import InboxVarlink

/// A daemon that answers with what the test gives it, and counts how many arrivals it was asked for.
final class FixedInbox: InboxService {
    var report: StatusReport
    var listed: [ArrivalReport]
    /// Makes arrivals without end, in place of those listed.
    var isEndless = false
    /// So many of the first arrivals and events may the caller not know.
    var hiddenCount = 0
    private(set) var statusCount = 0
    private(set) var arrivalCount = 0
    /// What has happened, numbered from 1.
    var happened: [EventReport] = []
    private(set) var followers = 0
    private(set) var reportedCount = 0

    init(_ listed: [ArrivalReport] = []) {
        self.listed = listed
        var counters = Accounting()
        counters.bytesFiled = 9_007_199_254_740_993
        report = StatusReport(
            version: "1.2.3", pid: 4711, since: "2026-11-20T22:51:07.042Z", paused: false, state: .watching,
            problems: ["the disk is full"], documents: "/d/caf\\xe9",
            inboxes: [.init(path: "/d/Inbox", watching: .inotify, folders: 3)], counters: counters)
    }

    func status(for caller: UnixSocket.Peer) -> StatusReport {
        statusCount += 1
        return report
    }

    private(set) var retried: [String?] = []
    /// Who may do everything; nobody else may.
    var permitted: Set<UInt32> = [UnixSocket.Peer.nobody.user]
    /// What was refused.
    private(set) var refused: [String] = []
    /// The records of the history, and how often there is nothing yet before each.
    var records: [JSONValue] = []
    var pausesBetweenRecords = 0
    /// What became of scans and deliveries that were asked for; nil as long as they go on.
    var scan: RescanReport?
    var delivered: PutNews?
    /// How many bytes each delivery has copied when it is asked, one number after the other.
    var copied: [Int64] = []
    private(set) var puts: [PutCall] = []
    /// How often a document is not put back yet.
    var pausesOfUndo = 0
    private(set) var undone: [String] = []
    private(set) var isPaused = false

    func permits(_ right: Right, to method: String, _ caller: UnixSocket.Peer) -> Bool {
        if permitted.contains(caller.user) { return true }
        refused.append("\(method) \(right) \(caller.user)")
        return false
    }

    func retryHandler(_ id: String, for caller: UnixSocket.Peer) -> () -> RetryOutcome? {
        { .retried(RetryReport(arrivals: 0, handlers: 1)) }
    }

    func retry(_ path: String?) throws(ServiceError) -> () -> RetryOutcome? {
        guard path?.hasPrefix("/d/") != false else { throw .unreachablePath(path: path ?? "", reason: "elsewhere") }
        retried.append(path)
        return { [self] in
            path == "/d/gone"
                ? .refused(.unreachablePath(path: "/d/gone", reason: "gone"))
                : .retried(RetryReport(arrivals: 3, paused: isPaused))
        }
    }

    func undo(_ id: String, for caller: UnixSocket.Peer) -> () -> UndoOutcome? {
        var pauses = pausesOfUndo
        return { [self] in
            pauses -= 1
            guard pauses < 0 else { return nil }
            undone.append(id)
            return .undone(path: "/d/Inbox/a")
        }
    }

    func pause() -> PauseReport {
        defer { isPaused = true }
        return PauseReport(changed: !isPaused, waiting: 2)
    }

    func resume() -> ResumeReport {
        defer { isPaused = false }
        return ResumeReport(changed: isPaused, ready: 1)
    }

    func rescan() -> () -> RescanReport? { { [self] in scan } }

    func reload() throws(ServiceError) -> ReloadReport {
        guard !isPaused else { throw .brokenConfiguration(["conf:1: what is this?"]) }
        return ReloadReport(changed: true, files: ["/etc/inboxd/inboxd.conf"], notices: [])
    }

    func configuration() -> String { "[Inbox]\nSettle=1s\n" }

    func metrics() -> String { "# EOF\n" }

    func history(_ call: HistoryCall, for caller: UnixSocket.Peer) -> () -> HistoryPart {
        var rest = Array(records.suffix(call.limit ?? .max))
        var pauses = pausesBetweenRecords
        return { [self] in
            guard !rest.isEmpty else { return .end }
            guard pauses == 0 else {
                pauses -= 1
                return .notYet
            }
            pauses = pausesBetweenRecords
            return .record(rest.removeFirst())
        }
    }

    func put(_ delivery: PutCall, from caller: UnixSocket.Peer) throws(ServiceError) -> () -> PutNews? {
        puts.append(delivery)
        var reported = 0
        return { [self] in
            guard reported < copied.count else { return delivered }
            reported += 1
            return .copied(copied[reported - 1])
        }
    }

    func explain(_ call: ExplainCall, for caller: UnixSocket.Peer) throws(ServiceError) -> () -> ExplainOutcome? {
        guard case .path(let path) = call else { throw .invalidParameter("fd") }
        guard path.hasPrefix("/d/") else { throw .unreachablePath(path: path, reason: "elsewhere") }
        let report = ExplanationReport(
            path: path, type: "com.adobe.pdf", mime: nil, evidence: "content", mismatch: true, unread: false,
            conformsTo: ["public.data"], destination: nil, arrival: listed.first)
        return { .explained(report) }
    }

    func arrivals(_ state: ArrivalReport.State?, for caller: UnixSocket.Peer) -> AnyIterator<ArrivalReport?> {
        let wanted = listed.filter { state == nil || $0.state == state }
        var position = 0
        return AnyIterator { [self] in
            guard isEndless || position < wanted.count else { return nil }
            arrivalCount += 1
            if arrivalCount <= hiddenCount { return .some(nil) }
            position += 1
            return isEndless ? .waiting("/d/Inbox/\(position)") : wanted[position - 1]
        }
    }

    func events(
        since number: Int64?, boot: String?, for caller: UnixSocket.Peer
    ) throws(ServiceError) -> () -> EventNews {
        guard boot != "unknown" else { throw .invalidParameter("boot") }
        var known = number ?? Int64(happened.count)
        followers += 1
        return { [self] in
            guard known < happened.count else { return .notYet }
            known += 1
            reportedCount += 1
            return known <= hiddenCount ? .passedOver : .event(happened[Int(known) - 1])
        }
    }

    func service() throws -> Service { try .inbox(self, information: .inboxd) }
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

/// What a connection sends first, how many turns it took for that, and how much one turn added to a count at most.
func firstWords(
    _ connection: inout Connection, _ service: Service, counting count: () -> Int
) -> (turns: Int, most: Int, text: String) {
    var (turns, most) = (0, 0)
    var bytes: ArraySlice<UInt8> = []
    while bytes.isEmpty, connection.hasWork {
        let before = count()
        bytes = connection.bytesToSend(answeredBy: service)
        most = max(most, count() - before)
        turns += 1
    }
    return (turns, most, String(decoding: bytes, as: UTF8.self))
}

/// What a service replies to messages that arrive at once.
func replies(to calls: [UInt8]..., from inbox: FixedInbox = FixedInbox()) throws -> [Reply] {
    var connection = Connection(longestMessage: 64 * 1024)
    connection.receive(calls.joined())
    return try conversation(&connection, inbox.service())
}

func message(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
