import InboxFiling
import InboxLinux

/// Empties staging folders of what no entry of the journal explains: sources return to the Inbox, unless notes show that
/// their copies have got their names, and unfinished copies are removed.
struct StagingSweep {
    /// Seconds. Nothing shows whether another machine's daemon is running: it may still be copying what it claimed less
    /// than this ago.
    private static let copyTime: Int64 = 300
    /// Staging folders of other daemons in a root. One sweep inspects no more.
    private static let most = 1024

    var pass: RecoveryPass
    /// The claims in the root that is being swept that this daemon has begun, and the journal has lost.
    private var lost: [RecordID: JournalEntry] = [:]

    init(pass: RecoveryPass) { self.pass = pass }

    private var journal: Journal { pass.recovery.journal }
    private var staging: StagingFolders { pass.recovery.staging }
    private var inboxes: [BytePath] { pass.recovery.inboxes }

    /// Sweeps the staging folders at the roots of the share.
    mutating func perform(_ findings: inout Recovery.Findings) throws(SyscallError) {
        for path in pass.recovery.share.roots {
            if let mount = pass.recovery.silent.innermost(around: path) {
                // That the root cannot be used is a problem of its own.
                findings.silent.insert(mount)
                continue
            }
            findings.stranded[path] = []
            let root: OpenFolder
            do throws(SafePathError) { root = try pass.recovery.open(path) } catch {
                // The root is missing or unsafe, which is a problem of its own.
                continue
            }
            lost = [:]
            // Those that have ended are forgotten, whatever has ended them.
            defer { journal.noteUnfinished(lost, at: path) }
            try attempt(at: path, &findings) { (sweep, findings) throws(SyscallError) in
                try sweep.emptyOwn(in: root, at: path, &findings)
            }
            for name in try foreign(in: root, &findings) {
                try attempt(at: path, &findings) { (sweep, findings) throws(SyscallError) in
                    try sweep.visit(name, in: root, at: path, &findings)
                }
            }
        }
    }

    private mutating func emptyOwn(
        in root: OpenFolder, at path: BytePath, _ findings: inout Recovery.Findings
    ) throws(SyscallError) {
        let existing = try staging.existing(in: root, at: path)
        if existing.isLocked {
            findings.lockedStaging = path
            return
        }
        for occupant in existing.occupants {
            // Any user can make a folder of this name; only root and the owner of the root are given one by chown -R.
            if case .foreign(_, let owner) = occupant, try ![0, root.directory.status().owner].contains(owner) {
                continue
            }
            report(occupant, at: path, &findings)
        }
        for folder in existing.folders {
            try attempt(at: path, &findings) { (sweep, findings) throws(SyscallError) in
                try sweep.empty(folder, at: path, isOwn: true, &findings)
            }
        }
    }

    /// Reports what has the name of a staging folder and may contain claimed documents.
    private func report(_ occupant: StagingFolder.Occupant, at path: BytePath, _ findings: inout Recovery.Findings) {
        guard !occupant.isNamesake else { return }
        let reason = occupant.reason(in: path)
        // An open claim in this root already reports it.
        let isReported = journal.interrupted.documents.values.contains { $0.claim?.staging == path }
        if !isReported { findings.open.append((path, reason)) }
    }

    /// The staging folders of other daemons in a root, as far as those may be of the daemon's user.
    private func foreign(
        in root: OpenFolder, _ findings: inout Recovery.Findings
    ) throws(SyscallError) -> [FileName] {
        let isWithoutOwners = try Filesystem(of: root.directory.descriptor).isWithoutOwners
        var found: [FileName] = []
        var entries = try DirectoryEntries(of: try root.directory.folder(beneath: []))
        while found.count < Self.most, let entry = try entries.next() {
            guard staging.isForeign(entry.name) else { continue }
            // Whatever it is, it may be seen again and again.
            findings.hasOthers = true
            do throws(SyscallError) {
                let status = try root.directory.status(of: entry.name)
                if status.kind == .directory, isWithoutOwners || status.owner == Process.user {
                    found.append(entry.name)
                }
            } catch {
                // Its daemon has ended its work, or somebody has mounted something there: no daemon's.
                if error.errno.isWantOfResources { throw error }
            }
        }
        return found
    }

