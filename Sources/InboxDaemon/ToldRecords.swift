import InboxCore
import InboxLinux
import InboxVarlink

/// Records of the history as a caller may know them who may know that they are there.
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
    /// Of where in the Inbox it came from nothing, if he could not list that folder now and the document is not his own; of
    /// a document that is no longer where it was filed, nothing that was inside it: nobody can say whether he could have
    /// read that.
    func told(_ record: JSONValue) -> JSONValue {
        guard !access.isTrusted, case .object(var members) = record else { return record }
        let isBack = record["event"]?.string == "undone"
        func path(_ name: String) -> BytePath? { record[name]?.string.flatMap(BytePath.init(escapedText:)) }
        guard let place = path(isBack ? "source" : "destination") else { return record }
        if !ask(at: place, { $0.isThere(place) }) { for name in ["annotations", "identity"] { members[name] = nil } }
        if let source = path("source"), !ask(at: source, { $0.mayKnowSource(record) }) { members["source"] = nil }
        return .object(members)
    }

    private func ask(at path: BytePath, _ question: @escaping @Sendable (RecordAccess) -> Bool) -> Bool {
        let access = access
        do throws(Explanation.Failure) { return try work.ask(at: path) { question(access) } } catch {
            // Its mount does not answer: nobody can say.
            return false
        }
    }
}
