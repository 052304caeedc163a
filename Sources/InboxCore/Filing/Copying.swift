import InboxLinux

/// Brings documents to other filesystems, one job at a time, while batches on the same filesystem go on.
final class Copying {
    /// A job has so many documents at most, and so many bytes unless it has one document only: leases are held for as
    /// long as it takes, and writers wait for them.
    private static let most = 64
    private static let mostBytes: UInt64 = 16 << 20

    private let intake: Intake
    private let history: History
    private let journal: CopyJournal
    private let worker: Worker<CopyJob, CopyJob.Report>
    private let abort = CopyAbort()
    private let destinations: DestinationFolders
    private var underWay: [InHand] = []
    /// A document that was taken in hand and had no room in the job before.
    private var next: InHand?

    init(
        intake: Intake, documents: BytePath, history: History, journal: CopyJournal,
        worker: Worker<CopyJob, CopyJob.Report>
    ) {
        self.intake = intake
        self.history = history
        self.journal = journal
        self.worker = worker
        destinations = DestinationFolders(documents: documents)
    }
}
