import InboxDetection
import InboxLinux
import Synchronization

/// The objects that filing needs besides the documents: shared by all batches and copies until the configuration
/// changes.
package struct FilingMeans: Sendable {
    /// Identifies documents.
    package var detector: Detector
    /// Where documents go.
    package var routing: RoutingRules
    /// Creates folders.
    package let making: FolderMaking
    /// The last numbers given to names.
    package let numbers = LastNumbers()
    /// The documents that are on their way to where identical ones are skipped.
    let underWay = DocumentsUnderWay()
    /// The documents that were filed so far; nil where nobody asks for them.
    package var filed: (any FiledDocuments)?
    /// Makes the ids of records.
    package let identifiers = RecordIdentifiers()
    /// The number of files and folders that one batch may have open, so that others always find some free.
    let mostOpen = Process.descriptors(oneIn: 4)
    /// The number of folders in one batch, each of which may have to be created and synced: somebody may wait for the
    /// next batch.
    var mostFolders = 256
    /// Once requested, no further name moves.
    package let abandonment = Abandonment()

    /// Means for one configuration.
    package init(
        detector: Detector, routing: RoutingRules, making: FolderMaking, filed: (any FiledDocuments)? = nil
    ) {
        self.filed = filed
        self.detector = detector
        self.making = making
        self.routing = routing
    }

    /// The means of another configuration.
    package mutating func adopt(_ routing: RoutingRules, detector: Detector) {
        self.detector = detector
        self.routing = routing
    }
}

/// A flag by which the loop asks workers to abandon what has not moved yet.
package final class Abandonment: Sendable {
    private let requested = Atomic<Bool>(false)

    /// Nothing requested yet.
    package init() {}

    /// The abandonment was requested.
    package var isRequested: Bool { requested.load(ordering: .relaxed) }

    /// Requests it, for good.
    package func request() { requested.store(true, ordering: .relaxed) }
}
