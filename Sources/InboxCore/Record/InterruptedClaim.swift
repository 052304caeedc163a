import InboxFiling
import InboxLinux

/// The findings about an interrupted claim.
struct InterruptedClaim {
    let entry: JournalEntry
    let claim: JournalEntry.ClaimPlaces
    /// The parts of a claim that only the notes in a staging folder describe.
    typealias Noted = (staged: StagedSource, scope: NoteScope)

    /// The extent to which notes are followed.
    struct NoteScope {
        /// The roots that a source may return beneath.
        let returning: [BytePath]
        /// The roots in which something unfinished may be removed.
        let clearing: [BytePath]

        static func isIn(_ roots: [BytePath], _ path: BytePath) -> Bool {
            roots.contains { path == $0 || path.isInside($0) }
        }
    }

    /// The extent to which notes are followed, if only they describe the claim; nil if the journal has it.
    let scope: NoteScope?
    private let recovery: Recovery
    /// The staging folders of this daemon where the source was; none where there is none any more.
    private var staging: [StagingFolder]
    /// The claimed source; nil where there is none any more.
    private(set) var staged: StagedSource?
    /// The published copy; nil where there is none.
    private(set) var published: PublishedCopy?
    /// The copy was found by marks that no other file has.
    private var isMarked = false
    /// The destination folder; nil where it is gone.
    private(set) var folder: OpenFolder?
    /// The reason, in words, why a disk or the staging folder is not available; nil if both ends could be inspected.
    private(set) var absentReason: String?
    /// Nobody knows yet whether there is a copy, since contents have to be compared for that.
    private(set) var isUnsearched = false
    /// A run that is ending still has the staging folder, so that nothing is known of what is in it.
    private(set) var isLocked = false

    /// Inspects both ends of a claim.
    /// - Parameters:
    ///   - noted: its source, and how far notes are followed, where only those in the staging folder describe it.
    ///   - silent: the mount that its source is on, if that does not answer: nothing is called there.
    init(
        _ entry: JournalEntry, _ claim: JournalEntry.ClaimPlaces, noted: Noted?, besides silent: BytePath?,
        in recovery: Recovery,
        _ search: inout FolderSearch
    ) throws(SyscallError) {
        self.entry = entry
        self.claim = claim
        self.recovery = recovery
        (scope, staged, staging) = (noted?.scope, noted?.staged, noted.map { [$0.staged.staging] } ?? [])
        if let silent {
            absentReason = "\(silent) does not answer"
        } else if noted == nil {
            switch try open(claim.staging, claim.filesystem) {
            case .away(let reason): absentReason = reason
            case .gone: break
            case .there(let root):
                let existing = try stagings.existing(in: root, at: claim.staging)
                isLocked = existing.isLocked
                if isLocked { return }
                staging = existing.folders
                for folder in staging where staged == nil { staged = try StagedSource.find(entry.id, in: folder) }
                // Accepting what is at the destination says nothing of a staging folder that cannot be inspected.
                if staged == nil {
                    absentReason = existing.occupants.first { $0.mayHide(claim) }?.reason(in: claim.staging)
                }
            }
        }
        switch try open(entry.destination, entry.filesystem) {
        case .away(let reason): absentReason = absentReason ?? reason
        case .gone: break
        case .there(let found):
            folder = found
            published = try find(in: found, &search)
        }
    }

    private enum Opened {
        case there(OpenFolder)
        case gone
        case away(String)
    }

    private func open(_ path: BytePath, _ home: FilesystemMark) throws(SyscallError) -> Opened {
        let isAccepting = recovery.wish.isAccepting
        do throws(SyscallError) {
            let folder: OpenFolder
            do throws(SafePathError) { folder = try recovery.open(path) } catch {
                if case .failed(_, let error) = error { throw error }
                return .away("\(error)")
            }
            if isAccepting { return .there(folder) }
            return try folder.directory.filesystemMark().isSame(as: home)
                ? .there(folder) : .away("\(path) is on another filesystem than before")
        } catch  where error.errno.isAbsent {
            if isAccepting { return .gone }
            return try home.isAround(path)
                ? .gone : .away("\(path) is missing, on a disk that is absent")
        }
    }

    private mutating func find(
        in folder: OpenFolder, _ search: inout FolderSearch
    ) throws(SyscallError) -> PublishedCopy? {
        guard let copied = entry.copied else { return nil }
        guard try Filesystem(of: folder.directory.descriptor).hasLastingInodes else {
            guard isComparing || staged == nil else {
                isUnsearched = true
                return nil
            }
            let content = ContentSearch(copied, staged, in: folder, abandonment)
            switch try content.find(entry.directName ?? entry.wanted, elseIn: entry.wanted, search) {
            case .found(let name): return PublishedCopy(folder: folder, name: name)
            case .notThere: return nil
            case .abandoned:
                absentReason = "the daemon was asked to end"
                return nil
            }
        }
        isMarked = true
        return try search.name(of: copied.copy, entry, in: folder).map { PublishedCopy(folder: folder, name: $0) }
    }

    /// Returns what the table of recovery has to know.
    func state(isRecorded: Bool) -> RecoveryState {
        var state = RecoveryState(
            entry.isDiscard ? .discard : entry.isMember ? .member : .claim, unsyncedBoot: entry.unsyncedBoot,
            isRecorded: isRecorded)
        state.source = absentReason != nil ? .away : staged != nil ? .staged : .gone
        if published != nil {
            state.copy = isMarked ? .marked : .alike
        } else if recovery.published[entry.id] != nil {
            state.copy = .byThisRun
        } else if isUnsearched {
            state.copy = .unsearched
        }
        return state
    }

