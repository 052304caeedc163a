import InboxFiling
import InboxLinux

/// What the worker of a lane does.
enum BatchJob: Sendable {
    /// Files documents.
    case file(FilingBatch)
    /// Creates the empty folders of trees.
    case mirror(FolderMirroring)
    /// Discards documents that are identical to others.
    case discard(DiscardBatch)
    /// Records what moved earlier, when the history could not be written.
    case record(MovedDocuments, any FilingLog)

    func perform() -> BatchReport {
        switch self {
        case .file(let batch): return batch.perform()
        case .mirror(let folders): return folders.perform()
        case .discard(let batch): return batch.perform()
        case .record(let moved, let log):
            var report = BatchReport(recordingAgain: moved)
            FilingBatch.record(log, &report)
            return report
        }
    }
}
