import InboxCore
import InboxLinux
import InboxVarlink

/// Records of the history without what a caller may not know of them.
struct ToldRecords {
    /// Which records he may know.
    let access: RecordAccess
    private let work: InboxWork

    init(for caller: UnixSocket.Peer, in work: InboxWork) {
        access = RecordAccess(for: caller, beside: work.intake.roots.known)
        self.work = work
    }

    /// As much of a record as the caller may know.
    ///
    /// The source is left out where he may not know it (``RecordAccess/mayKnowSource(_:)``), the destination of a document
    /// that was put back where he may not know that (``RecordAccess/mayKnowDestination(_:)``), and what was inside a
    /// document that is no longer where it was filed: nobody can say whether he could have read that.
    func told(_ record: JSONValue) -> JSONValue {
        guard !access.isTrusted, case .object(var members) = record,
            let place = record.path(record.isPutBack ? "source" : "destination")
        else { return record }
        if !ask(place, { $0.isThere(place) }) {
            let inside = [
                "annotations", "facts", "detail", "sha256", "owner", "identity", "date", "dateFrom", "title", "author",
                "origin",
                "application",
            ]
            for name in inside { members[name] = nil }
        }
        if !access.mayKnowSource(record, asking: ask) { members["source"] = nil }
        if let past = record.path("destination"), record.isPutBack, !ask(past, { $0.mayKnowDestination(record) }) {
            members["destination"] = nil
        }
        return .object(members)
    }

    private func ask(_ path: BytePath, _ question: @escaping @Sendable (RecordAccess) -> Bool) -> Bool {
        work.isTrue(at: path) { [access] in question(access) }
    }
}