    /// Whose content has to be compared with a copy before the claim can end, which may take long; nil where none has.
    func comparedOwner(isRecorded: Bool) throws(SyscallError) -> UInt32? {
        guard let staged, !isComparing else { return nil }
        let status = try staged.folder.directory.status(of: staged.name)
        if isUnsearched { return status.owner }
        guard let published else {
            // What has the name of an unfinished copy may be one.
            return entry.directMade != nil && status.kind == .regular ? status.owner : nil
        }
        guard isRecorded, status.kind != .symlink, try !SourceRemoval.isUnchanged(staged, since: entry),
            try !published.isName(of: status)
        else { return nil }
        return status.owner
    }

    /// Ends the claim: removes or returns its source.
    /// - Parameter notices: gets what is worth a line of the log.
    /// - Returns: why it cannot be ended now; nil where it has ended.
    func end(isRecorded: Bool, inboxes: [BytePath], _ notices: inout [String]) throws(SyscallError) -> String? {
        try removePlaceholder()
        guard let staged else {
            if isRecorded { try syncSource() } else if entry.isMember { try bringBack() }
            return nil
        }
        // A name that the disk may have lost was looked for: without it the source is the only copy.
        if entry.unsyncedBoot != nil { try published?.folder.directory.sync() }
        // What is unrecorded, whatever the reason, keeps its source.
        if isRecorded, RecoveryTable.steps(for: state(isRecorded: true))?.contains(.clean) == true {
            let patience = ComparisonPatience(abandonment, isBrief: !isComparing)
            switch try SourceRemoval.remove(staged, entry, published, patience) {
            case .removed:
                try staged.end()
                try syncSource()
                return nil
            case .written: return "somebody is writing to the source, which was copied"
            case .undecided: return "the source is yet to be compared with its copy"
            case .changed: break
            }
        }
        try removeUnfinished(staged)
        if entry.isMember, !isRecorded { try takeBack() }
        if let notice = try removeInboxPlaceholder() { notices.append(notice) }
        return try returnSource(staged, inboxes) { name, folder in
            let place = folder.appending(name)
            // The daemon's own claims return without a word where nobody can tell that they were away.
            if scope == nil, place == entry.source { return }
            notices.append("put \(entry.source) back as \(place): a claim of it was interrupted")
        }
    }

    /// Brings the end of the source to the disk, before its entry ends: the folders that it was in.
    private func syncSource() throws(SyscallError) {
        for folder in staging { try folder.folder.directory.sync() }
        guard let parent = entry.source.parent else { return }
        let folder: Directory
        do throws(SafePathError) { folder = try openSource(parent) } catch {
            // The folder has gone since, and the name with it; or another one has its path, or one that is closed.
            guard case .failed(_, let error) = error, !error.errno.isAbsent, !error.errno.isClosed else { return }
            throw error
        }
        try folder.sync()
    }

    var stagings: StagingFolders { recovery.staging }
    func openSource(_ path: BytePath) throws(SafePathError) -> Directory { try recovery.openSource(path) }
    private var abandonment: Abandonment { recovery.abandonment }
    /// Contents are compared, however long that takes.
    private var isComparing: Bool { recovery.share.comparing != nil }

    /// The root that the source returns beneath; nil where notes name a place outside all roots.
    var home: BytePath? {
        guard let parent = entry.source.parent else { return nil }
        if let scope { return scope.returning.first { NoteScope.isIn([$0], parent) } }
        // A file that had the Inbox's own name was beside it.
        return entry.source == claim.inbox ? parent : claim.inbox
    }

    /// Returns the source to its folder, or to an Inbox where that cannot be.
    /// - Returns: why it cannot be returned now; nil where it was.
    private func returnSource(
        _ staged: StagedSource, _ inboxes: [BytePath], _ note: (FileName, BytePath) -> Void
    ) throws(SyscallError) -> String? {
        guard let parent = entry.source.parent, let name = FileName(entry.source.lastComponent) else { return nil }
        if let home {
            let names = parent.bytes.dropFirst(home.bytes.count).split(separator: UInt8(ascii: "/"))
                .compactMap { FileName($0) }
            do throws(SyscallError) {
                switch try SourceReturn.perform(staged, of: stagings, toFolder: names, in: home, as: name) {
                case .back(let found):
                    note(found, parent)
                    return nil
                case .stays(let obstacle): return "\(parent): \(obstacle)"
                }
            } catch {
                // Its folder is another one now, or the Inbox is none any more.
                guard error.errno.isAbsent || error.errno == .crossDevice, !inboxes.isEmpty else { throw error }
            }
        }
        guard let inbox = inboxes.first(where: { $0 == claim.inbox }) ?? inboxes.first else {
            return "no Inbox is left"
        }
        switch try SourceReturn.perform(staged, of: stagings, toFolder: [], in: inbox, as: name) {
        case .back(let found):
            note(found, inbox)
            return nil
        case .stays(let obstacle): return "\(inbox): \(obstacle)"
        }
    }
}

extension StagingFolder.Occupant {
    /// Returns whether the source of a claim may be in what this has taken the place of. A namesake may have been there
    /// before, so that the staging folder was given another name.
    fileprivate func mayHide(_ claim: JournalEntry.ClaimPlaces) -> Bool {
        if case .namesake(let name) = self { name == claim.name } else { true }
    }
}
