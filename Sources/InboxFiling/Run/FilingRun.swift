import InboxLinux

/// Brings prepared documents to their places: one run for every way there.
///
/// A document goes through the steps of its ``FilingWay``. One that a rename brings there is written down in the journal,
/// its content reaches the disk, its name moves under its lease, and it is recorded. One that goes to another filesystem,
/// is discarded, or may be filed by another machine too, is claimed first: the journal has the claim; the source is renamed
/// into the staging folder; content and attributes of the copy reach the disk; the source is proved again, and the journal
/// has the marks of the copy; the copy gets its name, of which none is ever replaced, and which is never taken back; the
/// folder reaches the disk; the history has the record; the source goes, if it is still what was copied, else it returns to
/// the Inbox; the entry ends. Of a discard the copy is the identical file.
///
/// Each step depends on the one before, and is done for all documents of the run, which share its syncs.
package final class FilingRun {
    /// The objects that all runs share.
    package struct Means: Sendable {
        /// Where documents are written down that are under way.
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

    let means: Means
    let numbers: LastNumbers
    let isDurable: Bool
    /// The documents, each followed by the files that go with it.
    let documents: [RunDocument]
    /// The folders that were made on the way to the destinations, which reach the disk with the names in them.
    let madeFolders: [OpenFolder]
    var report = FilingReport()
    let hasClaims: Bool
    private var notes = ClaimNotes()

    /// A run of these documents.
    /// - Parameters:
    ///   - numbers: the last number that was given in each row of names.
    ///   - madeFolders: the folders that were made for them.
    init(
        _ documents: [RunDocument], _ means: Means, numbers: LastNumbers, madeFolders: [OpenFolder] = []
    ) {
        self.means = means
        self.numbers = numbers
        let isPlain = documents.allSatisfy { $0.members.isEmpty }
        self.documents = isPlain ? documents : documents.flatMap { [$0] + $0.members }
        self.madeFolders = madeFolders
        isDurable = documents.contains(where: \.isDurable)
        hasClaims = documents.contains { !$0.isRenamed }
    }

    /// The results of the documents, in their order.
    var results: [FilingResult] {
        documents.filter { $0.main == nil }.map { document in
            let result = document.result ?? .refused(.changed)
            let twin = document.twin
            switch result {
            case .refused(let otherwise) where !document.isClosed:
                let recorded = twin.map { FilingOutcome.duplicate($0.document.record(at: .now())) }
                return .left(document.id, recorded: recorded, otherwise: otherwise)
            case .filed(let record, _): return twin.map { .discarded($0.document.record(at: record.time)) } ?? result
            case .returned, .unrecorded: return twin == nil ? result : .refused(.changed)
            case .refused, .discarded, .left: return result
            }
        }
    }

    /// Goes through all steps.
    func perform() {
        if documents.isEmpty { return }
        if hasClaims { means.staging.begin() }
        each(enter)
        announce(open)
        if hasClaims {
            each(claim)
            each(copy)
        }
        syncContents()
        if hasClaims {
            each(prove)
            syncClaims()
            announce(open.filter { !$0.isRenamed })
        }
        each(publish)
        syncNames()
        record()
        clean()
        end()
    }

    /// The documents whose result is still open.
    var open: [RunDocument] { documents.filter { $0.result == nil } }

    private func each(_ step: (RunDocument) throws(Refusal) -> Void) {
        for document in documents where document.result == nil {
            do throws(Refusal) { try step(document) } catch { refuse(document, error) }
        }
    }

    /// Ends the filing of a document that has no name at its destination yet: what was made of a copy is removed, and a source
    /// that was claimed returns to its folder.
    func refuse(_ document: RunDocument, _ refusal: Refusal) {
        document.result = .refused(refusal.outcome)
        for other in (document.main ?? document).unit where other.result == nil { refuse(other, refusal) }
        guard document.files.staged != nil else {
            // Not claimed: an entry names nothing, unless the reply of a server was lost, or files that belong together are
            // apart.
            if document.isRenamed || !document.files.mayBeStaged {
                document.isClosed = !refusal.leavesApart
                return
            }
            return leaveOpen(document, "its server did not say whether it is there")
        }
        do throws(SyscallError) {
            try document.files.target?.discard(document.id, in: document.target)
            // The room that a file without a name takes is there for the next copy once it is closed.
            document.files.target = nil
            try putBack(document)
        } catch {
            leaveOpen(document, "\(error)")
        }
    }

    /// Writes down what is known of documents that are under way: what is about to happen to them, and the marks of the copies
    /// before any of them gets its name.
    private func announce(_ documents: [RunDocument]) {
        do throws(Refusal) { try note(documents, isDurable: isDurable) } catch {
            for document in documents { refuse(document, error) }
        }
    }

    /// Writes down what is known of these documents: in the journal for this daemon, and beside their sources for another
    /// one that starts first after a kill.
    func note(_ documents: [RunDocument], isDurable: Bool) throws(Refusal) {
        var entries: [JournalEntry] = []
        entries.reserveCapacity(documents.count)
        for document in documents { if let entry = document.entry { entries.append(entry) } }
        guard !entries.isEmpty else { return }
        do throws(SyscallError) { try means.journal.note(entries, isDurable: isDurable) } catch {
            stateFailed("the journal", error)
            throw Refusal(.postponed("cannot write the journal: \(error.errno)"))
        }
        guard hasClaims else { return }
        for documents in Dictionary(grouping: documents, by: { $0.staging.map(ObjectIdentifier.init) }).values {
            guard let staging = documents[0].staging else { continue }
            let isCopied = documents.contains { $0.entry?.copied != nil && $0.way?.copies == true }
            do throws(SyscallError) {
                try notes.note(
                    documents.compactMap(\.entry), in: staging, state: means.staging.place,
                    isDurable: isDurable && isCopied)
                _ = means.staging.noteClaimNotes(areWritten: true)
            } catch {
                noteFailed("written", error)
            }
        }
    }

    /// Writes down beside their sources that these documents are recorded, or that their journal has what that needs.
    func note(recorded ids: [RecordID]) {
        if ids.isEmpty { return }
        do throws(SyscallError) { try notes.note(recorded: ids) } catch { noteFailed("written", error) }
    }

    /// A failed note does not stop filing, which is what makes room on a full disk: without the note, another daemon may
    /// file a document whose copy is published already, if this one is killed just now. It is reported once until notes
    /// can be written again.
    private func noteFailed(_ participle: String, _ error: SyscallError) {
        guard means.staging.noteClaimNotes(areWritten: false) else { return }
        report.notices.append("the claims in a staging folder cannot be \(participle) for other daemons: \(error)")
    }

    /// Puts a source back into the folder that it came from, which ends its claim.
    func putBack(_ document: RunDocument) throws(SyscallError) {
        document.releaseLeases()
        guard let staged = document.files.staged else { return }
        let request = document.prepared.request
        let outcome = try SourceReturn.perform(
            staged, of: means.staging, to: document.folder, as: request.name, at: request, isDurable: isDurable)
        switch outcome {
        case .stays(let obstacle): return leaveOpen(document, obstacle)
        case .back(let name) where name != request.name:
            report.notices.append("\(document.path) is named \(name) now: its own name was taken while it was copied")
        case .back: break
        }
        document.files.staged = nil
        document.isClosed = true
    }

    /// Leaves a claim that could not be ended now to recovery.
    func leaveOpen(_ document: RunDocument, _ why: String) {
        report.notices.append("\(document.path) waits in its staging folder: \(why)")
    }

    private func end() {
        for document in documents { document.releaseLeases() }
        let entered = documents.filter { $0.entry != nil }
        // What was renamed, though its name may not be on the disk: the next start of the machine shows it.
        let doubtful = entered.filter { $0.isRenamed && $0.isUnsynced }
        do throws(SyscallError) {
            try means.journal.end(entered.filter { $0.isClosed && !($0.isRenamed && $0.isUnsynced) }.map(\.id))
            try means.journal.keep(doubtful.compactMap(\.entry))
        } catch {
            stateFailed("the journal", error)
            if !doubtful.isEmpty { report.hasOpenEntries = true }
        }
        let isAllClosed = entered.allSatisfy(\.isClosed)
        if !isAllClosed { report.hasOpenEntries = true }
        means.journal.rest(entered.map(\.id))
        guard hasClaims else { return }
        if isAllClosed {
            do throws(SyscallError) { try notes.end() } catch { noteFailed("removed", error) }
        }
        // What is open keeps a folder from being removed on some filesystems.
        for document in documents { document.files = RunDocument.Files() }
        do throws(SyscallError) { if try !means.staging.end() { report.hasOpenEntries = true } } catch {
            folderStays(error)
        }
    }

    /// A staging folder, or one in it, could not be removed.
    func folderStays(_ error: SyscallError) {
        report.hasOpenEntries = true
        report.notices.append("a staging folder could not be removed: \(error)")
    }

    func stateFailed(_ file: String, _ error: SyscallError) {
        report.stateFailure = FilingReport.StateFailure(file: file, error: error)
    }
}
