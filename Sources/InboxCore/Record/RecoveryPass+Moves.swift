import InboxFiling
import InboxLinux

/// Moves by one rename that were interrupted. A document whose move the journal has is either still in the Inbox, where
/// the next scan finds it, or at its destination, where its marks distinguish it from every other. It is never moved here;
/// the files that go with it are brought to where it is.
extension RecoveryPass {
    /// Completes the history, and ends the entries of which it is known what became of their documents.
    mutating func endMoves(_ findings: inout Recovery.Findings) throws(SyscallError) {
        var lines: [UInt8] = []
        var records: [FiledRecord] = []
        var ended: [RecordID] = []
        var unsynced: [JournalEntry] = []
        for intent in recovery.entries.moves.values.sorted(by: { $0.id.text < $1.id.text }) {
            var state = RecoveryState(
                .rename, unsyncedBoot: intent.unsyncedBoot, isRecorded: recorded.contains(intent.id.text))
            var moved: MovedDocument?
            var members: [FileName] = []
            // Until the next start of the machine the kernel shows its memory, not the disk.
            if RecoveryTable.steps(for: state) == nil {
                if leaveSilent(intent.source, intent.places, &findings) {
                    findings.uninspected.append(intent.identity.file)
                    continue
                }
                switch try InterruptedMove(intent, in: recovery, &search) {
                case .moved(let found):
                    (state.source, state.copy, moved) = (.gone, .marked, found)
                    members = try InterruptedUnit.end(intent, at: found.name, in: recovery, &search)
                case .stays:
                    state.source = .inInbox
                    _ = try InterruptedUnit.end(intent, at: nil, in: recovery, &search)
                case .gone: state.source = .gone
                case .unknown(_, isThere: true) where recovery.wish.isAccepting:
                    state.source = .gone
                    findings.notices.append("gave up the record of \(intent.source), which is not at its destination")
                case .unknown(let reason, _):
                    state.source = .away
                    findings.open.append((intent.source, reason))
                }
            }
            perform: for step in RecoveryTable.steps(for: state) ?? [] {
                switch step {
                case .record:
                    guard let moved else { break perform }
                    let record = record(of: moved, members)
                    records.append(record)
                    lines += record.line
                    guard let failure = moved.sync(&synced) else { continue }
                    findings.notices.append(
                        "the name of \(record.destination) may not be on the disk yet: \(failure)")
                    unsynced.append(intent)
                    break perform
                case .recordLoss:
                    lines += undone(intent)
                    findings.notices.append("\(intent.source) is in the Inbox again: the disk has lost its move")
                case .keep: unsynced.append(intent)
                case .end: ended.append(intent.id)
                case .wait, .clean, .putBack, .compare: break
                }
            }
        }
        try recovery.history.append(lines, isDurable: true)
        findings.records += records
        try recovery.journal.keep(unsynced)
        try recovery.journal.end(ended)
    }

    private func record(of moved: MovedDocument, _ members: [FileName]) -> FiledRecord {
        let intent = moved.intent
        return record(
            intent.id, from: intent.source, to: intent.destination, moved.name, wanted: intent.wanted,
            size: intent.identity.size, intent.identity, in: moved.folder.directory, documentType: intent.documentType,
            facts: intent.facts, rejection: intent.rejection, members: members)
    }

    /// That a document which was recorded is in the Inbox again, though nobody asked for it.
    private func undone(_ intent: JournalEntry) -> [UInt8] {
        var line = JSONLine()
        line.add("id", intent.id)
        line.add("time", Timestamp.now().text)
        line.add("event", "undone")
        line.add("source", intent.source)
        line.add("reason", HoldReason.syncFailed.rawValue)
        return line.finished()
    }
}
