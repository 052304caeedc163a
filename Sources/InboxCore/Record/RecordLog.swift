import InboxFiling
import InboxLinux

/// The history, as all runs use it, and the journal as far as it has the handlers that are due.
struct RecordLog: HistoryLog {
    let journal: Journal
    let history: History

    var mark: HistoryMark { history.mark }

    func record(_ records: [FiledRecord], isDurable: Bool) throws(SyscallError) {
        try record(records, with: [], isDurable: isDurable)
    }

    /// Appends the records of documents and lines that follow them, and writes down which handlers are due now.
    /// - Parameter isFound: nobody else reports these documents to those who run the handlers.
    func record(
        _ records: [FiledRecord], with others: [UInt8], isDurable: Bool, isFound: Bool = false
    ) throws(SyscallError) {
        let types = journal.handlerTypes
        var lines = ByteWriter(room: records.count << 10)
        var handled: [(record: FiledRecord, start: Int)] = []
        for record in records {
            let hasHandler = !types.isEmpty && !record.isRejected && record.documentType.map(types.contains) == true
            if hasHandler { handled.append((record, lines.count)) }
            record.append(to: &lines)
        }
        let appended = try history.append(
            others.isEmpty ? lines.bytes : lines.bytes + others, isDurable: isDurable)
        let due = handled.compactMap { record, start in
            appended.place(of: start).map {
                DueHandler(id: record.id, at: $0, owner: record.owner ?? Process.user)
            }
        }
        journal.note(due: due, isFound: isFound)
    }

    func record(_ records: [DuplicateRecord]) throws(SyscallError) {
        try history.append(Array(records.map(\.line).joined()), isDurable: true)
    }
}
