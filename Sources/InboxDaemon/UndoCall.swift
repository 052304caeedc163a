import InboxCore
import InboxFiling
import InboxLinux
import InboxVarlink

/// A call of `Undo`: searches the history for the document, then puts the document back.
final class UndoCall {
    /// Seconds: where a wall clock was set back by more than this, the whole history is searched.
    private static let clockSlack: Int64 = 86_400

    private let id: String
    private let user: UInt32
    private let work: InboxWork
    private var search: Search
    /// The record that the history has of the document.
    private var filed: JSONValue?
    private var ending: JSONValue?
    private var ticket: UndoTicket?

    /// Where the search is.
    private struct Search {
        /// Begins to search what is not older than a time; nil: the whole history.
        let begin: (Timestamp?) -> () -> HistoryPart
        var records: () -> HistoryPart
        /// Nothing older is left that was not searched.
        var isWhole: Bool
        var isOver = false
    }

    /// Begins the search.
    init(_ id: String, for caller: UnixSocket.Peer, work: InboxWork, reader: HistoryReader) {
        self.id = id
        user = caller.user
        self.work = work
        let folder = work.configuration.stateFolder
        let begin = { [user] (since: Timestamp?) in
            var query = HistoryQuery()
            (query.id, query.since) = (id, since)
            return reader.records(query, for: user, in: folder)
        }
        let since = RecordID(id).map { Timestamp(seconds: $0.seconds - Self.clockSlack, nanoseconds: 0) }
        search = Search(begin: begin, records: since.map(begin) ?? { .end }, isWhole: since == nil)
    }

    /// Returns the outcome of the call; nil while it is under way.
    func outcome() -> UndoOutcome? {
        do throws(UndoRefusal) {
            if ticket == nil {
                if let failure = try findRecords() { return .refused(failure) }
                guard ticket != nil else { return nil }
            }
            switch ticket?.ending {
            case nil: return nil
            case .done(let path)?: return .undone(path: path.escapedText)
            case .refused(let refusal)?: throw refusal
            }
        } catch {
            let reason = RecordID(id).map { work.reason(error, of: $0) } ?? error
            return .refused(.notUndone(id: id, reason: reason.word, detail: "\(reason)"))
        }
    }

    /// Takes the records that were found; the document is put back once there are no more, and its filing has ended.
    private func findRecords() throws(UndoRefusal) -> ServiceError? {
        while !search.isOver {
            switch search.records() {
            case .notYet: return nil
            case .failed(let error): return error
            case .record(let record): take(record)
            case .end where filed == nil && ending == nil && !search.isWhole:
                // Identifiers go on from the latest time that the clock has shown, and records have the clock's own.
                search.isWhole = true
                search.records = search.begin(nil)
            case .end: search.isOver = true
            }
        }
        ticket = try work.undo(try order(), documentType: filed?["documentType"]?.string)
        return nil
    }

    private func take(_ record: JSONValue) {
        switch record["event"]?.string {
        case "filed"?, "rejected"?: filed = record
        case "duplicate"?, "undone"?: ending = record
        default: break
        }
    }

    private func order() throws(UndoRefusal) -> UndoOrder {
        if let ending, ending["event"]?.string == "duplicate", let twin = ending.path("destination") {
            throw .discarded(twin: twin)
        }
        if ending != nil { throw .undone }
        guard let filed, let id = RecordID(id), let source = filed.path("source"),
            let destination = filed.path("destination"), let size = filed["size"]?.integer,
            let time = filed["time"]?.string.flatMap(Timestamp.init(wireTime:))
        else { throw .unknown }
        if work.intake.roots.known.isSilent(destination) { throw .failed("the mount that it is on does not answer") }
        var identity: FileIdentity?
        if case .array(let numbers)? = filed["identity"] {
            identity = FileIdentity(numbers: numbers.compactMap(\.string))
        }
        var members: [FileName] = []
        if case .array(let names)? = filed["members"] {
            members = names.compactMap { $0.string.flatMap { EscapedBytes.bytes($0) }.flatMap { FileName($0) } }
        }
        return UndoOrder(
            id: id, time: time, source: source, destination: destination, size: UInt64(clamping: size),
            identity: identity, members: members, user: user)
    }
}
