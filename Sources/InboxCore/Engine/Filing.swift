import InboxDetection
import InboxFiling
import InboxLinux

/// Connects the intake with filing: hands its requests to workers and applies the outcomes.
///
/// Small documents have a worker of their own, so that none waits for the syncs of a package or a large file.
package final class Filing {
    /// At most this many documents are in one batch.
    private static let most = 512
    /// At most this many bytes are in one batch of several documents: their syncs delay the next batch.
    private static let mostBytes: UInt64 = 64 << 20
    /// A document of this many bytes does not share a batch.
    private static let large: UInt64 = 8 << 20

    let intake: Intake
    private let records: FilingRecords
    private let undoing: Undoing
    private(set) var means: FilingMeans
    private var lanes: (small: BatchLane, large: BatchLane)
    private let copying: Copying
    private var condition = FilingCondition()
    /// What is identical to a document at its destination, and is discarded when the large lane is free.
    private var identical: [IdenticalDocument] = []
    /// What is filed as soon as recovery has found out what became of its earlier move.
    private var recovering: [FilingRequest] = []
    private let abandonment: Abandonment
    /// Whether nothing begins, since somebody paused filing.
    var isPaused = false

    /// How many documents wait for a worker.
    var queuedCount: Int { lanes.small.queue.count + lanes.large.queue.count + copying.queuedCount }

    /// Files from an intake into Documents.
    init(
        intake: Intake, records: FilingRecords, means: FilingMeans, lanes: (small: BatchLane, large: BatchLane),
        copying: Copying, undoing: Undoing, abandonment: Abandonment
    ) {
        self.undoing = undoing
        self.intake = intake
        self.records = records
        self.means = means
        self.lanes = lanes
        self.copying = copying
        self.abandonment = abandonment
    }

    /// Files by these rules, on whatever filesystems the destinations lie now, and identifies documents by this
    /// detector, from the next batch on.
    func adopt(_ routing: RoutingRules, detector: Detector) {
        acceptRoots(of: routing)
        means.adopt(routing, detector: detector)
        copying.adopt(means)
    }

    /// Whether nothing begins any more; a copy that is under way is abandoned.
    package var isEnding: Bool { abandonment.isRequested }

    /// Ends: what has moved is recorded, and nothing else moves.
    package func end() {
        abandonment.request()
        copying.abandon()
    }

    /// Nothing begins any more, since the state folder is lost; what waits is tried again when there is one.
    func suspend(at moment: Moment) {
        condition.isSuspended = true
        copying.refuseUndos("the state folder is lost")
        takeCopyReports(at: moment)
        let waiting =
            lanes.small.queue.takeAll() + lanes.large.queue.takeAll()
            + identical.map(\.document.request) + recovering
        identical = []
        recovering = []
        for request in waiting { intake.resolve(request.id, .postponed("the state folder is lost"), at: moment) }
    }

    /// Whether nothing is under way. At the end, records that cannot be written do not count: the journal has them, and
    /// the next start makes them.
    package var isIdle: Bool {
        let isWaiting = !isEnding && !(lanes.small.queue.isEmpty && lanes.large.queue.isEmpty && identical.isEmpty)
        let isRecovering = !isEnding && !condition.isSuspended && (records.recovery.isDue || !recovering.isEmpty)
        return isBetweenBatches && copying.isIdle && !isWaiting && !isRecovering
            && (isEnding || condition.unrecorded.isEmpty)
    }

    private var isBetweenBatches: Bool { !lanes.small.isBusy && !lanes.large.isBusy }

    /// Whether something that waits could begin at once.
    var hasRoom: Bool {
        if condition.isSuspended { return false }
        if copying.hasUndo { return true }
        if isPaused { return false }
        let hasSmall = lanes.small.hasRoom || (!lanes.small.isBusy && intake.hasReady)
        let hasDiscards = !identical.isEmpty && !lanes.large.isBusy
        return hasSmall || hasDiscards || lanes.large.hasRoom || copying.hasRoom
            || (records.recovery.isDue && copying.canRecover)
    }

    /// While many documents are being filed, waits for the end of their batch, though no longer than a millisecond: the
    /// kernel's events of all of them are then read at once, and not one by one.
    package func awaitBatch(at moment: Moment) {
        guard lanes.small.isFilingMany else { return }
        lanes.small.worker.bell.awaitRing(until: moment.now + .milliseconds(1))
    }

    /// When a batch may begin again after the state folder failed; `never` while nothing waits for that.
    package var nextDeadline: Instant {
        let isWaiting = (condition.failures > 0 && hasRoom) || !condition.unrecorded.isEmpty
        return isWaiting && isBetweenBatches ? condition.nextTry : .never
    }

    /// Whether the state folder keeps anything from going on. Records of what has moved already are tried a few times
    /// more before that counts: they end something that is under way.
    var isStuck: Bool {
        guard isBetweenBatches, !copying.isBusy else { return false }
        let isRecorded = condition.unrecorded.isEmpty && !copying.hasUnrecorded
        return isRecorded ? condition.failures > 0 && hasRoom : condition.failures > 3
    }

    /// Begins batches and copies as long as documents are ready and workers are free.
    package func proceed(at moment: Moment) {
        guard condition.nextTry <= moment.now, !lanes.small.isBusy || condition.unrecorded.isEmpty else { return }
        if let moved = condition.unrecorded.first {
            lanes.small.begin(.record(moved, records.log))
            return
        }
        guard !isEnding, !condition.isSuspended else { return }
        recover()
        copying.proceedWithUndos()
        guard !isPaused else { return }
        takeRequests(at: moment)
        if lanes.small.hasRoom { file(in: \.small, most: condition.mostAtOnce ?? Self.most, at: moment) }
        if !identical.isEmpty, !lanes.large.isBusy { discard() }
        if lanes.large.hasRoom { file(in: \.large, most: 1, at: moment) }
        if copying.hasRoom { copy(at: moment) }
        takeCopyReports(at: moment)
    }

    private func recover() {
        guard copying.canRecover, let wish = records.recovery.takeWish() else { return }
        copying.recover(records.interrupted(means, inboxes: intake.inboxes.map(\.path), wish))
    }

    /// Puts a filed document back into an Inbox.
    /// - Parameter root: the root that it was filed into.
    func undo(_ order: UndoOrder, from root: BytePath, to inbox: Inbox) throws(UndoRefusal) -> UndoTicket {
        guard !isEnding, !condition.isSuspended else { throw .failed("the daemon is ending") }
        let documents: DestinationRoot
        do throws(RootError) { documents = try destinationRoot() } catch { throw .failed("\(error)") }
        let places = UndoJob.Places(documents: documents, root: root, inbox: inbox.path, settings: inbox.settings)
        let ticket = try undoing.admit(order)
        copying.undo(UndoJob(order, places, filing: means, claims: copying.claims, log: records.undoLog))
        return ticket
    }

    private func copy(at moment: Moment) {
        do throws(RootError) {
            copying.proceed(at: moment, to: try destinationRoot(), inboxFolders: intake.walkedFolders)
        } catch {
            begin(error, at: intake.roots.documents)
            copying.postpone("\(error)", at: moment)
        }
    }

    private func takeRequests(at moment: Moment) {
        while lanes.small.queue.count < Self.most, intake.hasReady {
            for request in intake.takeReady(most: Self.most) {
                if copying.isRecovering(request.status.identity.file) {
                    recovering.append(request)
                } else {
                    enqueue(request, at: moment)
                }
            }
        }
    }

    private func enqueue(_ request: FilingRequest, at moment: Moment) {
        do throws(SyscallError) {
            // It is filed under another id: what an earlier move has left open is found no more.
            try records.journal.endMoves(of: request.status.identity.file)
        } catch {
            stateFailed("the journal", error, at: moment)
            return intake.resolve(request.id, .postponed("cannot write the journal: \(error.errno)"), at: moment)
        }
        if request.isPackage || request.status.size >= Self.large {
            lanes.large.queue.append(request)
        } else {
            lanes.small.queue.append(request)
        }
    }

    private func file(
        in lane: WritableKeyPath<(small: BatchLane, large: BatchLane), BatchLane>, most: Int, at moment: Moment
    ) {
        let requests = lanes[keyPath: lane].queue.take(most: most, bytes: Self.mostBytes)
        do throws(RootError) {
            let batch = FilingBatch(
                requests, to: try destinationRoot(), inboxFolders: intake.walkedFolders, means: means,
                log: records.log, abandonment: abandonment)
            lanes[keyPath: lane].begin(.file(batch))
        } catch {
            begin(error, at: intake.roots.documents)
            for request in requests { intake.resolve(request.id, .retry("\(error)"), at: moment) }
        }
    }

    private func discard() {
        let documents = Array(identical.prefix(64))
        identical.removeFirst(documents.count)
        let history = records.history
        let batch = DiscardBatch(
            documents, staging: records.staging, journal: records.journal, log: records.log
        ) { (line) throws(SyscallError) in
            try history.append(line, isDurable: true)
        }
        lanes.large.begin(.discard(batch))
    }

    /// Takes what the workers have finished.
    func takeFinished(at moment: Moment) throws(SyscallError) {
        for report in try lanes.small.finished() { take(report, at: moment) }
        for report in try lanes.large.finished() { take(report, at: moment) }
        try copying.takeFinished(at: moment)
        takeCopyReports(at: moment)
    }

    private func takeCopyReports(at moment: Moment) {
        for report in copying.takeReports() { take(report, at: moment) }
    }

    private func take(_ report: CopyWork.Report, at moment: Moment) {
        switch report {
        case .claimed(let report): take(report, hasRecorded: report.hasRecorded, at: moment)
        case .undone(let report):
            var hasRecorded = false
            if case .done = report.outcome { hasRecorded = true }
            for notice in report.claim.notices { intake.tell(.notice(notice)) }
            take(report.claim, hasRecorded: hasRecorded, at: moment)
            if hasRecorded, let identity = report.order.identity { endMoves(of: identity.file, at: moment) }
            undoing.end(report, at: moment)
        case .recovered(let findings):
            copying.take(recovered: findings.records, at: moment)
            undoing.take(recovered: findings.undone, at: moment)
            if findings.failure == nil {
                // One that found nothing to do says nothing about the state folder.
                if findings.hasWritten { stateWorks() }
            } else if copying.hasUnrecorded {
                condition.noteFailure(at: moment)
            }
            records.recovery.take(findings, at: moment)
            for request in recovering { enqueue(request, at: moment) }
            recovering = []
        }
        rotate(at: moment)
    }

    /// A document was put back: what an earlier move has left open is found no more.
    private func endMoves(of file: FileKey, at moment: Moment) {
        do throws(SyscallError) { try records.journal.endMoves(of: file) } catch {
            stateFailed("the journal", error, at: moment)
        }
    }

    private func take(_ report: ClaimJob.Report, hasRecorded: Bool, at moment: Moment) {
        if let failure = report.stateFailure {
            stateFailed(failure.file, failure.error, at: moment)
        } else if hasRecorded {
            stateWorks()
        }
        if report.hasOpenEntries { records.recovery.jobLeftOpen(at: moment) }
    }

    private func take(_ report: BatchReport, at moment: Moment) {
        if let failure = report.stateFailure { stateFailed(failure.file, failure.error, at: moment) }
        if report.hasReachedDestination { intake.end(.documents) }
        for (path, error) in report.strangeMounts { begin(error, at: path) }
        intake.roots.remember(mounts: report.newMounts)
        condition.note(mostAtOnce: report.mostAtOnce, limit: Self.most)
        identical += report.identical
        for (id, outcome) in report.outcomes {
            switch outcome {
            case .identical: continue
            case .duplicate:
                stateWorks()
                intake.hasLeft(id)
            default: break
            }
            intake.resolve(id, outcome, at: moment)
        }
        if let moved = report.moved { take(moved, isRecorded: report.isRecorded, report.stateFailure, at: moment) }
    }

    private func take(
        _ moved: MovedDocuments, isRecorded: Bool, _ failure: BatchReport.StateFailure?, at moment: Moment
    ) {
        for (document, _) in moved.documents { intake.hasLeft(document.request.id) }
        let isAgain = !condition.unrecorded.isEmpty
        guard isRecorded else {
            // The names have moved, and the journal has them: only the records wait.
            if !isAgain { condition.unrecorded.append(moved) }
            return
        }
        if isAgain { condition.unrecorded.removeFirst() }
        if failure == nil { stateWorks() }
        reportUnsynced(moved)
        for (document, record) in moved.documents { intake.resolve(document.request.id, .filed(record), at: moment) }
        rotate(at: moment)
    }

    /// What has moved and is recorded, though a folder failed to bring its names to the disk, is inspected again when
    /// the machine has restarted: only then it shows whether the disk has kept the move. A later sync that succeeds is
    /// no proof of it.
    private func reportUnsynced(_ moved: MovedDocuments) {
        guard let failure = moved.unsynced else { return intake.end(.names) }
        intake.begin(
            .names,
            "the names of what was filed may not be on the disk, so it is inspected again when the machine has "
                + "restarted: \(failure)")
    }

    /// Begins a new history file where that is due.
    private func rotate(at moment: Moment) {
        guard condition.failures == 0 else { return }
        do throws(SyscallError) { try records.history.rotate(at: moment.wall) } catch {
            intake.tell(.notice("cannot begin a new history file: \(error)"))
        }
    }

    private func stateWorks() {
        condition.failures = 0
        intake.end(.state)
    }

    private func stateFailed(_ what: String, _ failure: SyscallError, at moment: Moment) {
        condition.noteFailure(at: moment)
        intake.begin(.state, "cannot write \(what), so nothing is filed: \(failure)")
    }
}

/// What keeps filing from going on.
private struct FilingCondition {
    /// What has moved and could not be recorded: it is tried again before anything else.
    var unrecorded: [MovedDocuments] = []
    /// Whether nothing begins any more, since the state folder is lost.
    var isSuspended = false
    /// No new batch before then: the state folder could not be written.
    var nextTry = Instant(nanoseconds: 0)
    /// How many tries to write the state folder have failed in a row.
    var failures = 0

    /// The state folder could not be written.
    mutating func noteFailure(at moment: Moment) {
        failures += 1
        nextTry = moment.now + Settling.backOff(failures: failures, ceiling: .seconds(60))
    }

    /// How many documents are open at once, where descriptors are short.
    private(set) var mostAtOnce: Int?

    /// A batch found that only so many documents can be open at once (nil: as many as it had).
    mutating func note(mostAtOnce most: Int?, limit: Int) {
        if let most { mostAtOnce = most } else if let now = mostAtOnce { mostAtOnce = now * 2 < limit ? now * 2 : nil }
    }
}
