import InboxLinux

/// Brings documents to another filesystem, on a worker: several small ones share their syncs.
///
/// The order is that of the claim protocol; each step depends on the one before. The journal has the claim; the source is
/// renamed into the staging folder; content and attributes of the copy reach the disk; the source is proved again, and the
/// journal has the marks of the copy; the copy gets its name, of which none is ever replaced, and which is never taken
/// back; the folder reaches the disk; the history has the record; the source goes, if it is still what was copied, else
/// it returns to the Inbox; the entry ends.
package struct ClaimJob: Sendable {
    /// One document.
    package struct Task: Sendable {
        let request: FilingRequest
        let progress: CopyProgress
        /// The document as the batch has prepared it from which it comes; nil where that is to be done.
        let prepared: PreparedDocument?

        /// The document of a request.
        package init(_ request: FilingRequest, _ progress: CopyProgress, prepared: PreparedDocument? = nil) {
            self.request = request
            self.progress = progress
            self.prepared = prepared.flatMap { $0.isFor(request) ? $0 : nil }
        }
    }

    /// What came of a job.
    package struct Report: Sendable {
        /// The documents that it is about.
        package internal(set) var requests: [FilingRequest] = []
        /// What came of each.
        package internal(set) var results: [ClaimResult] = []
        /// Why the state folder could not be written; nil where it could.
        package internal(set) var stateFailure: BatchReport.StateFailure?
        /// What is worth a line of the log.
        package internal(set) var notices: [String] = []
        /// Whether entries were left open, so that recovery has to end them.
        package internal(set) var hasOpenEntries = false

        /// Nothing came of it yet.
        package init() {}

        /// Whether anything was recorded, so that the state folder works.
        package var hasRecorded: Bool {
            results.contains { result in
                switch result {
                case .filed, .returned: true
                case .unrecorded, .refused, .left: false
                }
            }
        }
    }

    /// What all jobs share.
    package struct Means: Sendable {
        /// Where the claims are written down.
        package let journal: Journal
        /// Where they are recorded.
        var log: any HistoryLog
        let staging: StagingFolders
        let naming = NamingCapabilities()
        /// Once requested, what has not reached its destination yet is given up.
        package let abandonment: Abandonment

        package init(journal: Journal, log: any HistoryLog, staging: StagingFolders, abandonment: Abandonment) {
            self.journal = journal
            self.log = log
            self.staging = staging
            self.abandonment = abandonment
        }
    }

    private let tasks: [Task]
    private let filing: FilingMeans
    private let root: DestinationRoot
    private let inboxFolders: Set<FileKey>
    private let comparing: ComparingTime
    private let means: Means

    /// A job of these documents.
    /// - Parameters:
    ///   - root: the folder that destinations lie beneath.
    ///   - inboxFolders: the folders of the Inboxes, which are no destination.
    ///   - comparing: how long documents are compared with those at their destinations.
    package init(
        _ tasks: [Task], to root: DestinationRoot, inboxFolders: Set<FileKey>, comparing: ComparingTime,
        filing: FilingMeans, means: Means
    ) {
        self.comparing = comparing
        self.tasks = tasks
        self.filing = filing
        self.root = root
        self.inboxFolders = inboxFolders
        self.means = means
    }

    /// Does the job.
    package func perform() -> Report {
        let preparation = Preparation(
            filing, to: root, inboxFolders: inboxFolders, comparing: comparing, at: .current())
        var documents: [ClaimDocument] = []
        var failure: SyscallError?
        let refusals = tasks.map { task -> FilingOutcome? in
            do throws(Refusal) {
                if means.abandonment.isRequested { throw Refusal(.changed) }
                let prepared: PreparedDocument
                if let known = task.prepared {
                    prepared = known
                } else {
                    prepared = try preparation.prepare(task.request)
                }
                documents.append(
                    try ClaimDocument(
                        prepared, from: preparation.sources, documents: root, progress: task.progress))
                return nil
            } catch {
                failure = failure ?? error.journalFailure
                return error.outcome
            }
        }
        let run = ClaimRun(documents, means)
        // Until the copies have their names it keeps identical documents waiting.
        withExtendedLifetime(preparation) { if !documents.isEmpty { run.perform() } }
        var report = run.report
        var results = run.results[...]
        report.requests = tasks.map(\.request)
        if let failure { report.stateFailure = BatchReport.StateFailure(file: "the journal", error: failure) }
        report.results = refusals.map { refusal in
            refusal.map { .refused($0) } ?? results.popFirst() ?? .refused(.changed)
        }
        return report
    }
}
