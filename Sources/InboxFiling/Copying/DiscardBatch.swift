import InboxLinux

/// Discards documents that are identical to files at their destinations, on a worker.
///
/// Each step depends on the one before it: the file at the destination reaches the disk, the document is claimed, both are
/// still what was compared, the discarding is recorded, and only then is the document removed.
package struct DiscardBatch: Sendable {
    /// Appends lines to the history, and makes sure that they are on the disk.
    package typealias Append = @Sendable ([UInt8]) throws(SyscallError) -> Void

    private let documents: [IdenticalDocument]
    private let staging: StagingFolders
    private let journal: Journal
    private let log: any HistoryLog
    private let append: Append

    /// A batch of these documents.
    package init(
        _ documents: [IdenticalDocument], staging: StagingFolders, journal: Journal, log: any HistoryLog,
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
        let twin = try IdenticalTwin(of: identical)
        do throws(Refusal) { return try discard(identical, twin, from: folder, &report) } catch {
            journal.rest([document.id])
            // Where it is still claimed, recovery puts it back.
            if journal.isOpen(document.id) { report.hasOpenEntries = true }
            throw error
        }
    }

    /// Claims the document first, and inspects both files where no path leads to this one: somebody may put another file
    /// under its own name at any instant. What is recorded then has only to be removed.
    private func discard(
        _ identical: IdenticalDocument, _ twin: IdenticalTwin, from folder: OpenFolder, _ report: inout BatchReport
    ) throws(Refusal) -> DuplicateRecord {
        let document = identical.document
        let claimed: StagedSource?
        do throws(SyscallError) { claimed = try claim(identical, from: folder) } catch {
            throw Refusal(error, at: document.source)
        }
        guard let claimed else {
            let path = document.request.folderPath
            throw Refusal(.hold(.permission, "the name of the staging folder in \(path) is taken"))
        }
        var refusal: Refusal?
        do throws(SyscallError) {
            let isSame = try isUnchanged(document, in: claimed) ? try twin.isUnchanged() : false
            if !isSame { refusal = Refusal(.changed) }
        } catch {
            refusal = Refusal(error, at: document.source)
        }
        let record = identical.record(at: .now())
        if refusal == nil { refusal = self.record(record, &report) }
        if let refusal { throw putBack(claimed, of: document, to: folder) ?? refusal }
        do throws(SyscallError) {
            try claimed.folder.directory.removeFile(claimed.name)
            try claimed.end()
            try folder.directory.sync()
            try journal.end([document.id])
        } catch {
            // Recovery finds the record, and removes it.
            journal.rest([document.id])
            report.hasOpenEntries = true
        }
        return record
    }

    /// Nil once it is recorded.
    private func record(_ record: DuplicateRecord, _ report: inout BatchReport) -> Refusal? {
        do throws(SyscallError) {
            try append(record.line)
            return nil
        } catch {
            report.stateFailure = BatchReport.StateFailure(file: "the history", error: error)
            return Refusal(.postponed("cannot write the history: \(error.errno)"))
        }
    }

    /// Nil once it is back; else why it waits where it was claimed, with its entry still open.
    private func putBack(_ claimed: StagedSource, of document: PreparedDocument, to folder: OpenFolder) -> Refusal? {
        let request = document.request
        do throws(SyscallError) {
            if let obstacle = try SourceReturn.perform(
                claimed, to: folder, as: request.name, at: request, isDurable: true)
            {
                return Refusal(.retry("\(document.source) waits in its staging folder: \(obstacle)"))
            }
            try claimed.end()
            try journal.end([document.id])
            return nil
        } catch {
            return Refusal(error, at: document.source)
        }
    }

    /// The staging folder is at the Inbox, or in the document's own folder where that is on another filesystem. The journal
    /// has the claim, so that a kill leaves it to recovery: the document goes where the record is found, else it is put back.
    private func claim(
        _ identical: IdenticalDocument, from folder: OpenFolder
    ) throws(SyscallError) -> StagedSource? {
        let request = identical.document.request
        var roots = [(folder: folder, path: request.folderPath)]
        if request.folder != nil, let inbox = request.openedInbox() { roots.insert((inbox, request.inbox), at: 0) }
        for (number, root) in roots.enumerated() {
            guard let staged = try staging.folder(in: root.folder, at: root.path) else { continue }
            do throws(SyscallError) {
                try journal.note([try entry(identical, staged)], isDurable: true)
                return try StagedSource.claim(request.name, from: folder, into: staged, identical.document.id)
            } catch  where error.errno == .crossDevice && number + 1 < roots.count {
                // It is claimed in its own folder.
            }
        }
        return nil
    }

    private func entry(
        _ identical: IdenticalDocument, _ staging: StagingFolder
    ) throws(SyscallError) -> ClaimEntry {
        let document = identical.document
        return ClaimEntry(
            id: document.id, source: document.source, inbox: document.request.inbox,
            identity: document.status.identity, staging: staging.rootPath,
            stagingFilesystem: try staging.root.directory.filesystemMark(), destination: document.reached.path,
            making: document.reached.path, filesystem: document.reached.filesystem, wanted: identical.twin,
            mark: log.mark, documentType: document.documentType, isDiscard: true,
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
