import InboxLinux

/// A document that goes to another filesystem, prepared: complete, typed and routed.
package final class ClaimDocument: Sendable {
    /// The document.
    let prepared: PreparedDocument
    /// The folder that it lies in.
    let folder: OpenFolder
    /// The folders whose staging folder may take it: the first one to which a rename leads is used.
    let stagingRoots: [StagingRoot]
    /// The topmost folder on the destination's filesystem, as far as the way to the destination shows.
    let top: StagingRoot
    /// The number of bytes copied so far.
    let progress: CopyProgress
    /// The document that is put back, by the id of its record; nil for one that is filed.
    let undoes: RecordID?
    /// The identical file for which it is discarded; nil for one that gets to its destination.
    let twin: IdenticalFile?
    /// The facts on which its way depends, as far as they are known before a filesystem has refused anything.
    let facts: FilingWay.Facts

    /// A folder in which a staging folder may lie.
    struct StagingRoot: Sendable {
        let folder: OpenFolder
        let path: BytePath
        let status: FileStatus

        init(_ folder: OpenFolder, at path: BytePath) throws(SyscallError) {
            self.folder = folder
            self.path = path
            status = try folder.directory.status()
        }

        /// Returns whether both are on one device and mount, so that rename(2) should work.
        func isOnSameMount(_ other: FileStatus) -> Bool {
            status.identity.file.device == other.identity.file.device && status.mount == other.mount
        }

        /// The topmost folder around this one on the same mount, as far as nobody else could exchange those on the way; nil
        /// where there is none inside the root.
        func top(beneath root: BytePath) throws(SyscallError) -> StagingRoot? {
            var found: StagingRoot?
            while let parent = (found ?? self).path.parent, parent.isInside(root) {
                let folder: OpenFolder
                do throws(SafePathError) { folder = OpenFolder(try SafePath.open(parent)) } catch { break }
                let around = try StagingRoot(folder, at: parent)
                guard around.isOnSameMount(status) else { break }
                found = around
            }
            return found
        }
    }

    /// Finds the folders that may have its staging folder: Documents, the Inbox, or the top of the mount inside that it lies
    /// on, where recovery finds it without a journal; and else its own folder.
    /// - Parameter documents: Documents itself, where its staging folder may be used.
    init(
        _ prepared: PreparedDocument, from sources: SourceFolders, documents: DestinationRoot?, progress: CopyProgress,
        undoes: RecordID? = nil, twin: IdenticalFile? = nil
    ) throws(Refusal) {
        let request = prepared.request
        let folder = try sources.folder(of: request)
        let isOnOneMount: Bool
        do throws(SyscallError) {
            let own = try StagingRoot(folder, at: request.folderPath)
            var roots: [StagingRoot] = []
            if let documents { roots.append(try StagingRoot(documents.opened.folder, at: documents.path)) }
            if request.folder != nil, let inbox = request.openedInbox() {
                roots.append(try StagingRoot(inbox, at: request.inbox))
            }
            roots = roots.filter { $0.isOnSameMount(own.status) }
            if roots.isEmpty, let top = try own.top(beneath: request.inbox) { roots.append(top) }
            stagingRoots = roots + [own]
            let target = try StagingRoot(prepared.reached.folder, at: prepared.reached.path)
            isOnOneMount = target.isOnSameMount(own.status)
            var (top, path) = (target, target.path)
            for folder in prepared.reached.way.dropLast().reversed() {
                guard let parent = path.parent else { break }
                path = parent
                let around = try StagingRoot(folder, at: path)
                if around.isOnSameMount(target.status) { top = around }
            }
            self.top = top
        } catch {
            throw Refusal(error, at: prepared.source)
        }
        facts = FilingWay.Facts(
            kind: prepared.status.kind, isReadable: prepared.file != nil, isOnOneMount: isOnOneMount, isClaimed: true,
            hasTwin: twin != nil)
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
    }

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

    /// Its entry in the journal.
    func entry(staged staging: StagingFolder, _ mark: HistoryMark) throws(SyscallError) -> JournalEntry {
        var entry = prepared.entry(
            since: mark,
            claim: JournalEntry.ClaimPlaces(
                from: prepared.request.inbox, into: staging.rootPath,
                on: try staging.root.directory.filesystemMark(), named: staging.instance.folderName, making: top.path),
            as: twin?.name)
        entry.isDiscard = twin != nil
        entry.undoes = undoes
        return entry
    }

    /// The names that it may get: what is put back gets its old one or none.
    var names: FreeNames {
        var names = FreeNames(isExact: undoes != nil)
        let isPartOfDatabase = prepared.detection.isDatabase || MemberName.database(of: prepared.wanted) != nil
        names.avoidsLogs = undoes == nil && isPartOfDatabase
        return names
    }
}
