import InboxLinux

/// The last steps of a claim: the copy gets its name, is recorded, and the source goes or returns.
extension ClaimRun {
    /// Brings the claims to the disk: first the folders that the sources are in now, then those that they have left. A
    /// power cut could otherwise show a source under its old name, beside its copy, or under no name.
    func syncClaims() {
        guard isDurable else { return }
        var synced = SyncedFolders()
        let steps: [(Claim) -> [OpenFolder?]] = [
            { [$0.files.staged?.folder, $0.staging?.folder] }, { [$0.staging?.root] }, { [$0.document.folder] },
        ]
        for step in steps {
            for claim in open where claim.way?.copies == true {
                guard let failure = synced.failure(of: step(claim).compactMap { $0 }) else { continue }
                refuse(claim, Refusal(failure, at: claim.path))
            }
        }
    }

    /// Gives a copy its name. From here on it may belong to somebody, and is never taken back.
    func publish(_ claim: Claim) throws(Refusal) {
        guard let source = claim.files.source, let target = claim.files.target else { return }
        let (document, path) = (claim.document, claim.document.targetPath)
        if means.abandonment.isRequested || document.prepared.isOutdated { throw Refusal(.changed) }
        if let broken = try Refusal.at(claim.path, source.leaseBreak(isLeased: document.isLeased)) { throw broken }
        if let changed = try Refusal.at(path, document.twin?.hold()) { throw changed }
        let moved: MovedName?
        do throws(SyscallError) { moved = try publish(target, source, document) } catch {
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
            claim.result = .refused(.retry(error.words(at: path)))
            claim.releaseLeases()
            return leaveOpen(claim, "\(error)")
        }
        guard let moved else { throw Refusal(.hold(.name, "no free name fits \(path)")) }
        claim.record = document.prepared.record(
            at: .now(), as: moved.name, number: moved.number, claim.entry?.copied?.published(source.status.kind))
        if let failure = moved.failure { noteUnsynced(claim, failure) } else { endMaking(claim, target) }
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

    /// Nil where no name fits.
    private func publish(
        _ target: CopyTarget, _ source: ClaimedSource, _ document: ClaimDocument
    ) throws(SyscallError) -> MovedName? {
        let (folder, wanted) = (document.target, document.prepared.wanted)
        var names = document.names
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
    private func endMaking(_ claim: Claim, _ target: CopyTarget) {
        do throws(SyscallError) {
            guard case .source = target.made else { return try target.endMaking(claim.id) }
            let staged = claim.files.staged
            claim.files.staged = nil
            try staged?.end()
        } catch {
            folderStays(error)
        }
    }

    /// The disk may not keep a name, which only a restart of the machine shows, or another try where the kernel has dropped
    /// nothing: the source waits for that.
    private func noteUnsynced(_ claim: Claim, _ failure: SyscallError) {
        claim.entry?.unsyncedBoot = failure.mayHaveDropped ? Boot.current : Boot.none
        let witness =
            if failure.mayHaveDropped {
                "only a restart of the machine shows"
            } else if failure.errno.isServerAway {
                "the server shows when it is back"
            } else {
                "the next try shows"
            }
        report.notices.append(
            "the name of \(claim.path) in \(claim.document.targetPath) may not be on the disk, which \(witness): "
                + "\(failure)")
    }

    /// Records that this filesystem cannot name a finished copy in this way; false if the error means something else.
    private func takesNote(of error: SyscallError, _ target: CopyTarget, _ document: ClaimDocument) -> Bool {
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
        var synced = SyncedFolders()
        for claim in open {
            guard let failure = synced.failure(of: folders(of: claim)), !claim.isUnsynced else { continue }
            noteUnsynced(claim, failure)
        }
        let unsynced = open.filter { $0.isUnsynced }
        do throws(Refusal) { try note(unsynced, isDurable: true) } catch {
            // A power cut would leave records of copies that nothing shows to be doubtful: recovery records them, once it
            // can write that down.
            for claim in unsynced { leaveUnrecorded(claim) }
        }
    }

    /// The folders that must reach the disk with the name of a document: where the source itself has moved, those that it
    /// has left too.
    private func folders(of claim: Claim) -> [OpenFolder] {
        // The twin's name was synced with its content.
        if claim.document.twin != nil { return [] }
        let targets = claim.document.targets
        guard case .source = claim.files.target?.made, isDurable else { return targets }
        return targets + [claim.document.folder] + (claim.staging.map { [$0.folder] } ?? [])
    }

    /// Writes the records. Where that fails recovery does it.
    func record() {
        let open = open
        // Of one whose name the disk may lose the source may be needed again.
        let lasting = open.filter { !$0.isUnsynced }
        // Noted before it is recorded: if this daemon is killed in between and somebody takes the copy away, another
        // daemon must not file the source again. A missing record is made from the journal, except for a discard, which
        // is therefore recorded first.
        note(recorded: lasting.filter { $0.document.twin == nil }.compactMap { $0.record?.id })
        let records = open.filter { $0.document.twin == nil }.compactMap(\.record)
        do throws(SyscallError) {
            if !records.isEmpty { try means.log.record(records, isDurable: isDurable) }
        } catch {
            stateFailed("the history", error)
            for claim in open where claim.document.twin == nil { leaveUnrecorded(claim) }
        }
        let discarded = open.compactMap { claim in
            claim.record.flatMap { claim.document.twin?.document.record(at: $0.time) }
        }
        do throws(SyscallError) {
            if !discarded.isEmpty { try means.log.record(discarded) }
            note(recorded: lasting.filter { $0.document.twin != nil }.compactMap { $0.record?.id })
        } catch {
            stateFailed("the history", error)
            for claim in open where claim.document.twin != nil {
                refuse(claim, Refusal(.postponed("cannot write the history: \(error.errno)")))
            }
        }
    }

    /// Leaves the record of a document that has its name to recovery.
    private func leaveUnrecorded(_ claim: Claim) {
        claim.result = claim.record.map { .unrecorded($0) }
    }

    /// Removes the sources that are still what was copied, and brings that to the disk; those that somebody has changed
    /// return to the Inbox.
    func removeSources() {
        var removed: [Claim] = []
        for claim in open {
            guard let record = claim.record else { continue }
            claim.result = .filed(record, lost: claim.lost)
            if claim.isUnsynced { continue }
            guard let source = claim.files.source, let staged = claim.files.staged else {
                close(claim)
                continue
            }
            do throws(SyscallError) {
                let patience = ComparisonPatience(means.abandonment, isBrief: true)
                let outcome = try Self.again { () throws(SyscallError) in
                    try SourceRemoval.remove(
                        source, claim.files.target?.file, claim.files.manifest, isLeased: claim.document.isLeased,
                        patience)
                }
                switch outcome {
                case .removed:
                    claim.files.staged = nil
                    try Self.again { () throws(SyscallError) in try staged.end() }
                    removed.append(claim)
                case .written: leaveOpen(claim, "somebody is writing to it")
                case .undecided: leaveOpen(claim, "it is yet to be compared with its copy")
                case .changed:
                    claim.result = .returned(record, lost: claim.lost)
                    try putBack(claim)
                }
            } catch {
                leaveOpen(claim, "it was copied to \(record.destination), but cannot be removed: \(error)")
            }
        }
        endRemoved(removed)
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
    private func endRemoved(_ removed: [Claim]) {
        var synced = SyncedFolders()
        for claim in removed {
            let folders = [claim.staging?.folder, claim.document.folder].compactMap { $0 }
            if isDurable, let failure = synced.failure(of: folders) {
                leaveOpen(claim, "its removal may not be on the disk: \(failure)")
            } else {
                close(claim)
            }
        }
    }
}
