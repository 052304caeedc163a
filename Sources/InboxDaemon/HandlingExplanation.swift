import InboxCore
import InboxLinux
import InboxVarlink

/// Adds to what is known of a filed document its record, and how its handler runs or has ended: the history has both.
final class HandlingExplanation {
    /// The time for which the history is searched: a document that was never filed has no record in all of it.
    private static let patience = Duration.seconds(3)

    private var report: ExplanationReport
    private let work: InboxWork
    private let caller: ToldRecords
    private let records: () -> HistoryPart
    private let deadline = Instant.now() + patience

    /// Begins the search.
    init(
        _ report: ExplanationReport, at place: BytePath, for caller: UnixSocket.Peer, in work: InboxWork,
        _ reader: HistoryReader
    ) {
        self.report = report
        self.work = work
        var query = HistoryQuery()
        query.path = place.bytes
        // The newest are the ends of its handler and what was filed as this.
        query.limit = 4
        let access = RecordAccess(for: caller, beside: work.intake.roots.known)
        self.caller = ToldRecords(for: caller, in: work)
        let text = PathText(place.escapedText)
        query.isVisible = {
            $0["destination"]?.string.map(PathText.init) == text && $0["event"]?.string != "duplicate"
                && access.mayKnow($0)
        }
        records = reader.records(query, for: caller.user, in: work.configuration.stateFolder)
    }

    /// Returns the explanation; nil while it is searched for.
    func outcome() -> ExplainOutcome? {
        while true {
            switch records() {
            case .notYet where Instant.now() < deadline: return nil
            case .record(let record):
                // The newest comes last.
                if work.hasHandlers { report.handling = words(record) }
                switch record["event"]?.string {
                case "filed", "rejected": report.record = caller.told(record)
                case "undone": report.record = nil
                default: break
                }
            case .notYet, .failed, .end: return .explained(report)
            }
        }
    }

    private func words(_ record: JSONValue) -> String? {
        if record["event"]?.string == "filed", let id = record["id"]?.string {
            return work.handlers.progress(of: id, record["documentType"]?.string, at: .now())
        }
        guard record["event"]?.string == "handler" else { return nil }
        let tries = record["tries"]?.integer ?? 1
        let count = tries == 1 ? "1 try" : "\(tries) tries"
        let detail = record["detail"]?.string.map { ": \($0)" } ?? ""
        let outcome = record["outcome"]?.string ?? "ended"
        let time = record["time"]?.string.flatMap(Timestamp.init(wireTime:))?.localText ?? "-"
        return "\(outcome) at \(time), after \(count)\(detail)"
    }
}
