import InboxLinux

/// The history, as a claim uses it.
package protocol HistoryLog: Sendable {
    /// Where the history ends now.
    var mark: HistoryMark { get }
    /// Appends the records of documents that have their names.
    func record(_ records: [FiledRecord], isDurable: Bool) throws(SyscallError)
    /// Appends the records of documents that are discarded, and makes sure that they are on the disk.
    func record(_ records: [DuplicateRecord]) throws(SyscallError)
}

/// The journal and the history, as a batch uses them.
package protocol FilingLog: HistoryLog {
    /// Writes down what is about to happen to these documents, before any of their names moves.
    func begin(_ documents: [PreparedDocument], isDurable: Bool) throws(SyscallError)
    /// Ends the journal entries of these documents.
    func end(_ documents: [PreparedDocument]) throws(SyscallError)
    /// Leaves the journal entries of these documents to recovery.
    func leave(_ documents: [PreparedDocument])
    /// These documents have moved and are recorded, though the disk failed to say that it keeps the moves: what became of
    /// them is found out when the machine has restarted.
    func keep(_ documents: [PreparedDocument]) throws(SyscallError)
}
