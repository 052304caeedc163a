import InboxLinux

/// The last steps: the document gets its name and its record, and the source of a copy goes or returns.
extension FilingRun {
    /// Moves. More are not kept in the journal until the next start of the machine: on a disk whose every sync fails,
    /// their number would grow without end.
    private static let mostKept = 4096

    /// Brings the claims to the disk: first the folders that the sources are in now, then those that they have left. A
    /// power cut could otherwise show a source under its old name, beside its copy, or under no name.
    func syncClaims() {
        guard isDurable else { return }
        var synced = SyncedFolders()
        let steps: [(RunDocument) -> [OpenFolder?]] = [
            { [$0.files.staged?.folder, $0.staging?.folder] }, { [$0.staging?.root] }, { [$0.folder] },
        ]
        for step in steps {
            for document in open where document.way?.copies == true {
                guard let failure = synced.failure(of: step(document).compactMap { $0 }) else { continue }
                refuse(document, Refusal(failure, at: document.path))
            }
        }
    }

    /// Gives a document its name, and with it the files that go with it. From here on they may belong to somebody, and are
    /// never taken back.
    func publish(_ document: RunDocument) throws(Refusal) {
        if document.isRenamed { return try rename(document) }
        guard document.main == nil, let source = document.files.source, let target = document.files.target else {
            return
        }
        let path = document.targetPath
        if means.abandonment.isRequested || document.prepared.isOutdated { throw Refusal(.changed) }
        for part in document.unit {
            let broken = try Refusal.at(part.path, part.files.source?.leaseBreak(isLeased: part.isLeased))
            if let broken = broken.flatMap({ $0 }) { throw broken }
        }
        for part in document.unit { if let changed = try Refusal.at(path, part.twin?.hold()) { throw changed } }
        let moved: MovedName?
        do throws(SyscallError) { moved = try place(document) } catch {
            // At once, by another way.
            if takesNote(of: error, target, document) { throw Refusal(.across) }
            if error.errno == .crossDevice {
                throw Refusal(
                    .hold(.permission, "no rename leads into \(path), as where it has a quota of its own: chattr(1), P")
                )
            }
            // The document is there; it is its destination that is not.
            guard mayHaveHappened(error, in: document.target) else {
                throw error.errno.isAbsent ? Refusal(.retry(error.words(at: path))) : Refusal(error, at: path)
            }
            // It may have its name: recovery looks for it once the server is back.
            for part in document.unit {
                part.result = .refused(.retry(error.words(at: path)))
                part.releaseLeases()
                leaveOpen(part, "\(error)")
            }
            return
        }
        guard let moved else { throw Refusal(.hold(.name, "no free name fits \(path)")) }
        document.record = document.prepared.record(
            at: .now(), as: moved.name, number: moved.number, document.entry?.copied?.published(source.status.kind))
        if let failure = moved.failure { return noteUnsynced(document, failure) }
        for part in document.unit { endMaking(part) }
    }

    /// Moves the name of a document to its place. No lease is held for longer than that takes: the file is closed at once.
    private func rename(_ document: RunDocument) throws(Refusal) {
        defer { document.closeFile() }
        if means.abandonment.isRequested { throw Refusal(.changed) }
        var names = document.names(numbers)
        let (name, number) = try SingleRename.perform(
            document.prepared, from: document.folder, &names, means.abandonment)
        document.record = document.prepared.record(
            at: .now(), as: name, number: number, document.prepared.status.identity)
    }

    /// Returns whether the server may have carried out a call that failed: a client of NFS that is mounted `soft` or
    /// `softerr` says EIO or ETIMEDOUT when the reply does not come in time, nfs(5).
    func mayHaveHappened(_ error: SyscallError, in folder: OpenFolder) -> Bool {
        if error.errno.isServerAway { return true }
        guard error.errno == .inputOutput else { return false }
        do throws(SyscallError) {
            return try Filesystem(of: folder.directory.descriptor).nameWithoutEvents != nil
        } catch {
            return true
        }
    }

