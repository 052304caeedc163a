import InboxFiling
import InboxLinux

/// The journal and the history, as all batches use them.
struct RecordLog: FilingLog {
    /// Moves. More are not kept in the journal until the next start of the machine: on a disk whose every sync fails,
    /// their number would grow without end.
    private static let mostKept = 4096

    let journal: Journal
    let history: History

    var mark: HistoryMark { history.mark }

    func begin(_ documents: [PreparedDocument], isDurable: Bool) throws(SyscallError) {
        let mark = history.mark
        try journal.note(documents.map { $0.entry(since: mark) }, isDurable: isDurable)
    }

    func record(_ records: [FiledRecord], isDurable: Bool) throws(SyscallError) {
        var lines = ByteWriter()
        for record in records { record.append(to: &lines) }
        try history.append(lines.bytes, isDurable: isDurable)
    }

    func record(_ records: [DuplicateRecord]) throws(SyscallError) {
        try history.append(Array(records.map(\.line).joined()), isDurable: true)
    }

    func end(_ documents: [PreparedDocument]) throws(SyscallError) { try journal.end(documents.map(\.id)) }

    func leave(_ documents: [PreparedDocument]) { journal.rest(documents.map(\.id)) }

    func keep(_ documents: [PreparedDocument]) throws(SyscallError) {
        guard journal.openMoveCount <= Self.mostKept else { return try end(documents) }
        let mark = history.mark
        try journal.keep(documents.map { $0.entry(since: mark) })
    }
}
