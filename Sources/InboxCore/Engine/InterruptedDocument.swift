import InboxFiling
import InboxLinux
import InboxVarlink

/// A document whose filing or return was interrupted and cannot be ended yet: it has no name in the Inbox, or its disk is
/// absent.
package struct InterruptedDocument: Sendable {
    /// The id of its filing or of its return.
    let id: RecordID
    /// Where it was: in an Inbox, or, where it is being put back, at its destination.
    package let path: BytePath
    /// Bytes.
    package let size: Int64
    /// When its filing began.
    package let since: Timestamp
    /// The reason, in words, why the filing cannot be ended now.
    package let reason: String
    /// The paths that the reason may mention, which not everybody may know.
    package let places: [BytePath]
    /// The document may be in a staging folder, so that neither an Inbox nor its destination has it.
    package let isClaimed: Bool
    /// The document is to be discarded, and its record will say so.
    var isDiscarded = false
    /// Its check has rejected it, which its record then says.
    var isRejected = false
    /// The document is being put back rather than filed.
    var isPutBack: Bool { path != inInbox }
    /// Where in an Inbox it is seen if it is not in a staging folder.
    let inInbox: BytePath
    /// Which file that is.
    let file: FileKey

    /// The documents among the entries of a journal that a recovery could not end.
    static func all(in findings: Recovery.Findings, _ entries: JournalEntries) -> [InterruptedDocument] {
        var reasons = Dictionary(findings.open.map { ($0.source, $0.reason) }) { first, _ in first }
        for path in findings.unsynced { reasons[path] = reasons[path] ?? PendingRecovery.unsynced }
        for path in findings.compared { reasons[path] = reasons[path] ?? PendingRecovery.compared }
        guard !reasons.isEmpty else { return [] }
        // What is recorded has reached its destination: only its source is left to be removed.
        let waiting = entries.documents.values.filter { $0.claim == nil || !findings.recorded.contains($0.id.text) }
        return waiting.compactMap { entry in
            reasons[entry.source].map { reason in
                InterruptedDocument(
                    id: entry.id, path: entry.source, size: Int64(clamping: entry.identity.size), since: entry.begun,
                    reason: reason, places: (entry.claim.map { [$0.staging] } ?? []) + [entry.destination],
                    isClaimed: entry.claim != nil, isDiscarded: entry.isDiscard, isRejected: entry.rejection != nil,
                    inInbox: entry.inInbox.path,
                    file: entry.inInbox.file)
            }
        }.sorted { $0.since < $1.since }
    }
}

extension JournalEntry {
    /// Where an Inbox has the document, unless a staging folder has it, and which file it is there.
    fileprivate var inInbox: (path: BytePath, file: FileKey) {
        guard undoes != nil else { return (source, identity.file) }
        return (destination.appending(wanted), copied?.copy.file ?? identity.file)
    }
}

/// The documents in staging folders on which no job works: no arrival counts them.
struct StagedDocuments {
    /// The number of documents that are in staging folders of other daemons that may be dead, or that cannot return
    /// from a folder that no journal explains.
    private(set) var stranded = 0
    /// Those whose entries the last recovery could not end.
    private(set) var interrupted: [InterruptedDocument] = []
    /// The counts of what became of documents that were staged and have left.
    private var departed = Accounting()

    /// Adopts the findings of a recovery.
    /// - Parameter entries: the entries that have not ended.
    mutating func take(_ findings: Recovery.Findings, _ entries: JournalEntries) {
        // What is recorded is so, whatever has failed afterwards.
        let recorded = findings.recorded.union(findings.records.map(\.id.text))
        leave(recorded) { !recorded.contains($0.id.text) }
        // What could not be found out says nothing of what was known.
        guard findings.failure == nil else { return }
        let count = Set(findings.stranded.values.joined()).count
        departed.withdrawn += max(0, stranded - count)
        stranded = count
        let left = InterruptedDocument.all(in: findings, entries)
        let ids = Set(left.map(\.id))
        leave(recorded) { ids.contains($0.id) }
        interrupted = left
    }

    /// Lets go of documents: of one that is recorded its filing has ended, and any other is back where it was.
    private mutating func leave(_ recorded: Set<String>, unless stays: (InterruptedDocument) -> Bool) {
        for document in interrupted where document.isClaimed && !stays(document) {
            if !recorded.contains(document.id.text) || document.isPutBack {
                departed.withdrawn += 1
            } else if document.isDiscarded {
                departed.duplicates += 1
            } else if document.isRejected {
                departed.rejected += 1
            } else {
                departed.filed += 1
                departed.bytesFiled &+= UInt64(clamping: document.size)
            }
        }
        interrupted.removeAll { !stays($0) }
    }

    /// Adds them: another daemon's as held, this one's own as waiting, and those that have left as filed or as
    /// duplicates where they are recorded so, else as withdrawn, since what is in an Inbox is seen anew.
    /// - Parameter isArrival: whether a document is seen in an Inbox.
    func add(to sum: inout Accounting, except isArrival: (InterruptedDocument) -> Bool) {
        let waiting = interrupted.count { $0.isClaimed && !isArrival($0) }
        sum.seen += waiting + stranded + departed.filed + departed.duplicates + departed.rejected + departed.withdrawn
        sum.waiting += waiting
        sum.held += stranded
        sum.filed += departed.filed
        sum.duplicates += departed.duplicates
        sum.rejected += departed.rejected
        sum.bytesFiled = min(sum.bytesFiled, .max - departed.bytesFiled) + departed.bytesFiled
        sum.withdrawn += departed.withdrawn
    }
}
