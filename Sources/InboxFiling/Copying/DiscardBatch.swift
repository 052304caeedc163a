import InboxLinux

/// Discards documents that are identical to files at their destinations, on a worker.
///
/// Each step depends on the one before it: both files are still what was compared, the one at the destination reaches the
/// disk, the discarding is recorded, and only then does the document leave the Inbox.
package struct DiscardBatch: Sendable {
    /// Appends lines to the history, and makes sure that they are on the disk.
    package typealias Append = @Sendable ([UInt8]) throws(SyscallError) -> Void

    private let documents: [IdenticalDocument]
    private let staging: StagingFolders
    private let journal: Journal
    private let log: any FilingLog
    private let append: Append

    /// A batch of these documents.
    package init(
        _ documents: [IdenticalDocument], staging: StagingFolders, journal: Journal, log: any FilingLog,
        append: @escaping Append
    ) {
        self.documents = documents
        self.staging = staging
        self.journal = journal
        self.log = log
        self.append = append
    }

    /// Discards the documents.
    package func perform() -> BatchReport {
        var report = BatchReport()
        let sources = SourceFolders()
        staging.begin()
        for identical in documents {
            let request = identical.document.request
            do throws(Refusal) {
                report.resolve(request, .duplicate(try discard(identical, sources, &report)))
            } catch {
                report.resolve(request, error.outcome)
            }
        }
        do throws(SyscallError) {
            if try !staging.end() { report.hasOpenEntries = true }
        } catch {
            // What cannot be removed now is recovery's, which reports it where it fails as well.
            report.hasOpenEntries = true
        }
        return report
    }

    private func discard(
        _ identical: IdenticalDocument, _ sources: SourceFolders, _ report: inout BatchReport
    ) throws(Refusal) -> DuplicateRecord {
        let document = identical.document
        let folder = try sources.folder(of: document.request)
        try document.takeLease()
        defer { document.releaseLease() }
        try document.showUnchanged(in: folder)
        do throws(SyscallError) { try folder.directory.mayChange() } catch {
            throw Refusal(error, at: document.request.folderPath)
        }
        try syncTwin(of: identical)
        // Before the record: recovery searches the history from here on.
        let mark = log.mark
        let record = identical.record(at: .now())
        do throws(SyscallError) { try append(record.line) } catch {
            report.stateFailure = BatchReport.StateFailure(file: "the history", error: error)
            throw Refusal(.postponed("cannot write the history: \(error.errno)"))
        }
        try remove(identical, from: folder, mark, &report)
        return record
    }

    /// The file at the destination must still be what was compared, and is on the disk before the document goes.
    private func syncTwin(of identical: IdenticalDocument) throws(Refusal) {
        let folder = identical.document.reached.folder
        let now: FileStatus
        do throws(SyscallError) {
            let twin = try folder.directory.file(identical.twin)
            try twin.sync()
            now = try twin.status()
            try folder.directory.sync()
        } catch {
            throw Refusal(error, at: identical.twinPath)
        }
        guard now.identity == identical.twinStatus.identity, now.changed == identical.twinStatus.changed else {
            throw Refusal(.changed)
        }
    }

    /// Claims the document first, and inspects it where no path leads: somebody may put another file under its own name
    /// at any instant.
    private func remove(
        _ identical: IdenticalDocument, from folder: OpenFolder, _ mark: HistoryMark, _ report: inout BatchReport
    ) throws(Refusal) {
        let document = identical.document
        let refusal: Refusal?
        do throws(SyscallError) { refusal = try removeClaimed(identical, from: folder, mark) } catch {
            refusal = Refusal(error, at: document.source)
        }
        guard let refusal else { return }
        journal.rest([document.id])
        // Where it is still claimed, recovery puts it back.
        if journal.isOpen(document.id) { report.hasOpenEntries = true }
        throw refusal
    }

    /// Nil once the document is gone; else why it stays.
    private func removeClaimed(
        _ identical: IdenticalDocument, from folder: OpenFolder, _ mark: HistoryMark
    ) throws(SyscallError) -> Refusal? {
        let document = identical.document
        guard let claimed = try claim(identical, from: folder, mark) else {
            let path = document.request.folderPath
            return Refusal(.hold(.permission, "the name of the staging folder in \(path) is taken"))
        }
        let isSame: Bool
        do throws(SyscallError) {
            isSame = try isUnchanged(document, in: claimed)
            if isSame { try claimed.folder.directory.removeFile(claimed.name) }
        } catch {
            if let obstacle = try putBack(claimed, of: document, to: folder) { return obstacle }
            throw error
        }
        guard isSame else { return try putBack(claimed, of: document, to: folder) ?? Refusal(.changed) }
        try claimed.end()
        try folder.directory.sync()
        try journal.end([document.id])
        return nil
    }

    /// Nil once it is back; else why it waits where it was claimed, with its entry still open.
    private func putBack(
        _ claimed: StagedSource, of document: PreparedDocument, to folder: OpenFolder
    ) throws(SyscallError) -> Refusal? {
        let request = document.request
        if let obstacle = try SourceReturn.perform(
            claimed, to: folder, as: request.name, at: request, isDurable: true)
        {
            return Refusal(.retry("\(document.source) waits in its staging folder: \(obstacle)"))
        }
        try claimed.end()
        try journal.end([document.id])
        return nil
    }

    /// The staging folder is at the Inbox, or in the document's own folder where that is on another filesystem. The journal
    /// has the claim, so that a kill leaves it to recovery, which finds the record and the identical file.
    private func claim(
        _ identical: IdenticalDocument, from folder: OpenFolder, _ mark: HistoryMark
    ) throws(SyscallError) -> StagedSource? {
        let request = identical.document.request
        var roots = [(folder: folder, path: request.folderPath)]
        if request.folder != nil, let inbox = request.openedInbox() { roots.insert((inbox, request.inbox), at: 0) }
        for (number, root) in roots.enumerated() {
            guard let staged = try staging.folder(in: root.folder, at: root.path) else { continue }
            do throws(SyscallError) {
                try journal.note([try entry(identical, staged, mark)], isDurable: true)
                return try StagedSource.claim(request.name, from: folder, into: staged, identical.document.id)
            } catch  where error.errno == .crossDevice && number + 1 < roots.count {
                // It is claimed in its own folder.
            }
        }
        return nil
    }

    private func entry(
        _ identical: IdenticalDocument, _ staging: StagingFolder, _ mark: HistoryMark
    ) throws(SyscallError) -> ClaimEntry {
        let document = identical.document
        return ClaimEntry(
            id: document.id, source: document.source, inbox: document.request.inbox,
            identity: document.status.identity, staging: staging.rootPath,
            stagingFilesystem: try staging.root.directory.filesystemMark(), destination: document.reached.path,
            making: document.reached.path, filesystem: document.reached.filesystem, wanted: identical.twin,
            mark: mark, documentType: document.documentType,
            copied: ClaimEntry.Copied(
                copy: identical.twinStatus.identity, source: document.status.identity,
                sourceChanged: document.status.changed))
    }

    private func isUnchanged(_ document: PreparedDocument, in claimed: StagedSource) throws(SyscallError) -> Bool {
        // The change time is that of the rename.
        guard try claimed.status()?.identity == document.status.identity else { return false }
        guard document.isLeased, let file = document.file else { return true }
        return try ReadLease.isWhole(file.descriptor)
    }
}
