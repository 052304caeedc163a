import InboxCore
import InboxFiling
import InboxLinux
import InboxVarlink

/// Adds to what is known of a filed document its record, and how its handler runs or has ended: the history has both.
final class HandlingExplanation {
    /// The time for which the history is searched: a document that was never filed has no record in all of it.
    private static let patience = Duration.seconds(3)

    private var report: ExplanationReport
    private let work: InboxWork
    private let caller: ToldRecords
    private let place: PathText
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
        query.renaming = MemberName.renamed
        // The newest are the ends of its handler and what was filed as this.
        query.limit = 4
        let access = RecordAccess(for: caller, beside: work.intake.roots.known)
        self.caller = ToldRecords(for: caller, in: work)
        let text = PathText(place.escapedText)
        self.place = text
        query.isVisible = { record in
            (Self.isDocument(record, at: text)
                || record.members(by: MemberName.renamed).contains { PathText($0.destination) == text })
                && record["event"]?.string != "duplicate" && access.mayKnow(record)
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
                let isDocument = Self.isDocument(record, at: place)
                if work.hasHandlers, isDocument { report.handling = words(record) }
                switch record["event"]?.string {
                case "filed", "rejected":
                    report.record = caller.told(record)
                    if !isDocument { takeDocumentType(of: record) }
                case "undone": report.record = nil
                default: break
                }
            case .notYet, .failed, .end: return .explained(report)
            }
        }
    }

    private static func isDocument(_ record: JSONValue, at place: PathText) -> Bool {
        record["destination"]?.string.map(PathText.init) == place
    }

    /// It was filed with another document, whose document type decided for both.
    private func takeDocumentType(of record: JSONValue) {
        let name = record.path("destination")?.lastComponent ?? []
        let words = "it was filed with \(EscapedBytes.printable(name))"
        let documentType = record["documentType"]?.string
        report.documentTypes =
            documentType.map { [DocumentTypeReport(name: $0, contentType: nil, wins: true, reason: words, run: nil)] }
            ?? []
        report.unclaimed = documentType == nil ? "none: \(words)" : nil
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
