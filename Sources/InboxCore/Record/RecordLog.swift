import InboxFiling
import InboxLinux

/// The history, as all runs use it.
struct RecordLog: HistoryLog {
    let history: History

    var mark: HistoryMark { history.mark }

    func record(_ records: [FiledRecord], isDurable: Bool) throws(SyscallError) {
        var lines = ByteWriter()
        for record in records { record.append(to: &lines) }
        try history.append(lines.bytes, isDurable: isDurable)
    }

    func record(_ records: [DuplicateRecord]) throws(SyscallError) {
        try history.append(Array(records.map(\.line).joined()), isDurable: true)
    }
}
