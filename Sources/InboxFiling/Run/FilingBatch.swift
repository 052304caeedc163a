import InboxConfiguration
import InboxLinux

/// Files documents by one rename each: as many as are ready share their syncs, on a worker. One alone that is not synced
/// may be filed by the loop itself.
///
/// Each step depends on the one before it: contents and entries reach the disk, names move under a lease, folders and
/// records reach the disk, the journal is emptied.
///
/// No lease is held for longer than one document takes. A content that is brought to the disk first is proved before and
/// once more when its name moves; one that is not is proved only then.
package struct FilingBatch: Sendable {
    private let requests: [FilingRequest]
    private let root: DestinationRoot
    private let inboxFolders: Set<FileKey>
    private let means: FilingMeans
    private let log: any FilingLog
    private let comparing: ComparingTime

    /// A batch of these documents.
    /// - Parameters:
    ///   - root: the folder that destinations lie beneath.
    ///   - inboxFolders: the folders of the Inboxes, which are no destination.
    ///   - comparing: how long documents are compared with those at their destinations.
    package init(
        _ requests: [FilingRequest], to root: DestinationRoot, inboxFolders: Set<FileKey>, comparing: ComparingTime,
        means: FilingMeans, log: any FilingLog
    ) {
        self.comparing = comparing
        self.requests = requests
        self.root = root
        self.inboxFolders = inboxFolders
        self.means = means
        self.log = log
    }

    /// Files the documents.
    package func perform(at moment: Moment = .current()) -> FilingReport {
        var report = FilingReport()
        // No rename leads to another mount, and one that hangs would keep all of these waiting.
        let preparation = Preparation(
            means, to: root, inboxFolders: inboxFolders, comparing: comparing, isLocal: true, at: moment)
        // Until its documents are recorded it keeps identical ones waiting.
        defer { withExtendedLifetime(preparation) {} }
        var documents = prepare(preparation, &report)
        report.newMounts = preparation.destinations.newMounts
        report.identical = preparation.identical.documents
        guard !documents.isEmpty else { return report }
        let isDurable = documents.contains { $0.request.settings.durability == .full }
        if isDurable { documents = sync(documents, &report) }
        do throws(SyscallError) {
            if !documents.isEmpty { try log.begin(documents, isDurable: isDurable) }
        } catch {
            report.stateFailure = FilingReport.StateFailure(file: "the journal", error: error)
            for document in documents {
                report.resolve(document.request, .postponed("cannot write the journal: \(error.errno)"))
            }
            endLog(documents, &report)
            return report
        }
        let (moved, refused) = move(consume documents, preparation, isDurable: isDurable, &report)
        endLog(refused, &report)
        if !moved.documents.isEmpty {
            report.moved = moved
            Self.record(log, &report)
        }
        return report
    }

    /// Records what has moved, at once or when an earlier try has failed.
    package static func record(_ log: any FilingLog, _ report: inout FilingReport) {
        guard let moved = report.moved else { return }
        do throws(SyscallError) {
            try log.record(moved.documents.map(\.record), isDurable: moved.isDurable)
            report.isRecorded = true
            let documents = moved.documents.map(\.document)
            if moved.unsynced == nil { try log.end(documents) } else { try log.keep(documents) }
        } catch {
            let file = report.isRecorded ? "the journal" : "the history"
            report.stateFailure = FilingReport.StateFailure(file: file, error: error)
            // Recovery writes down what could not be.
            report.hasOpenEntries = report.isRecorded && moved.unsynced != nil
        }
    }

    private func prepare(_ preparation: Preparation, _ report: inout FilingReport) -> [PreparedDocument] {
        var documents: [PreparedDocument] = []
        for (number, request) in requests.enumerated() {
            let folders = preparation.openCount
            let open = documents.count + report.prepared.count + folders
            let isFull = open >= means.mostOpen || folders >= means.mostFolders
            if number > 0, isFull {
                report.leftOver = Array(requests[number...])
                break
            }
            do throws(Refusal) {
                if means.abandonment.isRequested { throw Refusal(.changed) }
                if preparation.isAcross(package: request) { throw Refusal(.across) }
                let document = try preparation.prepare(request, mayDefer: request.settings.durability == .relaxed)
                report.hasReachedDestination = true
                if FilingWay(document.facts) == .rename {
                    documents.append(document)
                    continue
                }
                // Members are not copied with it: what is prepared with them is prepared again without.
                let isLasting = document.isLasting && request.members.isEmpty
                report.prepared[request.id] = isLasting ? document : nil
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

    /// Those whose content is on the disk, or need not be. One that is not proved yet may have a writer, and is among them.
    private func sync(_ documents: [PreparedDocument], _ report: inout FilingReport) -> [PreparedDocument] {
        let isFull = { (document: PreparedDocument) in document.request.settings.durability == .full }
        let durable = documents.filter(isFull)
        if durable.count > 1 { for document in durable { Syncing.begin(contentOf: document) } }
        var outcomes = Syncing.sync(contentsOf: durable, means.abandonment)[...]
        return documents.filter { document in
            guard isFull(document), let outcome = outcomes.popFirst() else { return true }
            switch outcome {
            case .synced: return true
            case .abandoned, .outgrown: report.resolve(document.request, .changed)
            case .failed(let failure) where failure.errno.isServerAway:
                report.resolve(document.request, .retry(failure.words(at: document.source)))
            case .failed(let failure):
                report.resolve(document.request, .hold(.syncFailed, failure.words(at: document.source)))
            }
            return false
        }
    }

    /// Moves the names, each under its lease; returns those that have moved, and the documents that were refused.
    private func move(
        _ documents: consuming [PreparedDocument], _ preparation: Preparation, isDurable: Bool,
        _ report: inout FilingReport
    ) -> (MovedDocuments, refused: [PreparedDocument]) {
        var documents = documents
        var names = FreeNames(means.numbers)
        var moved = MovedDocuments(isDurable: isDurable)
        moved.documents.reserveCapacity(documents.count)
        var refused: [PreparedDocument] = []
        var folders: [ObjectIdentifier: OpenFolder] = [:]
        let time = Timestamp.now()
        for index in documents.indices {
            do throws(Refusal) {
                if means.abandonment.isRequested { throw Refusal(.changed) }
                let source = try preparation.sources.folder(of: documents[index].request)
                let (name, number) = try SingleRename.perform(
                    documents[index], from: source, &names, means.abandonment)
                // Closed at once, since that ends the lease for which a writer may be waiting.
                documents[index].closeFile()
                let document = documents[index]
                let record = document.record(at: time, as: name, number: number, document.status.identity)
                moved.documents.append((document, record))
                // Folders around the destination may be new, whoever created them: a batch that moved nothing, or a
                // killed run.
                if isDurable {
                    for folder in [source] + document.reached.way { folders[ObjectIdentifier(folder)] = folder }
                }
            } catch {
                documents[index].closeFile()
                let document = documents[index]
                guard error.leavesApart else {
                    refused.append(document)
                    report.resolve(document.request, error.outcome)
                    continue
                }
                log.leave([document])
                report.hasOpenEntries = true
                report.results.append(
                    (document.request, .left(document.id, recorded: nil, otherwise: error.outcome)))
            }
        }
        for folder in preparation.destinations.made { folders[ObjectIdentifier(folder)] = folder }
        if isDurable, !moved.documents.isEmpty { moved.unsynced = Syncing.failure(ofNamesIn: folders.values) }
        return (moved, refused)
    }

    private func endLog(_ documents: [PreparedDocument], _ report: inout FilingReport) {
        if documents.isEmpty { return }
        do throws(SyscallError) { try log.end(documents) } catch {
            report.stateFailure = report.stateFailure ?? FilingReport.StateFailure(file: "the journal", error: error)
        }
    }
}
