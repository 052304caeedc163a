import InboxFiling
import InboxLinux

/// Claims for a copy that were interrupted.
///
/// | source staged | copy published | recorded | what is done |
/// | --- | --- | --- | --- |
/// | no | no | no | the entry ends: nothing was claimed, or the owner withdrew it |
/// | yes | no | no | the source returns to the Inbox |
/// | yes | yes | no | the record is written; then as in the next row |
/// | yes | – | yes | the source is inspected, and removed or returned |
/// | no | yes | no | the record is written |
/// | no | – | yes | the entry ends |
///
/// Where a document was to be discarded, the identical file is no copy, and nothing but the discarding writes its record.
extension RecoveryPass {
    /// Ends the claims that can be ended.
    mutating func endClaims(_ findings: inout Recovery.Findings) throws(SyscallError) {
        let claims = recovery.entries.claims.values.sorted { $0.id.text < $1.id.text }
        guard !claims.isEmpty else { return }
        var cases: [ClaimCase] = []
        for claim in claims {
            do throws(SyscallError) {
                let found = try ClaimCase(claim, recovery.staging, &search, isAccepting: recovery.wish.isAccepting)
                if found.isLocked {
                    findings.lockedStaging = claim.staging
                } else if let reason = found.isAway {
                    findings.open.append((claim.source, reason))
                } else if claim.copied?.unsyncedBoot == Boot.current {
                    findings.unsynced.append(claim.source)
                } else {
                    cases.append(found)
                }
            } catch {
                try leave(claim, error, &findings)
            }
        }
        cases = try write(cases, &findings)
        var ended: [RecordID] = []
        for found in cases {
            do throws(SyscallError) {
                let isRecorded = recorded.contains(found.entry.id.text)
                if let reason = try found.end(isRecorded: isRecorded, inboxes: recovery.inboxes, &findings.notices) {
                    findings.open.append((found.entry.source, reason))
                } else {
                    ended.append(found.entry.id)
                }
            } catch {
                try leave(found.entry, error, &findings)
            }
        }
        try recovery.journal.end(ended)
    }

    /// Writes the records that are missing, once their names are on the disk; those whose names cannot be brought there
    /// stay open.
    private mutating func write(
        _ cases: [ClaimCase], _ findings: inout Recovery.Findings
    ) throws(SyscallError) -> [ClaimCase] {
        var records: [FiledRecord] = []
        var undone: [UndoJob.Done] = []
        var rest: [ClaimCase] = []
        for found in cases {
            if let published = found.published, !found.entry.isDiscard, !recorded.contains(found.entry.id.text) {
                guard syncName(of: published, found.entry, &findings) else { continue }
                let record = try record(found.entry, published)
                if let id = found.entry.undoes {
                    undone.append(try self.undone(id, found.entry, published, record))
                } else {
                    records.append(record)
                }
            }
            rest.append(found)
        }
        for done in undone { try recovery.hold(done.document) }
        try recovery.history.append(
            Array((records.map(\.line) + undone.map(\.record.line)).joined()), isDurable: true)
        findings.records += records
        findings.undone += undone
        recorded.formUnion(records.map(\.id.text) + undone.map(\.record.undo.text))
        return rest
    }

    /// Whether the name of a copy is on the disk.
    private mutating func syncName(
        of published: ClaimCase.Published, _ claim: ClaimEntry, _ findings: inout Recovery.Findings
    ) -> Bool {
        let path = claim.destination
        let failure =
            synced.sync(published.folder, at: path) ?? synced.syncAround(path, on: published.folder)
        if let failure { findings.open.append((claim.source, "\(path): \(failure)")) }
        return failure == nil
    }

