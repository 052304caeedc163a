import InboxFiling
import InboxLinux

/// The recoveries that are under way, and the requests to file documents of which they find out what became of an earlier
/// move.
///
/// A round is about everything that the journal has, one share after the other. A share that hangs on a server leaves the
/// round: it keeps its entries and its roots until the server answers, and no other recovery gets them, since two would
/// write the same records.
final class RecoveriesUnderWay {
    /// A recovery with the number that its report has.
    typealias Numbered = (number: RecordID, recovery: Recovery)

    /// Those of this round that have not begun.
    private var waiting: [Numbered] = []
    /// The one that the worker has.
    private var current: Numbered?
    /// Those on threads that were replaced.
    private var hung: [RecordID: Recovery] = [:]
    /// Those that compare contents.
    var comparisons = ComparingRecoveries()
    /// The findings of this round, and of recoveries that hung until after it, and whether some of them are new.
    private var found: (all: Recovery.Findings, isNew: Bool) = (Recovery.Findings(), false)
    /// The mounts that the last round left out, since their servers did not answer, and the files whose moves it left.
    private var left: (mounts: Set<BytePath>, files: [FileKey]) = ([], [])
    /// The requests that wait for one of the recoveries.
    var requests: [FilingRequest] = []
    /// At least one of the recoveries is about the journal's entries; this is asked for each document.
    private var hasEntries = false

    /// A round has begun and not ended.
    var isRound: Bool { current != nil || isWaiting }

    /// A recovery is waiting for the worker.
    var isWaiting: Bool { !waiting.isEmpty }

    /// The shares that no other recovery may work on.
    var hungShares: [RecoveryShare] { hung.values.map(\.share) + comparisons.shares }

    /// Begins a round.
    func begin(_ recoveries: [Numbered]) {
        waiting = recoveries
        var findings = Recovery.Findings()
        // What is in a root stays known until that has been swept.
        let roots = Set((recoveries.map(\.recovery.share) + hungShares).flatMap(\.roots))
        findings.stranded = found.all.stranded.filter { roots.contains($0.key) }
        found = (findings, true)
        hasEntries = (recoveries.map(\.recovery) + hung.values).contains { !$0.share.entries.isEmpty }
    }

    /// The next one for the worker, which is free: one that it still has hangs.
    func takeNext() -> Numbered? {
        if let current { hung[current.number] = current.recovery }
        current = waiting.isEmpty ? nil : waiting.removeFirst()
        return current
    }

    /// A recovery has ended.
    /// - Returns: whether its roots are to be swept again: it did not end before they were swept, and has ended claims since.
    func end(_ number: RecordID, _ findings: Recovery.Findings) -> Bool {
        let late = hung.removeValue(forKey: number) ?? comparisons.end(number)
        // Any other is that of a state folder that is lost.
        guard let recovery = late ?? (current?.number == number ? current?.recovery : nil) else { return false }
        if late == nil { current = nil }
        comparisons.append(findings.comparisons, of: recovery)
        found.all.add(findings)
        found.isNew = true
        return late != nil && !findings.ended.isEmpty
    }

    /// Returns the findings of the last round once it has ended, and again when a recovery that outlasted the round
    /// has ended or has begun to hang.
    /// - Parameter silent: the mounts whose servers do not answer.
    func takeFindings(silent: FolderSet) -> Recovery.Findings? {
        let hanging = comparisons.noteHanging(silent)
        guard !isRound, found.isNew || hanging.isNew else { return nil }
        found.isNew = false
        left = (found.all.silent, found.all.uninspected)
        var findings = found.all
        // One that has to do with this machine alone is merely slow.
        for recovery in hung.values where !recovery.share.servers.isEmpty { findings.add(openIn: recovery) }
        for recovery in hanging.all { findings.add(openIn: recovery) }
        findings.compared = comparisons.shares.flatMap(\.unsearched)
        return findings
    }

    /// Returns true, once, if a server that the last round left out answers.
    /// - Parameter silent: the mounts whose servers do not answer.
    func takeAnswer(silent: FolderSet) -> Bool {
        guard left.mounts.contains(where: { !silent.contains($0) }) else { return false }
        left.mounts = []
        return true
    }

    /// Returns true if a recovery is to find out what became of an earlier move or claim of the file that is to be
    /// filed.
    func contains(_ request: FilingRequest) -> Bool {
        guard hasEntries else { return false }
        let file = request.status.identity.file
        return current?.recovery.share.has(file) == true
            || waiting.contains { $0.recovery.share.has(file) }
            || hung.values.contains { $0.share.has(file) }
    }

    /// Returns true if such a move could not be inspected because a server did not answer.
    func hasLeft(_ request: FilingRequest) -> Bool {
        left.files.contains { $0.isFile(request.status.identity.file) }
    }

    /// Takes the requests that wait for nothing any more.
    func takeRequests() -> [FilingRequest] {
        let all = requests
        requests = all.filter(contains)
        return all.filter { !contains($0) }
    }

    /// Takes all requests, and begins nothing that waits: the state folder is lost.
    func suspend() -> [FilingRequest] {
        waiting = []
        comparisons.suspend()
        defer { requests = [] }
        return requests
    }
}

extension Recovery.Findings {
    /// Adds that the entries of a recovery that hangs cannot be ended yet.
    fileprivate mutating func add(openIn recovery: Recovery) {
        let (entries, servers) = (recovery.share.entries, recovery.share.servers)
        let sources = entries.documents.values.map { ($0.id, $0.source) }
        let reason = "\(servers.map(\.description).sorted().joined(separator: " or ")) does not answer"
        open += sources.filter { recovery.journal.isOpen($0.0) }.map { (source: $0.1, reason: reason) }
    }
}
