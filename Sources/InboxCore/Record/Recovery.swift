import InboxDetection
import InboxFiling
import InboxLinux
import InboxProperties

/// Ends what an interruption has left in the journal, in one pass: on a worker, and while no job works on the entries that
/// it inspects.
struct Recovery: Sendable {
    /// The findings of a recovery.
    struct Findings: Sendable {
        /// The records that were missing.
        var records: [FiledRecord] = []
        /// The claims that have ended, and whether each is recorded.
        var ended: [(id: RecordID, isRecorded: Bool)] = []
        /// The documents that were put back, and whose records were missing.
        var undone: [UndoJob.Done] = []
        /// The ids of the records that the history has, or has now.
        var recorded: Set<String> = []
        /// The messages that are worth a line of the log.
        var notices: [String] = []
        /// The documents whose entries cannot be ended yet, and why.
        var open: [(source: BytePath, reason: String)] = []
        /// The documents whose copies the disk may have lost, which only a restart of the machine shows.
        var unsynced: [BytePath] = []
        /// The shares that are left to recoveries of their own, since contents have to be compared.
        var comparisons: [RecoveryShare] = []
        /// The documents of which such a recovery that is under way shows what became of them.
        var compared: [BytePath] = []
        /// The documents in staging folders of other daemons that may be dead, and those that cannot return from one that no
        /// journal explains, by the roots that these are in.
        var stranded: [BytePath: Set<RecordID>] = [:]
        /// Entries were ended, so that the journal can be written.
        var hasWritten = false
        /// No staging folder of this daemon is left.
        var isClean = true
        /// Something in a root is named like another daemon's staging folder: its daemon may be at work.
        var hasOthers = false
        /// Where a run that is ending still has a staging folder locked, so that nothing is known of what is in it.
        var lockedStaging: BytePath?
        /// The mounts whose servers do not answer, so that nothing was inspected there.
        var silent: Set<BytePath> = []
        /// The files whose moves were not inspected for that reason: filed anew, one might end as a twin.
        var uninspected: [FileKey] = []
        /// The entries that it was about.
        var inspected: Set<RecordID> = []
        /// The reason why nothing could be found out; nil if something could.
        var failure: SyscallError?

        /// Leaves something to a recovery of its own; there is one for each root.
        mutating func leave(_ share: RecoveryShare) {
            if !comparisons.indices.contains(where: { comparisons[$0].merge(share) }) { comparisons.append(share) }
        }

        /// Adds what another recovery of the round has found.
        mutating func add(_ other: Recovery.Findings) {
            records += other.records
            ended += other.ended
            undone += other.undone
            recorded.formUnion(other.recorded)
            notices += other.notices
            open += other.open
            unsynced += other.unsynced
            comparisons += other.comparisons
            // What has swept a root once more knows better.
            stranded.merge(other.stranded) { $1 }
            hasWritten = hasWritten || other.hasWritten
            isClean = isClean && other.isClean
            hasOthers = hasOthers || other.hasOthers
            lockedStaging = lockedStaging ?? other.lockedStaging
            silent.formUnion(other.silent)
            uninspected += other.uninspected
            inspected.formUnion(other.inspected)
            failure = failure ?? other.failure
        }
    }

    /// The options of a requested recovery.
    struct Wish: Sendable {
        /// Somebody has said that what is mounted now is meant.
        var isAccepting = false
    }

    let journal: Journal
    let history: History
    let staging: StagingFolders
    let detector: Detector
    /// The rules that tell which properties of a document are recorded.
    let routing: RoutingRules
    let documents: BytePath
    let inboxes: [BytePath]
    /// The roots of destinations outside Documents.
    let outerRoots: Set<BytePath>
    let wish: Recovery.Wish
    /// Writes down that a document is held that was put back.
    let hold: UndoJob.Log.Hold
    /// The mounts whose servers did not answer when it began: nothing is called there.
    let silent: FolderSet
    /// The share that the recovery is about.
    private(set) var share: RecoveryShare
    /// The records of documents that this run has given their names, and could not record. Their owners may have moved these
    /// since.
    var published: [RecordID: FiledRecord] = [:]
    /// Nobody waits for it any more: what takes long is left to the next start.
    let abandonment: Abandonment

    /// The journal and the history, as all filing uses them.
    var log: RecordLog { RecordLog(journal: journal, history: history) }

