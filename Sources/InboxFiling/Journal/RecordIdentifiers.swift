import InboxLinux
import Synchronization

/// Makes the ids of records on whichever thread.
package final class RecordIdentifiers: Sendable {
    private let source = Mutex(RecordID.Source())

    /// Makes ids that grow from one to the next.
    package init() {}

    /// The next one, at this time of the wall clock.
    package func next(at time: Timestamp) -> RecordID { source.withLock { $0.next(at: time) } }
}