    /// Gives a document, and the files that go with it, their names; nil where none fits.
    private func place(_ document: RunDocument) throws(SyscallError) -> MovedName? {
        var names = document.names(numbers)
        let wanted = document.prepared.wanted
        // What is identical has its name already, and so has what is beside it.
        if document.members.isEmpty || document.twin != nil { return try place(document, as: wanted, &names) }
        var failure: SyscallError?
        let taken = try names.take(wanted, in: document.target) { (candidate) throws(SyscallError) in
            guard let moved = try place(unit: document, as: candidate) else { return false }
            failure = moved.failure
            return true
        }
        return taken.map { MovedName(name: $0.name, number: $0.number, failure: failure) }
    }

    /// Gives a document this name, after the files that go with it, which get theirs beside it; nil where one is taken, and
    /// nothing has its name then. A log without its database harms nobody, while SQLite plays any log that lies beside a
    /// database into it.
    private func place(unit document: RunDocument, as candidate: FileName) throws(SyscallError) -> MovedName? {
        let former = document.prepared.request.name
        let names = document.members.compactMap {
            MemberName.renamed($0.prepared.request.name, of: former, as: candidate)
        }
        guard names.count == document.members.count else { return nil }
        let parts = Array(zip(document.unit, names + [candidate]))
        // What is taken is no reason to move anything first.
        for (_, name) in parts where try document.target.directory.has(name) { return nil }
        var placed: [(part: RunDocument, name: FileName)] = []
        var failure: SyscallError?
        do throws(SyscallError) {
            for (part, name) in parts {
                var exact = FreeNames(isExact: true)
                guard let moved = try place(part, as: name, &exact) else {
                    for (part, name) in placed { try takeBack(part, name) }
                    return nil
                }
                placed.append((part, name))
                failure = failure ?? moved.failure
            }
        } catch {
            let failure = error
            for (part, name) in placed { try takeBack(part, name) }
            throw failure
        }
        return MovedName(name: candidate, number: 0, failure: failure)
    }

    /// Takes back the name of a file whose document could not get its own.
    private func takeBack(_ part: RunDocument, _ name: FileName) throws(SyscallError) {
        if let file = part.files.target?.file {
            let isSame =
                try part.target.directory.status(of: name).identity.file == file.descriptor.status().identity.file
            if isSame { try part.target.directory.removeFile(name) }
        } else if let staged = part.files.staged, let source = part.files.source {
            var names = FreeNames(isExact: true)
            _ = try Moving.move(name, source.status, from: part.target, to: staged.folder, as: staged.name, &names)
        }
    }

    /// Gives a document the first free name of a row; nil where none fits.
    private func place(
        _ document: RunDocument, as wanted: FileName, _ names: inout FreeNames
    ) throws(SyscallError) -> MovedName? {
        guard let source = document.files.source, let target = document.files.target else { return nil }
        let folder = document.target
        switch target.made {
        case .named(_, let name, let number): return MovedName(name: name, number: number)
        case .twin(let twin): return MovedName(name: twin.name, number: 0)
        case .unnamed(let file):
            let taken = try names.make(wanted, in: folder) { (candidate) throws(SyscallError) in
                try folder.directory.link(file.descriptor, as: candidate)
            }
            return taken.map { MovedName(name: $0.name, number: $0.number) }
        case .file, .package, .link:
            guard let making = target.making else { return nil }
            let status = try making.folder.directory.status(of: source.staged.name)
            return try Moving.move(
                source.staged.name, status, from: making.folder, to: folder, as: wanted, &names)
        case .source:
            return try Moving.move(
                source.staged.name, source.status, from: source.staged.folder, to: folder, as: wanted, &names,
                around: document.targets)
        }
    }

