import InboxFiling
import InboxLinux

/// The parts of the state folder that handlers use.
struct HandlerRecords {
    let state: OpenFolder
    let history: History
    /// Nil while there are no handlers.
    var journal: HandlerJournal?

    /// Both that a handler needs; nil while there are no handlers.
    var inUse: (history: History, journal: HandlerJournal)? { journal.map { (history, $0) } }
}
