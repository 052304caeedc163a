import InboxFiling
import InboxLinux

/// The parts of the state folder that filing uses.
struct FilingRecords {
    /// Where the state folder is.
    let path: BytePath
    let history: History
    let upkeep: HistoryUpkeep
    let journal: Journal
    let staging: StagingFolders
    let recovery: PendingRecovery
    let undone: UndoneFile
    /// The records are on a local filesystem, so that nothing waits for a server.
    let isLocal: Bool

    /// Returns the means that all runs share until an end is requested.
    func means(_ abandonment: Abandonment) -> FilingRun.Means {
        FilingRun.Means(
            journal: journal, log: RecordLog(journal: journal, history: history), staging: staging,
            abandonment: abandonment)
    }

    /// When recovery is tried again, or old records may go.
    var nextDeadline: Instant { min(recovery.nextDeadline, upkeep.nextDeadline) }

    /// Tries recovery again where that is due; another daemon's staging folder that was seen is inspected a while later.
    func proceedWithRecovery(_ intake: Intake, at moment: Moment) {
        let seen = intake.parts.report.takeStagings().filter { staging.isForeign($0.name) || staging.isUnused }
        recovery.note(seen: Set(seen.map(\.place)), rescans: intake.accounting.rescans, at: moment)
        recovery.proceed(at: moment)
    }

    /// The recoveries of what was interrupted, for a worker: one for each combination of servers.
    /// - Parameters:
    ///   - hung: what other recoveries have to do with, that have not ended.
    ///   - published: the records of documents that have their names.
    func interrupted(
        _ means: FilingMeans, _ inboxes: [BytePath], _ mounts: KnownMounts, besides hung: [RecoveryShare],
        _ published: [RecordID: FiledRecord], _ wish: Recovery.Wish
    ) -> [RecoveriesUnderWay.Numbered] {
        let documents = means.routing.documents
        let roots = ([documents] + inboxes).union(means.routing.outerRoots)
        // On another filesystem than the root around it a staging folder is at the top of that filesystem.
        let inner = recovery.search.places.union(mounts.all ?? []).filter { roots.contains(where: $0.isInside) }
        let shares = RecoveryShare.divide(
            journal.interrupted.subtracting(hung), sweeping: roots.union(inner),
            besides: Set(hung.flatMap(\.roots)), among: mounts.foreign)
        return shares.map { share in
            let recovery = Recovery(
                journal: journal, history: history, staging: staging, detector: means.detector,
                routing: means.routing, documents: documents,
                inboxes: inboxes.filter { !mounts.isSilent($0) }, outerRoots: means.routing.outerRoots, wish: wish,
                hold: { [undone] (document) throws(SyscallError) in try undone.hold(document) }, silent: mounts.silent,
                share: share, published: published, abandonment: means.abandonment)
            return (journal.nextID(), recovery)
        }
    }

    /// Where a document that is put back is written down.
    var undoLog: UndoJob.Log {
        UndoJob.Log(
            filing: RecordLog(journal: journal, history: history),
            append: { [history] (line) throws(SyscallError) in try history.append(line, isDurable: true) },
            hold: { [undone] (document) throws(SyscallError) in try undone.hold(document) })
    }
}

extension [BytePath] {
    /// These and those of others that are not among them, in a fixed order.
    fileprivate func union(_ others: Set<BytePath>) -> [BytePath] {
        self + others.subtracting(self).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