    /// Another daemon's staging folder, or one of this daemon from before it lost its state folder.
    ///
    /// On this machine it is entered if its lock is free. A lock says nothing about other machines: on a filesystem that
    /// they may share, the folder is entered only after somebody has asked for a retry.
    private mutating func visit(
        _ name: FileName, in root: OpenFolder, at path: BytePath, _ findings: inout Recovery.Findings
    ) throws(SyscallError) {
        guard let instance = Instance(named: name) else { return }
        let isLocal = try Filesystem(of: root.directory.descriptor).nameWithoutEvents == nil
        let isEntered = isLocal || pass.recovery.wish.isAccepting
        switch isEntered ? try StagingFolder.find(in: root, at: path, instance) : .nothing {
        case .folder(let folder):
            try empty(folder, at: path, isOwn: false, &findings)
            try folder.removeIfEmpty()
        case .taken(.open(let name, let permissions)) where isLocal:
            report(.open(name, permissions: permissions), at: path, &findings)
        case .locked where isLocal, .nothing where isLocal, .taken where isLocal:
            // Its daemon runs, or it is none; should a daemon die, a later search finds what it left.
            break
        case .locked, .nothing, .taken:
            let latest = Timestamp.now().seconds - Self.copyTime
            let claims = try claims(in: name, of: root)?.filter { $0.seconds <= latest }
            if claims?.isEmpty == true { return }
            findings.stranded[path]?.formUnion(claims ?? [])
            let documents = (claims?.count).map { $0 == 1 ? ", with 1 document" : ", with \($0) documents" } ?? ""
            findings.open.append((path, "\(name) in it is another daemon's staging folder\(documents)"))
        }
    }

    /// The documents that are claimed in a staging folder; nil where it may not be read.
    private func claims(in name: FileName, of root: OpenFolder) throws(SyscallError) -> [RecordID]? {
        do throws(SyscallError) {
            var found: [RecordID] = []
            var entries = try DirectoryEntries(of: try root.directory.folder(name))
            while let entry = try entries.next() { if let id = StagedSource.id(of: entry.name) { found.append(id) } }
            return found
        } catch  where error.errno.isAbsent {
            // It has gone, or is no folder.
            return []
        } catch  where error.errno.isDenied {
            return nil
        }
    }

    /// One staging folder that cannot be read must not keep all the others from being swept.
    private mutating func attempt(
        at path: BytePath, _ findings: inout Recovery.Findings,
        _ body: (inout StagingSweep, inout Recovery.Findings) throws(SyscallError) -> Void
    ) throws(SyscallError) {
        do throws(SyscallError) { try body(&self, &findings) } catch {
            if error.errno.isWantOfResources { throw error }
            findings.open.append((path, "a staging folder in it: \(error)"))
        }
    }

    private mutating func empty(
        _ folder: StagingFolder, at path: BytePath, isOwn: Bool, _ findings: inout Recovery.Findings
    ) throws(SyscallError) {
        var names: [FileName] = []
        var entries = try DirectoryEntries(of: try folder.folder.directory.folder(beneath: []))
        while let entry = try entries.next() { names.append(entry.name) }
        let notes = try ClaimNotes.find(among: names, in: folder)
        let sources = Set(names.compactMap { StagedSource.id(of: $0) }.filter { !journal.isOpen($0) })
        var noted: [RecordID: ClaimNotes.Found] = [:]
        for note in notes {
            let staged = note.claims.filter { sources.contains($0.key) }
            for id in staged.keys where noted[id] == nil || note.recorded.contains(id) { noted[id] = note }
            let isOwn = isOwn || note.state == staging.place.text
            if isOwn { lost.merge(staged) { $1 } }
            try pass.learn(Array(staged.values), isOwn: isOwn, noted: note.recorded)
        }
        // Before any of them is recorded: a document that is being compared with its source, say, is not to be put back.
        journal.noteUnfinished(lost, at: path)
        // The files that go with a document return before it, so that nobody meets it without them.
        let members = Set(sources.filter { noted[$0]?.claims[$0]?.main != nil }.map { StagedSource.folderName($0) })
        names = names.filter(members.contains) + names.filter { !members.contains($0) }
        var rest = sources
        for name in names {
            if let id = StagedSource.id(of: name) { rest.remove(id) }
            do throws(SyscallError) {
                if let id = StagedSource.id(of: name), sources.contains(id) {
                    let isStranded = try end(id, noted[id], in: folder, at: path, &findings)
                    if isStranded { findings.stranded[path]?.insert(id) }
                    if lost[id] != nil, try StagedSource.find(id, in: folder) == nil { lost[id] = nil }
                } else if let id = CopyTarget.id(of: name), !journal.isOpen(id) {
                    let isGone = try FolderRemoval.remove(name, in: folder.folder)
                    if !isGone { findings.open.append((path, "\(name) in a staging folder cannot be removed")) }
                }
            } catch {
                if let id = StagedSource.id(of: name), sources.contains(id) { findings.stranded[path]?.insert(id) }
                // One that is immutable, say, must not keep the others. What is wrong with the whole filesystem does.
                if error.errno.isObstruction || error.errno.isDiskFailure || error.errno.isServerAway {
                    findings.stranded[path]?.formUnion(rest)
                    throw error
                }
                if error.errno.isWantOfResources { throw error }
                let verb = StagedSource.id(of: name) == nil ? "be removed" : "return"
                findings.open.append((path, "\(document(name, folder)) in a staging folder cannot \(verb): \(error)"))
            }
        }
        for note in notes where try hasEnded(note, in: folder) { try note.end(in: folder) }
    }

