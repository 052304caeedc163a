import InboxLinux

/// The history, as a run uses it.
package protocol HistoryLog: Sendable {
    /// Where the history ends now.
    var mark: HistoryMark { get }
    /// Appends the records of documents that have their names.
    func record(_ records: [FiledRecord], isDurable: Bool) throws(SyscallError)
    /// Appends the records of documents that are discarded, and makes sure that they are on the disk.
    func record(_ records: [DuplicateRecord]) throws(SyscallError)
}