    /// The document has its name: no failure takes that back.
    private func endMaking(_ document: RunDocument) {
        guard let target = document.files.target else { return }
        do throws(SyscallError) {
            guard case .source = target.made else { return try target.endMaking(document.id) }
            let staged = document.files.staged
            document.files.staged = nil
            try staged?.end()
        } catch {
            folderStays(error)
        }
    }

    /// The disk may not keep a name, which only a restart of the machine shows, or another try where the kernel has dropped
    /// nothing: the source waits for that.
    private func noteUnsynced(_ document: RunDocument, _ failure: SyscallError) {
        for part in document.unit { part.entry?.unsyncedBoot = failure.mayHaveDropped ? Boot.current : Boot.none }
        let witness =
            if failure.mayHaveDropped {
                "only a restart of the machine shows"
            } else if failure.errno.isServerAway {
                "the server shows when it is back"
            } else {
                "the next try shows"
            }
        report.notices.append(
            "the name of \(document.path) in \(document.targetPath) may not be on the disk, which \(witness): "
                + "\(failure)")
    }

    /// Records that this filesystem cannot name a finished copy in this way; false if the error means something else.
    private func takesNote(of error: SyscallError, _ target: CopyTarget, _ document: RunDocument) -> Bool {
        let method: NamingCapabilities.Method
        switch target.made {
        case .source where error.errno == .crossDevice: method = .moved
        case .unnamed where error.lacksSecondNames: method = .unnamed
        case _ where error.lacksSecondNames: method = .hidden
        default: return false
        }
        means.naming.noteFailure(method, on: document.filesystem)
        return true
    }

    /// Brings the names to the disk, with those of folders that were made for them. Where that fails the document stays
    /// where it is, and so does its source, until the machine has started anew and shows what the disk has kept.
    func syncNames() {
        syncRenames()
        guard hasClaims else { return }
        var synced = SyncedFolders()
        let claims = open.filter { !$0.isRenamed }
        for document in claims where document.main == nil {
            guard let failure = synced.failure(of: folders(of: document)), !document.isUnsynced else { continue }
            noteUnsynced(document, failure)
        }
        let unsynced = claims.filter { $0.isUnsynced }
        do throws(Refusal) { try note(unsynced, isDurable: true) } catch {
            // A power cut would leave records of copies that nothing shows to be doubtful: recovery records them, once it
            // can write that down.
            for document in unsynced where document.main == nil { leaveUnrecorded(document) }
        }
    }

    /// The same for the documents that were renamed, all at once. No later sync that succeeds is a proof, so that their
    /// entries are kept until the machine has restarted.
    private func syncRenames() {
        guard isDurable else { return }
        let renamed = open.filter(\.isRenamed)
        if renamed.isEmpty { return }
        var folders: [ObjectIdentifier: OpenFolder] = [:]
        for document in renamed {
            // Folders around the destination may be new, whoever created them: a run that moved nothing, or a killed one.
            for folder in [document.folder] + document.targets { folders[ObjectIdentifier(folder)] = folder }
        }
        for folder in madeFolders { folders[ObjectIdentifier(folder)] = folder }
        guard let failure = Syncing.failure(ofNamesIn: folders.values) else { return }
        report.unsynced = failure
        guard means.journal.openMoveCount <= Self.mostKept else { return }
        for document in renamed { document.entry?.unsyncedBoot = Boot.current }
    }

    /// The folders that must reach the disk with the name of a document: where the source itself has moved, those that it
    /// has left too.
    private func folders(of document: RunDocument) -> [OpenFolder] {
        // The twin's name was synced with its content.
        if document.twin != nil { return [] }
        let targets = document.targets
        guard case .source = document.files.target?.made, isDurable else { return targets }
        return targets + [document.folder] + (document.staging.map { [$0.folder] } ?? [])
    }

