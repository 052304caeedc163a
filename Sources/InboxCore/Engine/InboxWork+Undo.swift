import InboxFiling
import InboxLinux

/// Somebody wants a filed document back in the Inbox.
extension InboxWork {
    /// Puts a document back under its old name, where it is held until it changes or somebody asks for another try. The
    /// state of the pause does not matter: nothing is filed by this.
    /// - Parameters:
    ///   - documentType: what the document's record names; nil where that names none.
    ///   - isRecovered: whether recovery made that record.
    package func undo(
        _ order: UndoOrder, documentType: String?, isRecovered: Bool
    ) throws(UndoRefusal) -> UndoTicket {
        guard let filing else { throw .failed("the state folder cannot be used: see \"inboxctl status\"") }
        guard let inbox = intake.inboxes.first(where: { order.source.isInside($0.path) }) else {
            throw .elsewhere(order.source)
        }
        guard let root = rules.destinationRoots.first(where: { order.destination.isInside($0) }) else {
            throw .elsewhere(order.destination)
        }
        if handlers.handles(order.id.text, documentType, isRecovered: isRecovered) { throw .handled }
        let names = Array(order.source.names.dropFirst(inbox.path.names.count))
        if intake.arrival(at: names, in: inbox.path) != nil { throw .taken(order.source) }
        guard inbox.top != nil || intake.verification.makeRemoved(inbox, at: .current()) else {
            throw .failed("\(inbox.path) is missing")
        }
        return try filing.undo(order, from: root, to: inbox)
    }
}
