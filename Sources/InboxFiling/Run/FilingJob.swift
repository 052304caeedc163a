import InboxLinux

/// Files documents, or discards those that are identical to files at their destinations, on a worker: it prepares them, and
/// one ``FilingRun`` brings them to their places. A document alone that is not synced may be filed by the loop itself.
package struct FilingJob: Sendable {
    /// One document that is copied.
    package struct Task: Sendable {
        let request: FilingRequest
        let progress: CopyProgress
        /// The document as an earlier job has prepared it; nil where that is to be done.
        let prepared: PreparedDocument?

        /// The document of a request.
        package init(_ request: FilingRequest, _ progress: CopyProgress, prepared: PreparedDocument? = nil) {
            self.request = request
            self.progress = progress
            self.prepared = prepared.flatMap { $0.isFor(request) ? $0 : nil }
        }
    }

    /// The work of a job.
    private enum Work: Sendable {
        case rename([FilingRequest], Destinations)
        case copy([Task], Destinations)
        case discard([IdenticalDocument], RecordIdentifiers)
    }

    /// Where the documents go, by what rules.
    package struct Destinations: Sendable {
        let means: FilingMeans
        let root: DestinationRoot
        let inboxFolders: Set<FileKey>
        let comparing: ComparingTime

        /// - Parameters:
        ///   - root: the folder that destinations lie beneath.
        ///   - inboxFolders: the folders of the Inboxes, which are no destination.
        ///   - comparing: how long documents are compared with those at their destinations.
        package init(
            to root: DestinationRoot, inboxFolders: Set<FileKey>, comparing: ComparingTime, by means: FilingMeans
        ) {
            self.root = root
            self.inboxFolders = inboxFolders
            self.comparing = comparing
            self.means = means
        }

        func preparation(isLocal: Bool = false, at moment: Moment) -> Preparation {
            Preparation(
                means, to: root, inboxFolders: inboxFolders, comparing: comparing, isLocal: isLocal, at: moment)
        }
    }

    private let work: Work
    private let means: FilingRun.Means

    /// A job that files documents by one rename each. Those that have to be claimed are left to a job that copies.
    package init(renaming requests: [FilingRequest], _ destinations: Destinations, _ means: FilingRun.Means) {
        work = .rename(requests, destinations)
        self.means = means
    }

    /// A job that claims documents, and copies those that go to another filesystem: several small ones share their syncs.
    package init(copying tasks: [Task], _ destinations: Destinations, _ means: FilingRun.Means) {
        work = .copy(tasks, destinations)
        self.means = means
    }

    /// A job that discards these documents. Its steps are the same, with the identical file for the copy: it reaches the disk,
    /// the document is claimed, both are still what was compared, the discarding is recorded, and only then is the document
    /// removed.
    package init(
        discarding documents: [IdenticalDocument], _ identifiers: RecordIdentifiers, _ means: FilingRun.Means
    ) {
        work = .discard(documents, identifiers)
        self.means = means
    }

    /// Does the job.
    package func perform(at moment: Moment = .current()) -> FilingReport {
        switch work {
        case .rename(let requests, let destinations):
            // No rename leads to another mount, and one that hangs would keep all of these waiting.
            let preparation = destinations.preparation(isLocal: true, at: moment)
            let report = rename(requests, destinations.means, preparation)
            // Until its documents are recorded it keeps identical ones waiting.
            withExtendedLifetime(preparation) {}
            return report
        case .copy(let tasks, let destinations):
            let preparation = destinations.preparation(at: moment)
            let report = claim(tasks, \.request, destinations.means.numbers) { (task) throws(Refusal) in
                if means.abandonment.isRequested { throw Refusal(.changed) }
                let prepared = if let known = task.prepared { known } else { try preparation.prepare(task.request) }
                let document = try RunDocument(
                    claiming: prepared, from: preparation.sources, documents: destinations.root,
                    progress: task.progress)
                try document.addMembers(from: preparation.sources, documents: destinations.root) {
                    destinations.means.identifiers.next(at: .now())
                }
                return document
            }
            withExtendedLifetime(preparation) {}
            return report
        case .discard(let documents, let identifiers):
            let sources = SourceFolders()
            return claim(documents, \.document.request, LastNumbers()) { (identical) throws(Refusal) in
                let prepared = try identical.document.reopened(in: try sources.folder(of: identical.document.request))
                let document = try RunDocument(
                    claiming: prepared, from: sources, documents: nil,
                    progress: CopyProgress(total: prepared.status.size), twin: try IdenticalFile(of: identical))
                try document.addMembers(from: sources, documents: nil, beside: identical.members) {
                    identifiers.next(at: .now())
                }
                return document
            }
        }
    }

    private func claim<Item>(
        _ items: [Item], _ request: (Item) -> FilingRequest, _ numbers: LastNumbers,
        _ document: (Item) throws(Refusal) -> RunDocument
    ) -> FilingReport {
        var documents: [RunDocument] = []
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
        let run = FilingRun(documents, means, numbers: numbers)
        run.perform()
        var (report, results) = (run.report, run.results[...])
        report.hasClaimed = true
        if let failure { report.stateFailure = FilingReport.StateFailure(file: "the journal", error: failure) }
        report.results = zip(items, refusals).map { item, refusal in
            (request(item), refusal.map { .refused($0) } ?? results.popFirst() ?? .refused(.changed))
        }
        return report
    }

    private func rename(
        _ requests: [FilingRequest], _ filing: FilingMeans, _ preparation: Preparation
    ) -> FilingReport {
        var report = FilingReport()
        let documents = prepare(requests, filing, preparation, &report)
        let run = FilingRun(
            documents, means, numbers: filing.numbers, madeFolders: preparation.destinations.made)
        run.perform()
        report.newMounts = preparation.destinations.newMounts
        report.identical = preparation.identical.documents
        report.results += zip(documents, run.results).map { ($0.prepared.request, $1) }
        report.hasRenamed = run.report.hasRenamed
        report.unsynced = run.report.unsynced
        report.hasOpenEntries = run.report.hasOpenEntries
        report.notices = run.report.notices
        report.stateFailure = run.report.stateFailure ?? report.stateFailure
        return report
    }

    /// The documents that one rename brings to their places. Those that have to be claimed, and all others, are in the report.
    private func prepare(
        _ requests: [FilingRequest], _ filing: FilingMeans, _ preparation: Preparation, _ report: inout FilingReport
    ) -> [RunDocument] {
        var documents: [RunDocument] = []
        for (number, request) in requests.enumerated() {
            let folders = preparation.openCount
            let open = documents.count + report.prepared.count + folders
            let isFull = open >= filing.mostOpen || folders >= filing.mostFolders
            if number > 0, isFull {
                report.leftOver = Array(requests[number...])
                break
            }
            do throws(Refusal) {
                if filing.abandonment.isRequested { throw Refusal(.changed) }
                if preparation.isAcross(package: request) { throw Refusal(.across) }
                let document = try preparation.prepare(request, mayDefer: request.settings.durability == .relaxed)
                report.hasReachedDestination = true
                if FilingWay(document.facts) == .rename {
                    let folder = try preparation.sources.folder(of: request)
                    documents.append(RunDocument(renaming: document, from: folder))
                    continue
                }
                report.prepared[request.id] = document.isLasting ? document : nil
                throw Refusal(.across)
            } catch {
                if error.isWantOfDescriptors {
                    report.mostAtOnce = max(1, documents.count / 2)
                    if !documents.isEmpty {
                        // Those that are open already go first, and make room.
                        report.leftOver = Array(requests[number...])
                        break
                    }
                }
                if let failure = error.journalFailure {
                    report.stateFailure = FilingReport.StateFailure(file: "the journal", error: failure)
                }
                if case .lengthy = error.outcome {
                    report.lengthy.append(request)
                    continue
                }
                if let mount = error.strangeMount { report.strangeMounts[mount.path] = mount.error }
                report.resolve(request, error.outcome)
            }
        }
        return documents
    }
}
