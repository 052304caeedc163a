import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// Explains a path at which nothing is any more: the history has where the document went.
final class PastExplanation {
    private let path: String
    private let place: BytePath
    private let records: () -> HistoryPart
    private var found: JSONValue?
    /// What is answered where the history has nothing that the caller may know.
    private let otherwise: ServiceError

    /// Begins the search.
    init(
        _ path: String, at place: BytePath, for caller: UnixSocket.Peer, in state: BytePath, _ reader: HistoryReader,
        otherwise: ServiceError
    ) {
        self.path = path
        self.place = place
        self.otherwise = otherwise
        var query = HistoryQuery()
        query.path = place.bytes
        query.limit = 1
        let access = RecordAccess(for: caller)
        query.isVisible = { $0.saysWhereDocumentIs && access.mayKnow($0) }
        records = reader.records(query, in: state)
    }

    /// What is known; nil while it is searched for.
    func outcome() -> ExplainOutcome? {
        while true {
            switch records() {
            case .notYet: return nil
            case .record(let record): found = record
            case .failed, .end:
                guard let found, let report = ExplanationReport(path, found) else { return .refused(otherwise) }
                return .explained(report)
            }
        }
    }
}

extension ExplanationReport {
    /// What a record says of a path; nil where it has no type.
    fileprivate init?(_ path: String, _ record: JSONValue) {
        guard let type = record["type"]?.string else { return nil }
        // A document that was put back is in the Inbox again.
        let isBack = record["event"]?.string == "undone"
        self.init(
            path: path, type: type, mime: record["mime"]?.string, evidence: record["evidence"]?.string ?? "none",
            mismatch: false, unread: false, conformsTo: UTType(type)?.conformanceList.map(\.identifier) ?? [],
            destination: record[isBack ? "source" : "destination"]?.string, arrival: nil)
        self.record = record
    }
}