    /// Adds claims that are not in the journal, from the notes in a staging folder.
    /// - Parameters:
    ///   - isOwn: whether they are this daemon's from before it lost its state folder, and not those of another one.
    ///   - recorded: the ones that their daemon has recorded, possibly in a history that is lost.
    mutating func learn(
        _ claims: [ClaimEntry], isOwn: Bool, noted recorded: Set<RecordID>
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
    ///   - root: where the staging folder is.
    ///   - inboxes: the first one gets a source whose own Inbox is missing.
    mutating func end(
        _ claim: ClaimEntry, _ staged: StagedSource, at root: BytePath, inboxes: [BytePath],
        _ findings: inout Recovery.Findings
    ) throws(SyscallError) {
        do throws(SyscallError) {
            let isAccepting = recovery.wish.isAccepting
            // Whoever can write in an Inbox alone has no say about Documents.
            let isInbox = recovery.inboxes.contains(root)
            let reach = ClaimCase.Reach(
                returning: isInbox ? [root] : inboxes + [root], clearing: inboxes + [root, recovery.documents])
            let found = try ClaimCase(claim, staged, reach, recovery.staging, &search, isAccepting: isAccepting)
            if let reason = found.isAway { return findings.open.append((claim.source, reason)) }
            if claim.copied?.unsyncedBoot == Boot.current { return findings.unsynced.append(claim.source) }
            var isRecorded = recorded.contains(claim.id.text)
            if !isRecorded, let published = found.published, !claim.isDiscard {
                if own.contains(claim.id) {
                    guard try !write([found], &findings).isEmpty else { return }
                } else if !noted.contains(claim.id) {
                    guard syncName(of: published, claim, &findings) else { return }
                    let place = claim.destination.appending(published.name)
                    findings.notices.append(
                        "another daemon copied \(claim.source) to \(place), and records it when it starts again")
                }
                isRecorded = true
            }
            isRecorded = isRecorded || noted.contains(claim.id)
            if let reason = try found.end(isRecorded: isRecorded, inboxes: inboxes, &findings.notices) {
                findings.open.append((claim.source, reason))
            } else if !isRecorded {
                findings.notices.append("put \(claim.source) back: a claim of it was interrupted")
            }
        } catch {
            try leave(claim, error, &findings)
        }
    }

    private func undone(
        _ id: RecordID, _ claim: ClaimEntry, _ published: ClaimCase.Published, _ record: FiledRecord
    ) throws(SyscallError) -> UndoJob.Done {
        let document = try UndoneDocument(
            undo: claim.id, published.name, in: published.folder, at: record.destination)
        return UndoJob.Done(
            record: UndoneRecord(
                id: id, undo: claim.id, time: record.time, source: record.destination, destination: claim.source,
                type: record.type, mime: record.mime, size: record.size),
            document: document)
    }

    private func record(
        _ claim: ClaimEntry, _ published: ClaimCase.Published
    ) throws(SyscallError) -> FiledRecord {
        let kind = try published.folder.directory.status(of: published.name).kind
        return record(
            claim.id, from: claim.source, to: claim.destination, published.name, wanted: claim.wanted,
            size: claim.copied?.source.size ?? claim.identity.size, claim.copied?.published(kind),
            in: published.folder.directory, documentType: claim.documentType)
    }

    /// One entry that cannot be inspected or ended must not keep all the others waiting; want of memory or descriptors
    /// passes soon.
    private func leave(
        _ claim: ClaimEntry, _ error: SyscallError, _ findings: inout Recovery.Findings
    ) throws(SyscallError) {
        if error.errno.isWantOfResources { throw error }
        findings.open.append((claim.source, "\(error)"))
    }
}

extension ClaimEntry {
    /// The record that shows that the document has reached its place.
    var wantedRecord: History.Wanted { wantedRecord(after: mark) }

    /// The same, in what follows this place of the history.
    func wantedRecord(after mark: History.Mark?) -> History.Wanted {
        guard let undoes else { return History.Wanted(id: id.text, mark: mark) }
        return History.Wanted(id: id.text, mark: mark, head: UndoneRecord.head(undoes, undo: id))
    }
}
