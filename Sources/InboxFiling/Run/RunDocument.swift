import InboxLinux

/// One document of a ``FilingRun``, prepared: complete, typed and routed. Each step fills in the next property.
final class RunDocument {
    private(set) var prepared: PreparedDocument
    /// The folder that it lies in.
    let folder: OpenFolder
    /// The folders that it may be staged in; nil for a document that one rename brings to its place.
    @Boxed private(set) var stagingRoots: StagingRoots?
    /// The number of bytes copied so far.
    let progress: CopyProgress
    /// The document that is put back, by the id of its record; nil for one that is filed.
    let undoes: RecordID?
    /// The document that it goes with; nil for a document.
    private(set) unowned(safe) var main: RunDocument?
    /// The files that go with it.
    private(set) var members: [RunDocument] = []
    /// The identical file for which it is discarded; nil for one that gets to its destination.
    @Boxed private(set) var twin: IdenticalFile?
    /// The facts on which its way depends, as far as they are known before a filesystem has refused anything.
    let facts: FilingWay.Facts
    /// Its way to its destination; of one that is staged nil until it has been claimed.
    var way: FilingWay?

    /// The staging roots tried so far.
    var triedRoots = 0
    /// Its entry in the journal, and the staging folder that it names; nil before that.
    var entry: JournalEntry?
    var staging: StagingFolder?
    /// The open files and folders of a document that is staged.
    var files = Files()
    /// Its record, once it has its name.
    var record: FiledRecord?
    /// The attributes of the document that could not be kept, in words.
    var lost: [String] = []
    /// The result; nil while the document is under way.
    var result: FilingResult?
    /// Nothing is left to do for its entry, which ends; else that is left to recovery.
    var isClosed = false

    /// The open files and folders of a claimed document.
    struct Files {
        /// Where its source lies, once claimed; nil again when it has left the staging folder.
        var staged: StagedSource?
        /// Its source may lie in the staging folder though the claim failed: a server's reply was lost.
        var mayBeStaged = false
        /// Its source, opened anew after the claim.
        @Boxed var source: ClaimedSource?
        /// The copied entries of a package.
        @Boxed var manifest: PackageManifest?
        /// Its copy, before it has its name.
        @Boxed var target: CopyTarget?
    }

    /// A document that one rename brings to its place.
    init(renaming prepared: PreparedDocument, from folder: OpenFolder, undoes: RecordID? = nil) {
        self.prepared = prepared
        self.folder = folder
        self.undoes = undoes
        progress = CopyProgress(total: 0)
        facts = prepared.facts
        way = .rename
    }

    /// A document that is claimed first.
    /// - Parameter documents: Documents itself, where its staging folder may be used.
    init(
        claiming prepared: PreparedDocument, from sources: SourceFolders, documents: DestinationRoot?,
        progress: CopyProgress, undoes: RecordID? = nil, twin: IdenticalFile? = nil
    ) throws(Refusal) {
        let request = prepared.request
        let folder = try sources.folder(of: request)
        let roots = try Refusal.at(prepared.source, StagingRoots(of: prepared, in: folder, documents: documents))
        facts = FilingWay.Facts(
            kind: prepared.status.kind, isReadable: prepared.file != nil, isOnOneMount: roots.isOnOneMount,
            isClaimed: true, hasTwin: twin != nil)
        if FilingWay(facts) == nil { throw Refusal.unreadable }
        if twin == nil, let obstacle = try Refusal.at(prepared.source, RemovalObstacle.find(prepared, in: folder)) {
            try request.showWritableInbox()
            throw Refusal(unremovable: obstacle)
        }
        self.prepared = prepared
        self.folder = folder
        self.progress = progress
        self.undoes = undoes
        self.twin = twin
        stagingRoots = roots
    }

    /// Adds the files that go with a document that is claimed: all of them get their names with it, or are discarded with it,
    /// or none is.
    /// - Parameter twins: the identical files, in the same order, where they are discarded.
    func addMembers(
        from sources: SourceFolders, documents: DestinationRoot?, beside twins: [IdenticalMember]? = nil,
        _ id: () -> RecordID
    ) throws(Refusal) {
        for (number, member) in prepared.request.members.enumerated() {
            let prepared = try prepared.preparing(member, in: folder, as: id())
            var twin: IdenticalFile?
            if let found = twins?[number] {
                twin = try IdenticalFile(of: IdenticalDocument(prepared, found.name, found.status))
            }
            let document = try RunDocument(
                claiming: prepared, from: sources, documents: documents, progress: CopyProgress(total: 0),
                undoes: undoes, twin: twin)
            document.main = self
            members.append(document)
        }
    }

    /// All that gets its names together.
    var unit: [RunDocument] { members + [self] }

    var id: RecordID { prepared.id }

    /// Its path in the Inbox.
    var path: BytePath { prepared.source }

    /// It moves from the Inbox to its place by one rename.
    var isRenamed: Bool { _stagingRoots.isEmpty }

    /// Its content must be on the disk before its name moves.
    var isDurable: Bool { prepared.request.settings.durability == .full || !_twin.isEmpty }

    /// The name at its place may not be on the disk.
    var isUnsynced: Bool { entry?.unsyncedBoot != nil }

    /// Leases show that nobody writes; otherwise a quiet time replaces them.
    var isLeased: Bool {
        if case .lease = prepared.request.acceptance { prepared.isLeased } else { false }
    }

    /// Its destination folder.
    var target: OpenFolder { prepared.reached.folder }

    /// The path of its destination folder.
    var targetPath: BytePath { prepared.reached.path }

    /// The destination folder and those around it, from Documents on: some of them may be new.
    var targets: [OpenFolder] { prepared.reached.way }

    /// The filesystem of its destination folder.
    var filesystem: FilesystemMark { prepared.reached.filesystem }

    /// Writes its entry, which the journal is about to have.
    /// - Parameter staging: the staging folder that takes it first; nil where there is none.
    func enter(staged staging: StagingFolder?, _ mark: HistoryMark) throws(SyscallError) {
        var claim: JournalEntry.ClaimPlaces?
        if let staging, let stagingRoots {
            claim = JournalEntry.ClaimPlaces(
                from: prepared.request.inbox, into: staging.rootPath,
                on: try staging.root.directory.filesystemMark(), named: staging.instance.folderName,
                making: stagingRoots.target.path)
        }
        var entry = prepared.entry(since: mark, claim: claim, as: twin?.name)
        entry.isDiscard = !_twin.isEmpty
        entry.undoes = undoes
        entry.main = main?.id
        self.entry = entry
        self.staging = staging
    }

    /// Returns the names that it may get: what is put back gets its old one or none.
    func names(_ numbers: LastNumbers) -> FreeNames {
        var names = FreeNames(numbers, isExact: undoes != nil)
        // What moves with its members sees to that itself.
        names.avoidsLogs =
            !isRenamed && undoes == nil
            && (prepared.detection.isDatabase || MemberName.database(of: prepared.wanted) != nil)
        return names
    }

    /// Closes the file of a document whose name has moved, which ends the lease for which a writer may be waiting.
    func closeFile() { prepared.closeFile() }

    /// Lets writers go on.
    func releaseLeases() {
        files.source?.releaseLease()
        files.manifest?.kept.close()
    }
}
