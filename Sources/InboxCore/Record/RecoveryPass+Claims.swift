import InboxFiling
import InboxLinux

/// Claims for a copy that were interrupted: what is done with each, ``RecoveryTable`` says.
extension RecoveryPass {
    /// Ends the claims that can be ended.
    mutating func endClaims(_ findings: inout Recovery.Findings) throws(SyscallError) {
        let claims = recovery.entries.claims.values.sorted { $0.id.text < $1.id.text }
        guard !claims.isEmpty else { return }
        var cases: [InterruptedClaim] = []
        for claim in claims { if let found = try inspect(claim, noted: nil, &findings) { cases.append(found) } }
        let keep = { [journal = recovery.journal] (unsynced: [JournalEntry]) throws(SyscallError) in
            defer { journal.rest(unsynced.map(\.id)) }
            try journal.note(unsynced, isDurable: true)
        }
        let place = recovery.staging.place
        cases = try write(cases, &findings, keep: keep) { (cases) throws(SyscallError) in
            let staged = cases.compactMap { found in found.staged.map { (found.entry, $0.staging) } }
            for group in Dictionary(grouping: staged, by: { ObjectIdentifier($0.1) }).values {
                try ClaimNotes.note(recorded: group.map(\.0), in: group[0].1, state: place)
            }
        }
        // The files that go with a document return before it, so that nobody meets it without them.
        let returning = Set(cases.filter { $0.entry.main == nil && !$0.isUnsearched }.map(\.entry.id))
        for found in cases.filter({ $0.entry.main != nil }) + cases.filter({ $0.entry.main == nil }) {
            let isRecorded = recorded.contains(found.entry.recordID.text)
            // What became of the document decides what becomes of them.
            if let main = found.entry.main, !isRecorded, recovery.journal.isOpen(main), !returning.contains(main) {
                findings.open.append((found.entry.source, "the document that it goes with cannot be inspected yet"))
                continue
            }
            if try leaveCompared(found, isRecorded: isRecorded, at: nil, &findings) { continue }
            if try end(found, isRecorded: isRecorded, inboxes: recovery.inboxes, &findings) {
                findings.ended.append((found.entry.id, isRecorded))
            }
        }
        try recovery.journal.end(findings.ended.map(\.id))
    }

    /// Returns the findings about a claim; nil if it cannot be ended now, which `findings` then report.
    private mutating func inspect(
        _ claim: JournalEntry, noted: InterruptedClaim.Noted?, _ findings: inout Recovery.Findings
    ) throws(SyscallError) -> InterruptedClaim? {
        guard let staged = claim.claim else { return nil }
        // Notes lie beside the source, which answered when they were read.
        if leaveSilent(claim.source, noted == nil ? claim.targetPlaces : claim.places, &findings) { return nil }
        let silent = claim.sourcePlaces.lazy.compactMap(recovery.silent.innermost(around:)).first
        if let silent { findings.silent.insert(silent) }
        do throws(SyscallError) {
            let found = try InterruptedClaim(claim, staged, noted: noted, besides: silent, in: recovery, &search)
            let mayRecord = noted == nil || own.contains(claim.id)
            if found.isLocked {
                findings.lockedStaging = staged.staging
            } else if !steps(for: found).contains(.wait) || (mayRecord && needsRecord(found)) {
                return found
            } else if let reason = found.absentReason {
                findings.open.append((claim.source, reason))
            } else {
                findings.unsynced.append(claim.source)
            }
        } catch {
            try leave(claim, error, &findings)
        }
        return nil
    }

