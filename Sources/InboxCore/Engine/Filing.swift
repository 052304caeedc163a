import InboxDetection
import InboxFiling
import InboxLinux

/// Connects the intake with filing: hands its requests to workers and applies the outcomes.
package final class Filing {
    let intake: Intake
    let records: FilingRecords
    private let undoing: Undoing
    let copying: Copying
    private(set) var means: FilingMeans
    private let lanes: BatchLanes
    var condition = FilingCondition()
    let recovering = RecoveriesUnderWay()
    /// The empty folders that a worker creates.
    private var mirrored: [FolderMirroring.Order] = []

    /// Files from an intake into Documents.
    init(
        intake: Intake, records: FilingRecords, means: FilingMeans, lanes: BatchLanes, copying: Copying,
        undoing: Undoing
    ) {
        self.undoing = undoing
        self.intake = intake
        self.records = records
        self.means = means
        self.lanes = lanes
        self.copying = copying
    }

    /// The number of documents that are waiting for a worker.
    var queuedCount: Int { lanes.queuedCount + copying.lanes.queuedCount }

    /// Files by these rules and identifies documents by this detector, from the next batch on.
    func adopt(_ routing: RoutingRules, detector: Detector) {
        endRootProblems(outside: routing)
        means.adopt(routing, detector: detector)
        copying.adopt(means)
        // What was prepared by other rules is prepared anew.
        copying.dropPrepared()
    }

    /// Filing is ending: nothing begins any more, and a copy that is under way is abandoned.
    package var isEnding: Bool { means.abandonment.isRequested }

    /// Ends: what has moved is recorded, and nothing else moves.
    package func end() {
        means.abandonment.request()
        copying.abandon()
    }

    /// Nothing begins any more, since the state folder is lost; what waits is tried again when there is one, and so is what
    /// is not at its destination yet, so that nobody waits for the end of a long copy.
    func suspend(at moment: Moment) {
        condition.isSuspended = true
        means.abandonment.request()
        copying.suspend(at: moment)
        takeRefused(at: moment)
        for request in lanes.takeAll() + recovering.suspend() {
            intake.resolve(request.id, .postponed("the state folder is lost"), at: moment)
        }
    }

    /// Nothing is under way. While filing ends, records that cannot be written do not count: they are in the journal,
    /// and the next start writes them. Nor do they count if the state folder is lost, since the next one gets them.
    package var isIdle: Bool {
        let hasRecovery =
            records.recovery.isDue || recovering.isWaiting || recovering.comparisons.isWaiting
            || !recovering.requests.isEmpty
        let isRecovering = !isEnding && !condition.isSuspended && (hasRecovery || !copying.left.published.isEmpty)
        return !lanes.isBusy && copying.isIdle && (isEnding || lanes.isEmpty) && !isRecovering
    }

    /// The state folder could not take the records of documents that have their names. Nothing but recovery, which writes
    /// them, goes on.
    private var isRecording: Bool { condition.isFailing && !copying.left.published.isEmpty }

    /// Something that is waiting could begin at once.
    var hasRoom: Bool {
        if condition.isSuspended { return false }
        if isRecording { return copying.canRecover && (recovering.isWaiting || !recovering.isRound) }
        if copying.hasUndo { return true }
        if condition.isPaused { return false }
        return lanes.hasRoom || copying.hasRoom
            || (lanes.small.isFree && (intake.hasReady || intake.parts.emptied.hasOrders))
            || (copying.canRecover && (records.recovery.isDue || recovering.isWaiting))
            || (comparing.isFree && recovering.comparisons.isAwaited(besides: comparing.owners))
    }

    /// While many documents are being filed, waits for the end of their batch, though no longer than a millisecond: the
    /// kernel's events of all of them are then read at once, and not one by one.
    package func awaitBatch(at moment: Moment) { lanes.awaitBatch(until: moment.now + .milliseconds(1)) }

    /// When a job will have taken so long that its worker may hang.
    var nextSuspicion: Instant { min(lanes.nextSuspicion, copying.lanes.nextSuspicion) }

    /// Goes on without the jobs that may hang: they end when their mount answers.
    func leaveHanging(at moment: Moment) {
        lanes.leaveHanging(at: moment.now)
        copying.lanes.leaveHanging(at: moment.now)
    }

    /// When something that waits can begin; `never` where only the end of a job lets it.
    package var nextDeadline: Instant {
        let next = condition.nextBeginning(hasRoom: hasRoom)
        if isEnding || condition.isSuspended || isRecording { return next }
        let sharing = min(copying.nextSharing(isPaused: condition.isPaused), nextComparing)
        return min(next, max(condition.isPaused ? sharing : min(lanes.nextSharing, sharing), condition.nextTry))
    }

    /// The state folder prevents any progress. Records of documents that have already moved are tried a few more
    /// times before this is true, since they end something that is under way.
    var isStuck: Bool {
        guard !lanes.isBusy, !copying.lanes.isBusy else { return false }
        return !copying.left.hasArrivals ? condition.isFailing && hasRoom : condition.isFailingForLong
    }

    /// Begins batches and copies as long as documents are ready and workers are free.
    package func proceed(at moment: Moment) {
        defer {
            copying.dropPrepared()
            settleMarkers(at: moment)
        }
        FairPool.assertOnLoop()
        guard condition.nextTry <= moment.now, !condition.isSuspended, !isEnding else { return }
        if isRecording, !recovering.isRound { records.recovery.request() }
        recover(at: moment)
        if isRecording { return }
        copying.share(at: moment.now, isPaused: condition.isPaused)
        copying.beginUndos(yielding: !condition.isPaused, begins: undoing.begin)
        guard !condition.isPaused else { return }
        takeRequests(at: moment)
        lanes.share(at: moment.now)
        if let requests = lanes.takeSmall() { file(requests, in: lanes.small, at: moment) }
        if lanes.small.isFree, intake.parts.emptied.hasOrders { mirror() }
        if let documents = lanes.takeIdentical() {
            let owners = Set(documents.map(\.document.status.owner))
            lanes.large.begin(.file(FilingJob(discarding: documents, means.identifiers, copying.runs)), of: owners)
        }
        for lane in [lanes.large, lanes.comparing] {
            if let requests = lane.takeOne() { file(requests, in: lane, at: moment) }
        }
        if copying.hasRoom { copy(at: moment) }
        // Undos that yielded to a copy which could not begin.
        copying.beginUndos(yielding: false, begins: undoing.begin)
        takeRefused(at: moment)
    }

    /// Returns true if the filing of a document has ended, so that it may be put back; false while its job is under
    /// way.
    /// - Throws: the reason why it may not be put back, as far as its filing and earlier undos show.
    func hasEnded(_ id: RecordID) throws(UndoRefusal) -> Bool {
        guard !isEnding, !condition.isSuspended else { throw .failed("the daemon is ending") }
        return try undoing.hasFilingEnded(of: id)
    }

    /// Returns true if a job that is under way may have ended the entry of a document that was at this path in an
    /// Inbox.
    func mayReportEnd(at source: BytePath) -> Bool {
        (lanes.isBusy || copying.lanes.isBusy) && !records.journal.isOpen(at: source)
    }

    /// Puts a filed document back into an Inbox.
    /// - Parameter root: the root that it was filed into.
    func undo(_ order: UndoOrder, from root: BytePath, to inbox: Inbox) throws(UndoRefusal) -> UndoTicket {
        let documents: DestinationRoot
        do throws(RootError) { documents = try destinationRoot() } catch { throw .failed("\(error)") }
        let places = UndoJob.Places(documents: documents, root: root, inbox: inbox.path, settings: inbox.settings)
        let ticket = try undoing.admit(order)
        copying.undo(UndoJob(order, places, filing: means, means: copying.runs, log: records.undoLog))
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
        while lanes.takesMore, intake.hasReady {
            for request in intake.takeReady(most: BatchLanes.portion, at: moment) {
                if recovering.contains(request) {
                    recovering.requests.append(request)
                } else if recovering.hasLeft(request) {
                    intake.resolve(request.id, .postponed("the server of an earlier try does not answer"), at: moment)
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
        lanes.append(request)
    }

    private func file(_ waiting: [FilingRequest], in lane: Lane, at moment: Moment) {
        let requests = intake.postponingSilent(waiting, at: moment)
        guard !requests.isEmpty else { return }
        do throws(RootError) {
            let destinations = FilingJob.Destinations(
                to: try destinationRoot(), inboxFolders: intake.walkedFolders,
                comparing: lane === lanes.comparing ? .unlimited : .brief, by: means)
            let job = FilingJob(renaming: requests, destinations, copying.runs)
            if lane !== lanes.small { return lane.begin(.file(job), of: [requests[0].status.owner]) }
            if mayFileItself, !requests.contains(where: { $0.marker != nil }),
                lanes.brief.admits(requests, at: moment.now)
            {
                return fileItself(job, at: moment)
            }
            lanes.beginSmall(.file(job), of: requests.count)
        } catch {
            begin(error, at: intake.roots.documents)
            let outcome: FilingOutcome = error.isWantOfDescriptors ? .postponed("\(error)") : .retry("\(error)")
            for request in requests { intake.resolve(request.id, outcome, at: moment) }
        }
    }

    /// Creates the empty folders of trees that are done where their documents have gone.
    private func mirror() {
        let orders = intake.takeEmptyFolders()
        do throws(RootError) {
            let mirroring = FolderMirroring(
                orders, to: try destinationRoot(), inboxFolders: intake.walkedFolders, means: means)
            lanes.beginSmall(.mirror(mirroring))
            mirrored = orders
        } catch {
            intake.noteMirrored(orders, [])
        }
    }

    /// The loop may file documents itself because nothing can keep it waiting: no root and no record is on a server,
    /// and no worker is busy with a disk.
    private var mayFileItself: Bool {
        !lanes.isBusy && !copying.lanes.isBusy && records.isLocal && intake.roots.mounts?.isEmpty == true
    }

    private func fileItself(_ job: FilingJob, at moment: Moment) {
        let start = Instant.now()
        let report = job.perform(at: moment)
        let end = Instant.now()
        lanes.brief.note(end - start, at: end)
        take(report, at: moment)
    }

    /// Takes what the pool has finished.
    func takeFinished(at moment: Moment) {
        for report in lanes.takeReports() + copying.lanes.takeReports() { take(report, at: moment) }
        takeRefused(at: moment)
        settleMarkers(at: moment)
    }

    private func takeRefused(at moment: Moment) {
        for report in copying.takeRefused() { undoing.end(report, at: moment) }
    }

    private func take(_ report: FilingWork.Report, at moment: Moment) {
        switch report {
        case .filed(let report): take(report, at: moment)
        case .undone(let report):
            takeNews(of: report.claim, at: moment)
            if case .done = report.outcome {
                if report.claim.stateFailure == nil { stateWorks() }
                if let identity = report.order.identity { endMoves(of: identity.file, at: moment) }
            }
            undoing.end(report, at: moment)
        case .recovered(let findings, let number):
            copying.take(findings, at: moment)
            undoing.take(recovered: findings.undone, at: moment)
            takeMarkers(findings, at: moment)
            if findings.failure == nil {
                // One that found nothing to do says nothing about the state folder.
                if findings.hasWritten { stateWorks() }
            } else if copying.left.hasArrivals {
                condition.noteFailure(at: moment)
            }
            records.recovery.report(findings)
            // What has no record has returned to its Inbox.
            if findings.ended.contains(where: { !$0.isRecorded }) { intake.readPolled(at: moment) }
            if recovering.end(number, findings) { records.recovery.request() }
            reconsider(recovering.takeRequests(), at: moment)
            takeFindings(at: moment)
        }
    }

    /// The time for which documents wait that recovery has inspected: a file that it has returned is noticed by then.
    private static let returnTime = Duration.milliseconds(100)

    /// Lets documents be inspected anew that waited for recovery: it may have moved them, or returned the files that belong to
    /// them.
    private func reconsider(_ requests: [FilingRequest], at moment: Moment) {
        if !requests.isEmpty { intake.readPolled(at: moment) }
        for request in requests {
            intake.resolve(request.id, .unsettled(until: moment.now + Self.returnTime), at: moment)
            intake.parts.course.awaitDocument(request.id)
        }
    }

    /// A document was put back: what an earlier move has left open is found no more.
    private func endMoves(of file: FileKey, at moment: Moment) {
        do throws(SyscallError) { try records.journal.endMoves(of: file, isReturned: true) } catch {
            stateFailed("the journal", error, at: moment)
        }
    }

    /// Applies what a run says of the state folder, and reports what is worth it.
    private func takeNews(of report: FilingReport, at moment: Moment) {
        if let failure = report.stateFailure {
            stateFailed(failure.file, failure.error, at: moment)
        } else if report.hasRecorded {
            stateWorks()
        }
        if report.hasOpenEntries { records.recovery.jobLeftOpen(at: moment) }
        for notice in report.notices { intake.report(.notice(notice)) }
    }

    private func take(_ report: FilingReport, at moment: Moment) {
        takeNews(of: report, at: moment)
        if report.hasReachedDestination { intake.end(.documents) }
        for (path, error) in report.strangeMounts { begin(error, at: path) }
        intake.roots.remember(mounts: report.newMounts)
        if !report.hasClaimed { lanes.note(mostAtOnce: report.mostAtOnce) }
        if report.isMirroring {
            intake.noteMirrored(mirrored, report.mirrored)
            mirrored = []
        }
        lanes.small.queue.putBack(report.leftOver)
        for request in report.lengthy {
            intake.beginComparing(request.id, at: moment)
            lanes.comparing.queue.append(request)
        }
        for identical in lanes.append(identical: report.identical) {
            intake.resolve(identical.document.arrival, .postponed("others are discarded first"), at: moment)
        }
        copying.keep(prepared: report.prepared)
        for (request, result) in report.results {
            if case .refused(.identical) = result { continue }
            copying.take(request, result, isClaimed: report.hasClaimed, at: moment)
        }
        if report.hasRenamed || report.unsynced != nil { reportUnsynced(report.unsynced) }
    }

    /// Reports documents that have moved and are recorded although a folder failed to sync their names. They are
    /// inspected again when the machine has restarted, since only then can it be seen whether the disk has kept the
    /// move; a later sync that succeeds does not prove it.
    private func reportUnsynced(_ failure: SyscallError?) {
        guard let failure else { return intake.end(.names) }
        intake.begin(
            .names,
            "the names of what was filed may not be on the disk, so it is inspected again when the machine has "
                + "restarted: \(failure)")
    }

    /// Keeps the history to its limits: old records may go once neither a handler nor the recovery of an interruption
    /// needs them.
    /// - Parameter isSearched: whether they are searched for documents that are to be handled.
    func keepHistory(isSearched: Bool, at moment: Moment) {
        let isNeeded = isSearched || records.recovery.nextTry != .never || records.recovery.isDue
        if let failure = records.upkeep.proceed(isNeeded: isNeeded, at: moment) { intake.report(.notice(failure)) }
    }

    /// Finds out whether somebody has moved the history or removed it; false where that is not known yet.
    func inspectHistory() -> Bool {
        do throws(SyscallError) { return try records.history.inspect() } catch {
            // Whoever appends the next lines meets the same failure, and reports it.
            return true
        }
    }

    private func stateWorks() {
        if condition.isSuspended { return }
        condition.noteSuccess()
        intake.end(.state)
    }

    func stateFailed(_ what: String, _ failure: SyscallError, at moment: Moment) {
        if condition.isSuspended { return }
        condition.noteFailure(at: moment)
        intake.begin(.state, "cannot write \(what), so nothing is filed: \(failure.errno) in \(records.path)")
    }
}