    /// The entries that it is about, which the journal had when it began.
    var entries: JournalEntries { share.entries }

    /// The same for another share.
    func of(_ share: RecoveryShare) -> Recovery {
        var recovery = self
        recovery.share = share
        return recovery
    }

    /// Opens a folder in a root, on the way that filing takes: what is proved is the path of the root, and below it no link
    /// is followed where anybody else could exchange a folder.
    func open(_ path: BytePath) throws(SafePathError) -> OpenFolder { OpenFolder(try folder(path)) }

    private func folder(_ path: BytePath) throws(SafePathError) -> Directory {
        do throws(SafePathError) { return try SafePath.open(path) } catch {
            let around = ([documents] + inboxes + outerRoots).filter(path.isInside)
            guard case .unsafe = error, let root = around.max(by: { $0.bytes.count < $1.bytes.count }) else {
                throw error
            }
            let names = path.names.dropFirst(root.names.count)
            let folder = try SafePath.open(root)
            let failure: SyscallError
            do throws(SyscallError) { return try folder.folder(beneath: names) } catch { failure = error }
            throw failure.errno == .noEntry ? .failed(path, failure) : error
        }
    }

    /// Opens the folder that a document comes from. Below an Inbox no link is followed: whoever puts one there says where
    /// names are removed. What is put back comes from elsewhere.
    func openSource(_ path: BytePath) throws(SafePathError) -> Directory {
        let around = inboxes.filter { path == $0 || path.isInside($0) }
        guard let inbox = around.max(by: { $0.bytes.count < $1.bytes.count }) else { return try folder(path) }
        let root = try SafePath.open(inbox)
        let failure: SyscallError
        do throws(SyscallError) { return try root.folder(beneath: path.names.dropFirst(inbox.names.count)) } catch {
            failure = error
        }
        throw .failed(path, failure)
    }

    /// Opens the folder that a document is moved into: of one that is put back, one of an Inbox. Nil where somebody else could
    /// lead the path there astray.
    func openDestination(of entry: JournalEntry) throws(SyscallError) -> OpenFolder? {
        guard entry.undoes != nil else { return OpenFolder(try Directory.open(path: entry.destination)) }
        do throws(SafePathError) { return OpenFolder(try openSource(entry.destination)) } catch {
            if case .failed(_, let error) = error { throw error }
            return nil
        }
    }

    /// Ends what can be ended.
    func perform() -> Findings {
        var findings = Findings()
        findings.inspected = Set(entries.documents.keys)
        staging.begin()
        do throws(SyscallError) {
            var pass = try RecoveryPass(self)
            try pass.endMoves(&findings)
            try pass.endClaims(&findings)
            findings.recorded = pass.recorded
            findings.hasWritten = !entries.isEmpty
            var sweep = StagingSweep(pass: pass)
            try sweep.perform(&findings)
        } catch {
            findings.failure = error
        }
        do throws(SyscallError) {
            // Where only entries were ended, the roots are swept later.
            if try !staging.end(), !share.roots.isEmpty { findings.isClean = false }
        } catch {
            findings.isClean = false
            findings.notices.append("a staging folder could not be removed: \(error)")
        }
        return findings
    }
}

/// The knowledge of one pass of recovery: the entries that are recorded, the findings in folders, and the folders
/// that are synced.
struct RecoveryPass {
    let recovery: Recovery
    var recorded: Set<String>
    var search: FolderSearch
    var synced = FolderSyncs()
    /// The claims that are not in the journal, and are this daemon's all the same.
    var own: Set<RecordID> = []
    /// The claims that are not in the journal, and of which notes say that they are recorded.
    var noted: Set<RecordID> = []

    init(_ recovery: Recovery) throws(SyscallError) {
        self.recovery = recovery
        let entries = recovery.entries
        let places = try recovery.history.places(of: entries.documents.values.map(\.wantedRecord))
        recorded = Set(places.keys)
        search = FolderSearch(entries)
        // What an interrupted run has appended may not be on the disk, where the journal will no longer name it.
        if !recorded.isEmpty { try recovery.history.sync() }
        // Killed before it was written down that their handlers are due. Whose they are, nobody needs to know of so few.
        let journal = recovery.journal
        let due = entries.documents.values.filter { $0.isHandled && journal.awaitsHandler($0.id) }.compactMap { entry in
            places[entry.id.text].map { DueHandler(id: entry.id, at: $0, owner: Process.user) }
        }
        journal.note(due: due, isFound: true)
    }