    /// Leaves a claim to a recovery of its own where contents have to be compared: others wait for the end of this one.
    /// - Parameter root: where the staging folder is, if only the notes in it describe the claim.
    /// - Returns: whether it was left.
    private func leaveCompared(
        _ found: InterruptedClaim, isRecorded: Bool, at root: BytePath?, _ findings: inout Recovery.Findings
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            guard let owner = try found.comparedOwner(isRecorded: isRecorded) else { return false }
            findings.leave(
                recovery.share.comparison(
                    of: found.entry, at: root, by: owner, isUnsearched: found.isUnsearched))
        } catch {
            try leave(found.entry, error, &findings)
        }
        return true
    }

    /// Removes or returns the source of a claim; false where it cannot be ended now, which the findings then say.
    private func end(
        _ found: InterruptedClaim, isRecorded: Bool, inboxes: [BytePath], _ findings: inout Recovery.Findings
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            // What was recorded without it is not ended without it.
            var reason = found.absentReason
            if reason == nil {
                reason = try found.end(isRecorded: isRecorded, inboxes: inboxes, &findings.notices)
            }
            guard let reason else { return true }
            findings.open.append((found.entry.source, reason))
        } catch {
            try leave(found.entry, error, &findings)
        }
        return false
    }

    private func steps(for found: InterruptedClaim) -> [RecoveryTable.Step] {
        RecoveryTable.steps(for: found.state(isRecorded: recorded.contains(found.entry.recordID.text))) ?? [.wait]
    }

    /// The copy of a source that is away is recorded at once if nothing else has its marks: should somebody move it before
    /// the source can be inspected, it would be filed again.
    private func needsRecord(_ found: InterruptedClaim) -> Bool { steps(for: found).contains(.record) }

    /// Writes the records that are missing, once their names are on the disk. Where the disk fails to say so, the next
    /// boot shows what it has kept: the source waits for that, since no later sync is a proof.
    /// - Parameters:
    ///   - keep: writes down which names that is true of.
    ///   - note: writes down beside their sources what is about to be recorded: if this daemon is killed once more and
    ///     somebody takes a copy away, another one that starts first does not file its source again.
    /// - Returns: the claims that can be ended.
    private mutating func write(
        _ cases: [InterruptedClaim], _ findings: inout Recovery.Findings,
        keep: ([JournalEntry]) throws(SyscallError) -> Void,
        note: ([InterruptedClaim]) throws(SyscallError) -> Void
    ) throws(SyscallError) -> [InterruptedClaim] {
        var records: [FiledRecord] = []
        var undone: [UndoJob.Done] = []
        var rest: [InterruptedClaim] = []
        var unsynced: [JournalEntry] = []
        for found in cases {
            var claim = found.entry
            guard needsRecord(found) else {
                rest.append(found)
                continue
            }
            guard let published = found.published else {
                if let record = recovery.published[claim.id] { records.append(record) }
                if claim.isUnsynced { unsynced.append(claim) } else { rest.append(found) }
                continue
            }
            if !claim.isUnsynced, let failure = syncName(of: published, claim) {
                if !failure.mayHaveDropped {
                    findings.open.append((claim.source, "\(claim.destination): \(failure)"))
                    continue
                }
                claim.unsyncedBoot = Boot.current
            }
            do throws(SyscallError) {
                let record = try record(claim, published)
                if let id = claim.undoes {
                    undone.append(
                        try UndoJob.Done(
                            of: id, at: claim.source, record, published.name, in: published.folder, for: nil))
                } else {
                    records.append(record)
                }
            } catch {
                try leave(claim, error, &findings)
                continue
            }
            if claim.isUnsynced { unsynced.append(claim) } else { rest.append(found) }
        }
        if !unsynced.isEmpty { try keep(unsynced) }
        findings.unsynced += unsynced.map(\.source)
        for done in undone { try recovery.hold(done.document) }
        do throws(SyscallError) { try note(rest.filter(needsRecord)) } catch {
            findings.notices.append("the claims in a staging folder cannot be written for other daemons: \(error)")
        }
        try recovery.log.record(
            records, with: Array(undone.map(\.record.line).joined()), isDurable: true, isFound: true)
        findings.records += records
        findings.undone += undone
        recorded.formUnion(records.map(\.id.text) + undone.map(\.record.undo.text))
        return rest
    }

    /// Brings the name of a copy to the disk.
    private mutating func syncName(of published: PublishedCopy, _ claim: JournalEntry) -> SyscallError? {
        synced.sync(published.folder, at: claim.destination)
            ?? synced.syncAround(claim.destination, on: published.folder)
    }

    /// Adds claims that are not in the journal, from the notes in a staging folder.
    /// - Parameters:
    ///   - isOwn: whether they are this daemon's from before it lost its state folder, and not those of another one.
    ///   - recorded: the ones that their daemon has recorded, possibly in a history that is lost.
    mutating func learn(
        _ claims: [JournalEntry], isOwn: Bool, noted recorded: Set<RecordID>
    ) throws(SyscallError) {
        search.add(claims)
        noted.formUnion(recorded)
        guard isOwn, !claims.isEmpty else { return }
        own.formUnion(claims.map(\.id))
        // Where the history ended is no longer known: it may be another one.
        self.recorded.formUnion(try recovery.history.recorded(claims.map { $0.wantedRecord(after: nil) }))
    }

    /// Ends a claim that is not in the journal, but in the notes in the staging folder of its source.
    ///
    /// A source with a published copy is not filed again; the daemon that copied it writes the record when it starts again,
    /// from its journal.
    /// - Parameters:
    ///   - note: what its daemon has noted.
    ///   - root: where the staging folder is.
    ///   - inboxes: the first one gets a source whose own Inbox is missing.
    /// - Returns: whether the staging folder alone has its document, which cannot return.
    mutating func end(
        _ claim: JournalEntry, _ note: ClaimNotes.Found, _ staged: StagedSource, at root: BytePath, inboxes: [BytePath],
        _ findings: inout Recovery.Findings
    ) throws(SyscallError) -> Bool {
        // Whoever can write in an Inbox alone has no say about Documents.
        let inbox = recovery.inboxes.first { InterruptedClaim.NoteScope.isIn([$0], root) }
        let scope = InterruptedClaim.NoteScope(
            returning: inbox.map { [$0] } ?? inboxes + [root], clearing: inboxes + [root, recovery.documents])
        var isRecorded = recorded.contains(claim.recordID.text) || noted.contains(claim.id)
        guard let found = try inspect(claim, noted: (staged, scope), &findings) else { return !isRecorded }
        do throws(SyscallError) {
            if needsRecord(found), let published = found.published {
                let keep = { (unsynced: [JournalEntry]) throws(SyscallError) in
                    try note.append(unsynced, in: staged.staging)
                }
                if own.contains(claim.id) {
                    // No note that it is recorded: after another kill this daemon could not tell whether that is so.
                    guard try !write([found], &findings, keep: keep, note: { _ in }).isEmpty else {
                        return !recorded.contains(claim.id.text)
                    }
                } else if !isRecorded {
                    if let failure = syncName(of: published, claim) {
                        var kept = claim
                        kept.unsyncedBoot = Boot.current
                        if failure.mayHaveDropped { try keep([kept]) }
                        findings.open.append((claim.source, "\(claim.destination): \(failure)"))
                        return true
                    }
                    let place = claim.destination.appending(published.name)
                    findings.notices.append(
                        "another daemon copied \(claim.source) to \(place), and records it when it starts again")
                }
                isRecorded = true
            }
            // It has got its name just before its document.
            if claim.isMember, found.published != nil { isRecorded = true }
            if try leaveCompared(found, isRecorded: isRecorded, at: root, &findings) { return false }
            return try !end(found, isRecorded: isRecorded, inboxes: inboxes, &findings) && !isRecorded
        } catch {
            try leave(claim, error, &findings)
            return !isRecorded
        }
    }

    private func record(
        _ claim: JournalEntry, _ published: PublishedCopy
    ) throws(SyscallError) -> FiledRecord {
        let kind = try published.folder.directory.status(of: published.name).kind
        return record(
            claim.id, from: claim.source, to: claim.destination, published.name, wanted: claim.wanted,
            size: claim.copied?.source.size ?? claim.identity.size, claim.copied?.published(kind),
            in: published.folder.directory, documentType: claim.documentType, facts: claim.facts,
            rejection: claim.rejection, members: claim.names(ofMembersBeside: published.name))
    }

    /// One entry that cannot be inspected or ended must not keep all the others waiting; want of memory or descriptors
    /// passes soon.
    private func leave(
        _ claim: JournalEntry, _ error: SyscallError, _ findings: inout Recovery.Findings
    ) throws(SyscallError) {
        if error.errno.isWantOfResources { throw error }
        findings.open.append((claim.source, "\(error)"))
    }
}

extension JournalEntry {
    /// The names of the files that go with the document, where it has this one.
    fileprivate func names(ofMembersBeside name: FileName) -> [FileName] {
        guard let former = FileName(source.lastComponent) else { return [] }
        return members.compactMap { MemberName.renamed($0.name, of: former, as: name) }
    }

    /// The record that shows that the document has reached its place.
    var wantedRecord: History.Wanted { wantedRecord(after: mark) }

    /// The same, in what follows this place of the history.
    func wantedRecord(after mark: History.Mark?) -> History.Wanted {
        guard let undoes else { return History.Wanted(id: recordID.text, mark: mark) }
        return History.Wanted(id: recordID.text, mark: mark, head: UndoneRecord.head(undoes, undo: recordID))
    }
}