    /// Writes the records. Where that fails recovery does it.
    func record() {
        let open = open
        let placed = open.filter { $0.twin == nil && $0.main == nil }
        // Noted before it is recorded: if this daemon is killed in between and somebody takes the copy away, another
        // daemon must not file the source again. A missing record is made from the journal, except for a discard, which
        // is therefore recorded first. Of one whose name the disk may lose the source may be needed again.
        note(recorded: open.filter { $0.twin == nil && !$0.isRenamed && !$0.isUnsynced }.map(\.id))
        do throws(SyscallError) {
            if !placed.isEmpty { try means.log.record(placed.compactMap(\.record), isDurable: isDurable) }
        } catch {
            stateFailed("the history", error)
            for document in placed { leaveUnrecorded(document) }
        }
        guard hasClaims else { return }
        let discarded = open.compactMap { document in
            document.record.flatMap { document.twin?.document.record(at: $0.time) }
        }
        do throws(SyscallError) {
            if !discarded.isEmpty { try means.log.record(discarded) }
            note(recorded: open.filter { $0.twin != nil && !$0.isUnsynced }.map(\.id))
        } catch {
            stateFailed("the history", error)
            for document in open where document.twin != nil {
                refuse(document, Refusal(.postponed("cannot write the history: \(error.errno)")))
            }
        }
    }

    /// Leaves the record of a document that has its name to recovery.
    private func leaveUnrecorded(_ document: RunDocument) {
        guard let record = document.record else { return }
        for part in document.unit { part.result = .unrecorded(record, document.isRenamed ? document.entry : nil) }
    }

    /// Ends what is recorded: removes the sources that are still what was copied, and brings that to the disk; those that
    /// somebody has changed return to the Inbox. The source of a document goes after those of its files: should the state folder
    /// be lost meanwhile, the notes beside it still tell of all.
    func clean() {
        var removed: [RunDocument] = []
        for document in documents where document.main == nil {
            for member in document.members where clean(member) { removed.append(member) }
            if clean(document) { removed.append(document) }
        }
        endRemoved(removed)
    }

    /// Ends one document; returns whether its source was removed.
    private func clean(_ document: RunDocument) -> Bool {
        guard document.result == nil, let record = (document.main ?? document).record else { return false }
        document.result = .filed(record, lost: document.lost)
        if document.isRenamed {
            report.hasRenamed = true
            document.isClosed = true
        }
        if document.isUnsynced { return false }
        guard let source = document.files.source, let staged = document.files.staged else {
            document.isClosed = true
            return false
        }
        do throws(SyscallError) {
            let patience = ComparisonPatience(means.abandonment, isBrief: true)
            let outcome = try Self.again { () throws(SyscallError) in
                try SourceRemoval.remove(
                    source, document.files.target?.file, document.files.manifest, isLeased: document.isLeased,
                    patience)
            }
            switch outcome {
            case .removed:
                document.files.staged = nil
                try Self.again { () throws(SyscallError) in try staged.end() }
                return true
            case .written: leaveOpen(document, "somebody is writing to it")
            case .undecided: leaveOpen(document, "it is yet to be compared with its copy")
            case .changed:
                document.result = .returned(record, lost: document.lost)
                try putBack(document)
            }
        } catch {
            leaveOpen(document, "it was copied to \(record.destination), but cannot be removed: \(error)")
        }
        return false
    }

    /// Tries a call again at once: the copy is recorded by now, and a passing failure would only leave its source for
    /// recovery.
    private static func again<Result>(_ body: () throws(SyscallError) -> Result) throws(SyscallError) -> Result {
        for _ in 0..<2 {
            do throws(SyscallError) { return try body() } catch {
                if error.errno.isAbsent { throw error }
            }
        }
        return try body()
    }

    /// A removal that is not on the disk may be undone by a power cut: until then the entry shows that it was filed.
    private func endRemoved(_ removed: [RunDocument]) {
        var synced = SyncedFolders()
        for document in removed {
            let folders = [document.staging?.folder, document.folder].compactMap { $0 }
            if isDurable, let failure = synced.failure(of: folders) {
                leaveOpen(document, "its removal may not be on the disk: \(failure)")
            } else {
                document.isClosed = true
            }
        }
    }
}