    /// Leaves an entry as it is whose document is, or goes, where a server does not answer: whoever calls that, waits.
    /// - Returns: whether it was left.
    func leaveSilent(
        _ source: BytePath, _ places: [BytePath], _ findings: inout Recovery.Findings
    ) -> Bool {
        guard let mount = places.lazy.compactMap(recovery.silent.innermost(around:)).first else { return false }
        findings.silent.insert(mount)
        findings.open.append((source, "\(mount) does not answer"))
        return true
    }

    /// The record of a document that has reached a folder under a name.
    func record(
        _ id: RecordID, from source: BytePath, to path: BytePath, _ name: FileName, wanted: FileName, size: UInt64,
        _ identity: FileIdentity?, in folder: borrowing Directory, documentType: String?,
        facts: [String: String], rejection: String?, members: [FileName] = []
    ) -> FiledRecord {
        let (detection, owner, attributes, properties) = inspect(
            name, in: folder, from: source, for: documentType, facts)
        // What a template made of its name is known by the intent alone.
        let told = ToldFacts(
            name: wanted.bytes.elementsEqual(source.lastComponent) ? nil : wanted, properties: properties,
            origin: attributes.origin, application: attributes.application)
        return FiledRecord(
            id: id, time: .now(), source: source, destination: path.appending(name),
            type: detection.type.identifier, mime: detection.mime, size: size, documentType: documentType,
            evidence: detection.evidence.rawValue, renamed: name != wanted, proof: .recovered,
            owner: owner, identity: identity, annotations: attributes.annotations,
            facts: facts, rejection: rejection, incomplete: detection.incomplete, members: members, told: told)
    }

    private func inspect(
        _ name: FileName, in folder: borrowing Directory, from source: BytePath, for documentType: String?,
        _ facts: [String: String]
    ) -> (Detection, owner: UInt32?, attributes: DocumentAttributes, DocumentProperties) {
        let detector = recovery.detector
        var owner: UInt32?
        do throws(SyscallError) {
            let status = try folder.status(of: name)
            owner = status.owner
            switch status.kind {
            case .regular:
                let file = try folder.file(name)
                let attributes = try DocumentAttributes.read(from: file)
                let detection = detector.detect(name, delivered: file)
                let properties = properties(
                    detection, status, attributes, from: source, for: documentType, facts
                ) { wanted in
                    DocumentProperties.read(
                        file, size: Int64(clamping: status.size), type: detection.type, name: name, wanted: wanted,
                        now: .now())
                }
                return (detection, owner, attributes, properties)
            case .directory:
                let attributes = try DocumentAttributes.read(from: try folder.folder(name).descriptor)
                return found(detector.detect(unopened: name, status.kind), status, attributes)
            case .symlink, .special:
                return found(detector.detect(unopened: name, status.kind), status, DocumentAttributes())
            }
        } catch {
            return (detector.detect(unreadable: name), owner, DocumentAttributes(), DocumentProperties())
        }
        func found(
            _ detection: Detection, _ status: FileStatus, _ attributes: DocumentAttributes
        ) -> (Detection, owner: UInt32?, attributes: DocumentAttributes, DocumentProperties) {
            let properties = properties(
                detection, status, attributes, from: source, for: documentType, facts
            ) { _ in DocumentProperties() }
            return (detection, status.owner, attributes, properties)
        }
    }

    /// Returns the properties that the interrupted run would have recorded, by what the document says now.
    private func properties(
        _ detection: Detection, _ status: FileStatus, _ attributes: DocumentAttributes, from source: BytePath,
        for documentType: String?, _ facts: [String: String], _ read: (DocumentProperties.Names) -> DocumentProperties
    ) -> DocumentProperties {
        guard let name = FileName(source.lastComponent) else { return DocumentProperties() }
        var document = RoutedDocument(
            detection: detection, name: name, in: recovery.inboxes.first(where: source.isInside), folder: [],
            size: status.size, modified: status.identity.modified, arrival: min(status.changed, .now()),
            attributes: attributes)
        document.allFacts = facts
        return Routing.recordedProperties(of: document, for: documentType, recovery.routing, properties: read)
    }
}
