import InboxFiling
import InboxLinux

/// Moves by one rename that were interrupted. A document whose move the journal has is either still in the Inbox, where
/// the next scan finds it, or at its destination, where its marks distinguish it from every other. It is never moved here.
extension RecoveryPass {
    /// Completes the history, and ends the entries of which it is known what became of their documents.
    mutating func endMoves(_ findings: inout Recovery.Findings) throws(SyscallError) {
        var lines: [UInt8] = []
        var records: [FiledRecord] = []
        var ended: [RecordID] = []
        var unsynced: [Intent] = []
        for intent in recovery.entries.moves.values.sorted(by: { $0.id.text < $1.id.text }) {
            if intent.unsyncedBoot == Boot.current {
                // Until the next start of the machine the kernel shows its memory, not the disk.
                continue
            }
            if intent.unsyncedBoot == Boot.none {
                // Nor can this one end; that could not be written down yet.
                unsynced.append(intent)
                continue
            }
            let isRecorded = intent.unsyncedBoot != nil || recorded.contains(intent.id.text)
            if isRecorded, intent.unsyncedBoot == nil {
                ended.append(intent.id)
                continue
            }
            if leaveSilent(intent.source, intent.places, &findings) {
                findings.uninspected.append(intent.identity.file)
                continue
            }
            switch try InterruptedMove(intent, in: recovery, &search) {
            case .moved(let moved):
                if !isRecorded {
                    let record = record(of: moved)
                    records.append(record)
                    lines += record.line
                    if let failure = moved.sync(&synced) {
                        findings.notices.append(
                            "the name of \(record.destination) may not be on the disk yet: \(failure)")
                        unsynced.append(intent)
                        continue
                    }
                }
            case .stays:
                if isRecorded {
                    lines += undone(intent)
                    findings.notices.append("\(intent.source) is in the Inbox again: the disk has lost its move")
                }
            case .gone: break
            case .unknown(_, isThere: true) where recovery.wish.isAccepting:
                findings.notices.append("gave up the record of \(intent.source), which is not at its destination")
            case .unknown(let reason, _):
                findings.open.append((intent.source, reason))
                continue
            }
            ended.append(intent.id)
        }
        try recovery.history.append(lines, isDurable: true)
        findings.records += records
        try recovery.journal.keep(unsynced)
        try recovery.journal.end(ended)
    }

    private func record(of moved: MovedDocument) -> FiledRecord {
        let intent = moved.intent
        return record(
            intent.id, from: intent.source, to: intent.destination, moved.name, wanted: intent.name,
            size: intent.identity.size, intent.identity, in: moved.folder.directory, documentType: intent.documentType)
    }

    /// That a document which was recorded is in the Inbox again, though nobody asked for it.
    private func undone(_ intent: Intent) -> [UInt8] {
        var line = JSONLine()
        line.add("id", intent.id)
        line.add("time", Timestamp.now().text)
        line.add("event", "undone")
        line.add("source", intent.source)
        line.add("reason", HoldReason.syncFailed.rawValue)
        return line.finished()
    }
}