    /// The name of the document that is claimed under this name, as far as that can be read, or the name itself.
    private func document(_ name: FileName, _ folder: StagingFolder) -> FileName {
        do throws(SyscallError) {
            return try StagedSource.id(of: name).flatMap { (id) throws(SyscallError) in
                try StagedSource.find(id, in: folder)?.name
            } ?? name
        } catch {
            return name
        }
    }

    private func put(
        _ staged: StagedSource, into wanted: BytePath?, or other: BytePath
    ) throws(SyscallError) -> (place: BytePath, SourceReturn) {
        func put(into folder: BytePath) throws(SyscallError) -> (BytePath, SourceReturn) {
            (folder, try SourceReturn.perform(staged, of: staging, toFolder: [], in: folder, as: staged.name))
        }
        guard let wanted else { return try put(into: other) }
        do throws(SyscallError) { return try put(into: wanted) } catch  where error.errno == .crossDevice {
            return try put(into: other)
        }
    }

    private func hasEnded(_ note: ClaimNotes.Found, in folder: StagingFolder) throws(SyscallError) -> Bool {
        // A run that has just begun has written nothing into it yet.
        for id in [note.id] + note.claims.keys {
            if journal.isOpen(id) { return false }
            if try StagedSource.find(id, in: folder) != nil { return false }
        }
        return true
    }

    /// Ends what no entry of the journal explains.
    /// - Returns: whether its document cannot return.
    private mutating func end(
        _ id: RecordID, _ note: ClaimNotes.Found?, in folder: StagingFolder, at path: BytePath,
        _ findings: inout Recovery.Findings
    ) throws(SyscallError) -> Bool {
        let inbox = inboxes.first { $0 == path || path.isInside($0) } ?? inboxes.first { $0.isInside(path) }
        if let note, let claim = note.claims[id] {
            if let staged = try StagedSource.find(id, in: folder) {
                return try pass.end(
                    claim, note, staged, at: path, inboxes: (inbox.map { [$0] } ?? []) + inboxes, &findings)
            }
            try StagedSource.end(id, in: folder)
            return false
        }
        return try !returnSource(id, in: folder, at: path, &findings)
    }

    /// Returns what no note describes: into the Inbox that the staging folder is in or beside, or else, since no rename leads
    /// to an Inbox from another filesystem, into the folder that the staging folder is in.
    /// - Returns: whether it has returned.
    private func returnSource(
        _ id: RecordID, in folder: StagingFolder, at path: BytePath, _ findings: inout Recovery.Findings
    ) throws(SyscallError) -> Bool {
        let isInInbox = inboxes.contains { path.isInside($0) }
        let beside = isInInbox ? nil : inboxes.first { $0 == path || $0.isInside(path) } ?? inboxes.first
        while let staged = try StagedSource.find(id, in: folder) {
            let (place, outcome) = try put(staged, into: beside, or: path)
            switch outcome {
            case .stays(let obstacle):
                findings.open.append((path, "\(staged.name) in a staging folder cannot return: \(obstacle)"))
                return false
            case .back(let name):
                findings.notices.append("put \(name) back into \(place): a claim of it was interrupted")
            }
        }
        try StagedSource.end(id, in: folder)
        return true
    }
}
