import InboxFiling
import InboxLinux

/// Moves by one rename that were interrupted. A document whose move the journal has is either still in the Inbox, where
/// the next scan finds it, or at its destination, where its marks distinguish it from every other. It is moved here only to
/// the files that belong to it and have moved already.
extension RecoveryPass {
    /// Completes the history, and ends the entries of which it is known what became of their documents.
    mutating func endMoves(_ findings: inout Recovery.Findings) throws(SyscallError) {
        var lines: [UInt8] = []
        var records: [FiledRecord] = []
        var doubtful: [FiledRecord] = []
        var undone: [UndoJob.Done] = []
        var ended: [RecordID] = []
        var unsynced: [JournalEntry] = []
        let others = try others()
        for intent in recovery.entries.moves.values.sorted(by: { $0.id.text < $1.id.text }) {
            let isRecorded = recorded.contains(intent.id.text)
            let known = recovery.published[intent.id]
            var state = RecoveryState(.rename, unsyncedBoot: intent.unsyncedBoot, isRecorded: isRecorded)
            if known != nil { state.copy = .byThisRun }
            var steps = RecoveryTable.steps(for: state)
            var found: InterruptedMove?
            // Until the next start of the machine the kernel shows its memory, not the disk.
            if steps == nil {
                if leaveSilent(intent.source, intent.places, &findings) {
                    findings.uninspected.append(intent.identity.file)
                    continue
                }
                do throws(SyscallError) {
                    (found, steps) = try inspect(intent, isRecorded: isRecorded, others, &findings)
                } catch {
                    // One that cannot be inspected must not keep all the others waiting for ever.
                    if error.errno.isWantOfResources { throw error }
                    findings.open.append((intent.source, "\(error)"))
                    continue
                }
            }
            perform: for step in steps ?? [] {
                switch step {
                case .record, .recordDoubtful:
                    guard let found, let moved = found.moved else {
                        // Its owner may have moved it since: it was filed all the same.
                        guard let known else { break perform }
                        records.append(known)
                        continue
                    }
                    let record = known ?? record(of: moved, found.members)
                    if let id = intent.undoes {
                        let done = try UndoJob.Done(
                            of: id, at: intent.source, record, moved.name, in: moved.folder, for: nil)
                        try recovery.hold(done.document)
                        undone.append(done)
                        lines += done.record.line
                    } else if step == .record {
                        records.append(record)
                    } else {
                        doubtful.append(record)
                    }
                    guard let failure = moved.sync(&synced) else { continue }
                    findings.notices.append(
                        "the name of \(record.destination) may not be on the disk yet: \(failure)")
                    unsynced.append(intent)
                    break perform
                case .recordLoss where intent.undoes != nil:
                    findings.notices.append("\(intent.source) was put back, which the disk has lost")
                case .recordLoss:
                    lines += lost(intent)
                    findings.notices.append("\(intent.source) is in the Inbox again: the disk has lost its move")
                case .keep: unsynced.append(intent)
                case .end: ended.append(intent.id)
                case .wait, .clean, .takeBack, .putBack, .compare, .join: break
                }
            }
        }
        try recovery.journal.forgoHandlers(of: doubtful.map(\.id))
        lines += doubtful.flatMap(\.doubtfulLine)
        try recovery.log.record(records, with: lines, isDurable: true, isFound: true)
        findings.records += records + doubtful
        findings.undone += undone
        try recovery.journal.keep(unsynced)
        try recovery.journal.end(ended)
    }

    /// Finds out which documents that are at their destinations other daemons of their Inboxes have brought there. They are
    /// inspected before, so that those have them in their journals or histories by then.
    private mutating func others() throws(SyscallError) -> OtherDaemons {
        let silent = recovery.silent
        let doubtful = recovery.entries.moves.values.filter { intent in
            !recorded.contains(intent.id.text) && !intent.places.contains { silent.innermost(around: $0) != nil }
        }
        var others = try OtherDaemons(of: doubtful, in: recovery)
        if others.isEmpty { return others }
        var moved: [JournalEntry] = []
        for intent in doubtful {
            do throws(SyscallError) {
                if try InterruptedMove(intent, in: recovery, &search).moved != nil { moved.append(intent) }
            } catch {
                // It is met again, and reported then.
                if error.errno.isWantOfResources { throw error }
            }
        }
        search = FolderSearch(recovery.entries)
        try others.read(about: moved)
        return others
    }

    /// Finds out where a document is, and brings it and the files that belong to it together; returns what is done then.
    private mutating func inspect(
        _ intent: JournalEntry, isRecorded: Bool, _ others: OtherDaemons, _ findings: inout Recovery.Findings
    ) throws(SyscallError) -> (InterruptedMove, [RecoveryTable.Step]?) {
        var found = try InterruptedMove(intent, in: recovery, &search)
        if recovery.wish.isAccepting, found.accept() {
            findings.notices.append("gave up the record of \(intent.source), which is not at its destination")
        }
        if let reason = found.absentReason { findings.open.append((intent.source, reason)) }
        let isPublished = recovery.published[intent.id] != nil
        func steps() -> [RecoveryTable.Step]? {
            RecoveryTable.steps(for: found.state(isRecorded: isRecorded, isPublished: isPublished, others))
        }
        if steps() == [.join] { try found.join() }
        if found.moved != nil, steps() == [.wait] { findings.open.append((intent.source, Self.pending)) }
        return (found, steps())
    }

    /// The reason why a document waits that another daemon may record.
    static let pending = "another daemon of its Inbox has it in its journal too, and may record it"

    private func record(of moved: MovedDocument, _ members: [FileName]) -> FiledRecord {
        let intent = moved.intent
        return record(
            intent.id, from: intent.source, to: intent.destination, moved.name, wanted: intent.wanted,
            size: intent.identity.size, intent.identity, in: moved.folder.directory, documentType: intent.documentType,
            facts: intent.facts, rejection: intent.rejection, members: members)
    }

    /// That a document which was recorded is in the Inbox again, though nobody asked for it.
    private func lost(_ intent: JournalEntry) -> [UInt8] {
        var line = JSONLine()
        line.add("id", intent.id)
        line.add("time", Timestamp.now().text)
        line.add("event", "undone")
        line.add("source", intent.source)
        line.add("reason", HoldReason.syncFailed.rawValue)
        return line.finished()
    }
}
