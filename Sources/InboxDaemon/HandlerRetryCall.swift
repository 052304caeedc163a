import InboxCore
import InboxLinux
import InboxVarlink

/// A call of `Retry` with the id of a record: searches the history for the document, then has its handler run again.
final class HandlerRetryCall {
    private let id: String
    private let work: InboxWork
    private let records: () -> HistoryPart
    private var filed: JSONValue?
    private var isBack = false
    private var isDone = false

    /// Begins the search.
    init(_ id: String, for caller: UnixSocket.Peer, in work: InboxWork, _ reader: HistoryReader) {
        self.id = id
        self.work = work
        var query = HistoryQuery()
        query.id = id
        records = reader.records(query, for: caller.user, in: work.configuration.stateFolder)
    }

    /// Returns the outcome of the call; nil while the history is searched.
    func outcome() -> RetryOutcome? {
        while true {
            switch records() {
            case .notYet: return nil
            case .failed(let error): return .refused(error)
            case .record(let record):
                if record["event"]?.string == "filed" { filed = record }
                if record["event"]?.string == "undone" { isBack = true }
                if record["event"]?.string == "handler", record["outcome"]?.string == "done" { isDone = true }
            case .end: return begin()
            }
        }
    }

    private func begin() -> RetryOutcome {
        guard let filed else { return refused("no filed document has this id") }
        guard !isBack else { return refused("the document was put back into the Inbox") }
        guard !isDone else { return refused("its handler has done its work") }
        switch work.handlers.retry(recordedAs: Array(filed.text.utf8)) {
        case .begun: return .retried(RetryReport(arrivals: 0, paused: work.isPaused, handlers: 1))
        case .unhandled: return refused("its document type has no handler")
        case .underWay: return refused("its handler has not ended: \"inboxctl explain\" says how far it is")
        }
    }

    private func refused(_ reason: String) -> RetryOutcome { .refused(.unreachablePath(path: id, reason: reason)) }
}
