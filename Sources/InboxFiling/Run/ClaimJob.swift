import InboxLinux

/// Brings documents to another filesystem, or discards those that are identical to files at their destinations, on a worker:
/// several small ones share their syncs.
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

    /// The objects that all jobs share.
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

    /// The work of a job.
    private enum Work: Sendable {
        case copy([Task], FilingMeans, DestinationRoot, inboxFolders: Set<FileKey>, ComparingTime)
        case discard([IdenticalDocument])
    }

    private let work: Work
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
        work = .copy(tasks, filing, root, inboxFolders: inboxFolders, comparing)
        self.means = means
    }

    /// A job that discards these documents. Its steps are the same, with the identical file for the copy: it reaches the disk,
    /// the document is claimed, both are still what was compared, the discarding is recorded, and only then is the document
    /// removed.
    package init(discarding documents: [IdenticalDocument], means: Means) {
        work = .discard(documents)
        self.means = means
    }

    /// Does the job.
    package func perform() -> FilingReport {
        switch work {
        case .copy(let tasks, let filing, let root, let inboxFolders, let comparing):
            let preparation = Preparation(
                filing, to: root, inboxFolders: inboxFolders, comparing: comparing, at: .current())
            let report = run(tasks, \.request) { (task) throws(Refusal) in
                if means.abandonment.isRequested { throw Refusal(.changed) }
                let prepared = if let known = task.prepared { known } else { try preparation.prepare(task.request) }
                return try ClaimDocument(
                    prepared, from: preparation.sources, documents: root, progress: task.progress)
            }
            // Until the copies have their names it keeps identical documents waiting.
            withExtendedLifetime(preparation) {}
            return report
        case .discard(let documents):
            let sources = SourceFolders()
            return run(documents, \.document.request) { (identical) throws(Refusal) in
                let prepared = try identical.document.reopened(in: try sources.folder(of: identical.document.request))
                return try ClaimDocument(
                    prepared, from: sources, documents: nil, progress: CopyProgress(total: prepared.status.size),
                    twin: try IdenticalFile(of: identical))
            }
        }
    }

    private func run<Item>(
        _ items: [Item], _ request: (Item) -> FilingRequest,
        _ document: (Item) throws(Refusal) -> ClaimDocument
    ) -> FilingReport {
        var documents: [ClaimDocument] = []
        var failure: SyscallError?
        let refusals = items.map { item -> FilingOutcome? in
            do throws(Refusal) {
                documents.append(try document(item))
                return nil
            } catch {
                failure = failure ?? error.journalFailure
                return error.outcome
            }
        }
        let run = ClaimRun(documents, means)
        if !documents.isEmpty { run.perform() }
        var (report, results) = (run.report, run.results[...])
        report.hasClaimed = true
        if let failure { report.stateFailure = FilingReport.StateFailure(file: "the journal", error: failure) }
        report.results = zip(items, refusals).map { item, refusal in
            (request(item), refusal.map { .refused($0) } ?? results.popFirst() ?? .refused(.changed))
        }
        return report
    }
}
