import InboxFiling
import InboxLinux

/// Somebody wants a filed document back in the Inbox.
extension InboxWork {
    /// Puts a document back under its old name, where it is held until it changes or somebody asks for another try. The
    /// state of the pause does not matter: nothing is filed by this.
    /// - Parameter documentType: what the document's record names; nil where that names none.
    /// - Returns: nil as long as the job that has made the record goes on.
    package func undo(
        _ order: UndoOrder, documentType: String?
    ) throws(UndoRefusal) -> UndoTicket? {
        guard let filing else { throw .failed("the state folder cannot be used: see \"inboxctl status\"") }
        // Before all else: a document that is being put back may have its old name already.
        guard try filing.hasEnded(order.id) else { return nil }
        guard let inbox = intake.inboxes.first(where: { order.source.isInside($0.path) }) else {
            let isInbox = intake.inboxes.contains { $0.path == order.source }
            throw isInbox ? .inboxName(order.source, filed: order.destination) : .elsewhere(order.source)
        }
        guard let root = rules.destinationRoots.first(where: { order.destination.isInside($0) }) else {
            throw .elsewhere(order.destination)
        }
        if handlers.handles(order.id.text, documentType) { throw .handled }
        let names = Array(order.source.names.dropFirst(inbox.path.names.count))
        if let arrival = intake.arrival(at: names, in: inbox.path) {
            // It may be the document itself, whose job has ended its entry and is about to report that.
            let isAlike = arrival.phase == .inFlight && arrival.facts?.status.size == order.size
            if isAlike, filing.mayReportEnd(at: order.source) { return nil }
            throw .taken(order.source)
        }
        guard inbox.top != nil || intake.verification.makeRemoved(inbox, at: .current()) else {
            throw .failed("\(inbox.path) is missing")
        }
        return try filing.undo(order, from: root, to: inbox)
    }

    /// The true reason where the history has no record of this id: its filing has not ended.
    package func reason(_ refusal: UndoRefusal, of id: RecordID) -> UndoRefusal {
        guard case .unknown = refusal, let entry = filing?.records.journal.unfinished(id) else { return refusal }
        return .unfinished(entry)
    }
}
