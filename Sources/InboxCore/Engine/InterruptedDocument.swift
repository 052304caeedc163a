import InboxFiling
import InboxLinux

/// A document whose filing or return was interrupted and cannot be ended yet: it has no name in the Inbox, or its disk is
/// absent.
package struct InterruptedDocument: Sendable {
    /// Where it was.
    package let path: BytePath
    /// Bytes.
    package let size: Int64
    /// When its filing began.
    package let since: Timestamp
    /// Why it cannot be ended now, in words.
    package let reason: String
    /// What the reason may name: paths that not everybody may know.
    package let places: [BytePath]
    /// Whether it waits in a staging folder, claimed in an Inbox.
    package let isClaimed: Bool
    /// Which file it is.
    let file: FileKey

    /// The documents among the entries of a journal that a recovery could not end.
    static func all(in findings: Recovery.Findings, _ entries: JournalEntries) -> [InterruptedDocument] {
        var reasons = Dictionary(findings.open.map { ($0.source, $0.reason) }) { first, _ in first }
        for path in findings.unsynced { reasons[path] = reasons[path] ?? PendingRecovery.unsynced }
        guard !reasons.isEmpty else { return [] }
        // What is recorded has reached its destination: only its source is left to be removed.
        let claims = entries.claims.values.filter { !findings.recorded.contains($0.id.text) }.compactMap { claim in
            reasons[claim.source].map { reason in
                InterruptedDocument(
                    path: claim.source, size: Int64(clamping: claim.identity.size),
                    since: Timestamp(seconds: claim.id.seconds, nanoseconds: 0), reason: reason,
                    places: [claim.staging, claim.destination], isClaimed: claim.undoes == nil,
                    file: claim.identity.file)
            }
        }
        let moves = entries.moves.values.compactMap { move in
            reasons[move.source].map { reason in
                InterruptedDocument(
                    path: move.source, size: Int64(clamping: move.identity.size), since: move.begun, reason: reason,
                    places: [move.destination], isClaimed: false, file: move.identity.file)
            }
        }
        return (claims + moves).sorted { $0.since < $1.since }
    }
}

/// The documents in staging folders on which no job works: no arrival counts them.
struct StagedDocuments {
    /// How many are in staging folders of other daemons that may be dead.
    private(set) var stranded = 0
    /// Those whose entries the last recovery could not end.
    private(set) var interrupted: [InterruptedDocument] = []
    /// How many were there, and have left.
    private var departed = 0

    /// What a recovery has found.
    /// - Parameter entries: those that have not ended.
    mutating func take(_ findings: Recovery.Findings, _ entries: JournalEntries) {
        // What could not be found out says nothing of what was known.
        guard findings.failure == nil else { return }
        departed += max(0, stranded - findings.stranded)
        stranded = findings.stranded
        let left = InterruptedDocument.all(in: findings, entries)
        let paths = Set(left.map(\.path))
        departed += interrupted.count { $0.isClaimed && !paths.contains($0.path) }
        interrupted = left
    }

    /// What the reason of a document may name beside its path.
    func places(of path: BytePath) -> [BytePath] { interrupted.first { $0.path == path }?.places ?? [] }

    /// Adds them: another daemon's as held, this one's own as waiting, and both as withdrawn once they have left, since what
    /// returns to the Inbox is seen anew.
    /// - Parameter isArrival: whether a document is seen in an Inbox again.
    func add(to sum: inout Accounting, except isArrival: (InterruptedDocument) -> Bool) {
        let waiting = interrupted.count { $0.isClaimed && !isArrival($0) }
        sum.seen += waiting + stranded + departed
        sum.waiting += waiting
        sum.held += stranded
        sum.withdrawn += departed
    }
}
