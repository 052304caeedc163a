import InboxCore
import InboxDetection
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// What the control socket tells of the work.
struct StatusReports: InboxService {
    let work: InboxWork
    private let since = Timestamp.now()

    init(_ work: InboxWork) {
        self.work = work
    }

    /// What `GetStatus` answers.
    func status() -> StatusReport {
        let intake = work.intake
        return StatusReport(
            version: ServiceInformation.inboxd.version, pid: Process.current, since: since.text, paused: false,
            state: intake.problems.isEmpty ? .watching : .degraded, problems: intake.problems.all,
            documents: work.configuration.documents.escapedText, inboxes: intake.inboxes.map(Self.report),
            counters: Self.counters(intake.accounting))
    }

    private static func report(_ inbox: Inbox) -> StatusReport.Inbox {
        let watching: StatusReport.Inbox.Watching =
            switch inbox.watching {
            case .inotify: .inotify
            case .polling: .polling
            case .missing: .missing
            }
        return StatusReport.Inbox(path: inbox.path.escapedText, watching: watching, folders: inbox.folderCount)
    }

    private static func counters(_ accounting: Accounting) -> StatusReport.Counters {
        var counters = StatusReport.Counters()
        counters.seen = accounting.seen
        counters.filed = accounting.filed
        counters.duplicates = accounting.duplicates
        counters.ignored = accounting.ignored
        counters.waiting = accounting.waiting
        counters.held = accounting.held
        counters.withdrawn = accounting.withdrawn
        counters.bytesFiled = Int64(clamping: accounting.bytesFiled)
        counters.overflows = accounting.overflows
        counters.rescans = accounting.rescans
        return counters
    }

    /// What `ListArrivals` answers: the numbers are taken now, each report is made when it is due, and an arrival that
    /// has gone meanwhile is left out.
    func arrivals(_ state: ArrivalReport.State?) -> AnyIterator<ArrivalReport> {
        let intake = work.intake
        var rest = intake.arrivals(state.flatMap { ArrivalState.Group(rawValue: $0.rawValue) }).map(\.id).makeIterator()
        return AnyIterator {
            while let id = rest.next() {
                if let arrival = intake.arrival(id) { return Self.report(arrival, at: .current()) }
            }
            return nil
        }
    }

    private static func bytePath(_ path: String) throws(ServiceError) -> BytePath {
        guard let bytes = EscapedBytes.bytes(path) else { throw .invalidParameter("path") }
        return BytePath(bytes: bytes)
    }

    private static func refusal(_ failure: Explanation.Failure, _ path: String) -> ServiceError {
        switch failure {
        case .elsewhere: .unreachablePath(path: path, reason: "it lies neither in an Inbox nor in Documents")
        case .failed(let error): .unreachablePath(path: path, reason: "\(error.errno)")
        }
    }

    /// What `Retry` does.
    func retry(_ path: String?) throws(ServiceError) {
        let place: BytePath? = if let path { try Self.bytePath(path) } else { nil }
        do throws(Explanation.Failure) { try work.retry(place, at: .current()) } catch {
            throw Self.refusal(error, path ?? "")
        }
    }

    /// What `Explain` answers.
    func explain(_ path: String) throws(ServiceError) -> ExplanationReport {
        let place = try Self.bytePath(path)
        let explanation: Explanation
        do throws(Explanation.Failure) {
            explanation = try work.explain(place)
        } catch {
            throw Self.refusal(error, path)
        }
        let detection = explanation.detection
        return ExplanationReport(
            path: path, type: detection.type.identifier, mime: detection.mime, evidence: detection.evidence.rawValue,
            mismatch: detection.mismatch, unread: detection.unread,
            conformsTo: detection.type.conformanceList.map(\.identifier),
            destination: explanation.destination?.escapedText,
            arrival: explanation.arrival.map { Self.report($0, at: .current()) })
    }

    private static func report(_ arrival: Arrival, at moment: Moment) -> ArrivalReport {
        let state: ArrivalReport.State =
            switch arrival.state.group {
            case .waiting: .waiting
            case .held: .held
            case .ignored: .ignored
            }
        return ArrivalReport(
            path: arrival.path.escapedText, state: state, reason: arrival.state.reason ?? "ignored",
            detail: detail(arrival), size: Int64(clamping: arrival.status.size),
            copied: arrival.copied.map { Int64(clamping: $0) }, since: arrival.since.text,
            next: arrival.nextLook == .never ? nil : moment.wall(at: arrival.nextLook).text)
    }

    /// What is behind the state, in words; of a copy, how far it has come.
    private static func detail(_ arrival: Arrival) -> String? {
        guard let copied = arrival.copied else { return arrival.detail }
        let size = arrival.status.size
        let share = size > 0 ? Int(Double(min(copied, size)) / Double(size) * 100) : 100
        return "\(copied) of \(size) bytes (\(share) %)"
    }
}
