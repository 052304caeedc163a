import InboxLinux
import Synchronization

/// The log of a run that puts a document back: it writes down that the document is held, and then that it was put back.
final class UndoLog: HistoryLog {
    private let order: UndoOrder
    private let target: OpenFolder
    private let log: UndoJob.Log
    private let made = Mutex<UndoJob.Done?>(nil)

    init(_ order: UndoOrder, in target: OpenFolder, _ log: UndoJob.Log) {
        self.order = order
        self.target = target
        self.log = log
    }

    /// The document that was written down as put back; nil before that.
    var done: UndoJob.Done? { made.withLock { $0 } }

    var mark: HistoryMark { log.filing.mark }

    func record(_ records: [FiledRecord], isDurable: Bool) throws(SyscallError) {
        for record in records {
            guard let name = FileName(record.destination.lastComponent) else { continue }
            let undone = try UndoJob.Done(
                of: order.id, at: order.destination, record, name, in: target, for: order.user)
            // Before the record, so that a document that is recorded as put back is never filed again by itself.
            try log.hold(undone.document)
            try log.append(undone.record.line)
            made.withLock { $0 = undone }
        }
    }

    /// Nothing that is put back is discarded.
    func record(_ records: [DuplicateRecord]) {}
}
