import InboxFiling
import InboxLinux

/// Brings documents to other filesystems while batches on the same filesystem go on.
final class Copying {
    /// A job has so many documents at most, and so many bytes unless it has one document only.
    private static let most = 64
    static let mostBytes = ArrivalBook.largeCopy
    /// Requests: a worker has no more waiting for it; the others wait in the intake, where they make room for other users.
    private static let mostWaiting = 512

    private let intake: Intake
    let runs: FilingRun.Means
    let lanes: Lanes
    private var means: FilingMeans
    private var refused: [UndoJob.Report] = []
    private(set) var left = LeftClaims()
    private var returned = ReturnedSources()
    /// The documents that a batch has just prepared: those that no job takes at once are prepared anew, so that no folder
    /// stays open for them.
    private var prepared: [ArrivalID: PreparedDocument] = [:]

    /// Copies from an intake to the destinations of these means.
    init(intake: Intake, means: FilingMeans, runs: FilingRun.Means, lanes: Lanes) {
        self.intake = intake
        self.runs = runs
        self.lanes = lanes
        self.means = means
    }

    /// Copies to the destinations of these means from the next job on.
    func adopt(_ means: FilingMeans) {
        self.means = means
        returned = ReturnedSources()
        prepared = [:]
    }

    /// No job is under way or waiting.
    var isIdle: Bool { !lanes.isBusy && lanes.queuedCount == 0 && undoing.allSatisfy(\.undos.isEmpty) }

    /// The lanes of documents that are put back.
    private var undoing: [Lane] { [lanes.small, lanes.large] }

    /// A job could begin at once.
    var hasRoom: Bool {
        lanes.hasRoom || (canRecover && intake.hasCopies(large: false)) || (lanes.large.isFree && isLargeAwaited)
    }

    /// A large document is waiting in the intake, and no document of its owner is being copied.
    private var isLargeAwaited: Bool { intake.hasCopies(large: true, besides: lanes.large.owners) }

    /// When a large document of another user has waited for long enough to begin beside another.
    /// - Parameter isPaused: whether only what is put back goes on.
    func nextSharing(isPaused: Bool) -> Instant {
        isPaused
            ? nextLargeSharing(isPaused: true)
            : min(nextLargeSharing(isPaused: false), lanes.comparing.nextSharing())
    }

    private func nextLargeSharing(isPaused: Bool) -> Instant {
        let hasUndo = lanes.large.undos.hasOwner(besides: lanes.large.owners)
        guard !isPaused else { return hasUndo ? lanes.large.nextSharing(isAwaited: true) : .never }
        return lanes.large.nextSharing(isAwaited: hasUndo || isLargeAwaited)
    }

    /// Goes on with another user's document beside the one that has been under way for long.
    func share(at now: Instant, isPaused: Bool) {
        if nextLargeSharing(isPaused: isPaused) <= now { lanes.large.share(at: now) }
        if !isPaused, lanes.comparing.nextSharing() <= now { lanes.comparing.share(at: now) }
    }

    /// Gives up what has not reached its destination yet.
    func abandon() {
        runs.abandonment.request()
        for request in lanes.takeAll() { intake.resolve(request.id, .changed, at: .current()) }
        refuseUndos("the daemon is ending")
    }

    /// Puts a document back as soon as a worker is free.
    func undo(_ job: UndoJob) {
        lanes.lane(of: job.order.size).undos.append(job, of: job.order.user)
    }

    /// A document could be put back at once.
    var hasUndo: Bool { undoing.contains(where: mayUndo) }

    private func mayUndo(in lane: Lane) -> Bool { lane.isFree && lane.undos.hasOwner(besides: lane.owners) }

    /// Begins to put documents back, as long as workers are free.
    /// - Parameters:
    ///   - isYielding: whether undos wait where it is the turn of a copy.
    ///   - begins: is called before each begins.
    func beginUndos(yielding isYielding: Bool, begins: (UndoOrder) -> Void) {
        for lane in undoing where mayUndo(in: lane) {
            if isYielding, lane.wasUndo, hasCopy(for: lane) { continue }
            guard let job = lane.undos.popFirst(besides: lane.owners) else { continue }
            begins(job.order)
            lane.begin(.undo(job), of: lane === lanes.large ? [job.order.user] : [])
        }
    }

    /// Returns true if a copy that could begin is waiting for the lane.
    private func hasCopy(for lane: Lane) -> Bool {
        lane === lanes.large
            ? isLargeAwaited || lane.queue.hasOwner(besides: lane.owners)
            : intake.hasCopies(large: false) || !lane.queue.isEmpty
    }

    /// The state folder is lost, and with it the journal from which missing records are made: documents that are at their
    /// destinations or in staging folders count as withdrawn, and all others are tried again.
    func suspend(at moment: Moment) {
        refuseUndos("the state folder is lost")
        for request in lanes.takeAll() {
            intake.resolve(request.id, .postponed("the state folder is lost"), at: moment)
        }
        for known in left.takeClaims() { intake.resolve(known.arrival, .changed, at: moment) }
    }

    /// Nothing is put back any more.
    func refuseUndos(_ words: String) {
        for lane in undoing {
            while let job = lane.undos.popFirst() {
                refused.append(UndoJob.Report(order: job.order, outcome: .refused(.failed(words))))
            }
        }
    }

    /// The worker that recovers, which is that of small documents, is free.
    var canRecover: Bool { lanes.small.isFree }

    /// Begins jobs, as long as workers are free and documents wait.
    func proceed(at moment: Moment, to root: DestinationRoot, inboxFolders: Set<FileKey>) {
        take(large: false, most: Self.mostWaiting, at: moment)
        // The others wait in the intake, where each user has his turn.
        if lanes.large.isFree, !lanes.large.queue.hasOwner(besides: lanes.large.owners) {
            take(large: true, most: lanes.large.queue.count + 1, at: moment)
        }
        begin(most: Self.most, in: lanes.small, to: root, inboxFolders, at: moment)
        begin(most: 1, in: lanes.large, to: root, inboxFolders, at: moment)
        begin(most: 1, in: lanes.comparing, to: root, inboxFolders, at: moment)
    }

    /// Keeps what a batch has prepared for the jobs that begin next.
    func keep(prepared documents: [ArrivalID: PreparedDocument]) { prepared.merge(documents) { $1 } }

    /// Closes what no job has taken.
    func dropPrepared() { if !prepared.isEmpty { prepared = [:] } }

    /// Takes what may wait for a worker: however many large documents there are, small ones do not wait behind them.
    private func take(large isLarge: Bool, most: Int, at moment: Moment) {
        let lane = isLarge ? lanes.large : lanes.small
        while lane.queue.count < most,
            let request = intake.takeForCopy(large: isLarge, besides: isLarge ? lane.owners : [], at: moment)
        {
            if let count = returned.exhausted(request.status.identity.file) {
                let words =
                    "it was copied \(count) times, and each time somebody had changed it meanwhile, or something of it "
                    + "could not be removed"
                intake.resolve(request.id, .hold(.permission, words), at: .current())
            } else {
                lanes.append(request)
            }
        }
    }

    /// Gives back what waits, since its destination cannot be reached: it is tried again.
    func postpone(_ why: String, at moment: Moment) {
        var waiting = lanes.takeAll()
        for isLarge in [false, true] {
            while let request = intake.takeForCopy(large: isLarge, at: moment) { waiting.append(request) }
        }
        for request in waiting { intake.resolve(request.id, .retry(why), at: moment) }
    }

    private func begin(
        most: Int, in lane: Lane, to root: DestinationRoot, _ inboxFolders: Set<FileKey>,
        at moment: Moment
    ) {
        guard lane.hasRoom else { return }
        let waiting = lane.queue.take(most: most, bytes: Self.mostBytes, besides: lane.owners)
        let requests = intake.postponingSilent(waiting, at: moment)
        guard !requests.isEmpty else { return }
        let tasks = requests.map { request in
            let progress = CopyProgress(total: request.status.size)
            intake.beginCopy(request.id, done: { progress.done }, at: moment)
            return FilingJob.Task(request, progress, prepared: prepared[request.id])
        }
        let destinations = FilingJob.Destinations(
            to: root, inboxFolders: inboxFolders, comparing: lane === lanes.comparing ? .unlimited : .brief, by: means)
        let job = FilingJob(copying: tasks, destinations, runs)
        lane.begin(.file(job), of: lane === lanes.small ? [] : [requests[0].status.owner])
    }

    /// Takes the refusals of what was to be put back and did not begin; each once.
    func takeRefused() -> [UndoJob.Report] {
        defer { refused = [] }
        return refused
    }

    /// Applies what came of a document.
    /// - Parameter isClaimed: whether one that was refused was put back into the Inbox.
    func take(_ request: FilingRequest, _ result: FilingResult, isClaimed: Bool, at moment: Moment) {
        switch result {
        case .filed(let record, let lost):
            intake.hasLeft(request.id)
            intake.resolve(request.id, .filed(record), at: moment)
            reportLost(lost, of: record)
        case .returned(let record, let lost):
            returned.note(request.status.identity.file)
            intake.resolve(request.id, filedAs: record, leaving: .changed, at: moment)
            reportLost(lost, of: record)
        case .unrecorded(let record, let move):
            intake.hasLeft(request.id)
            let known = LeftClaim(arrival: request.id, recorded: .filed(record), hasLeft: true, move: move)
            left.add(record.id, known)
            // The state folder that it was begun with may be lost.
            if move != nil, !runs.journal.isOpen(record.id) { enter([known]) }
        case .discarded(let record):
            intake.hasLeft(request.id)
            intake.resolve(request.id, .duplicate(record), at: moment)
        case .left(let id, let recorded, let otherwise):
            left.add(id, LeftClaim(arrival: request.id, recorded: recorded, otherwise: otherwise))
        case .refused(.lengthy) where !runs.abandonment.isRequested: lanes.comparing.queue.append(request)
        case .refused(let outcome):
            if isClaimed { intake.hasReturned(request.id) }
            intake.resolve(request.id, outcome, at: moment)
        }
    }

    /// Takes over what could not be recorded in a state folder that is lost: recovery records it in this one.
    func take(unrecorded moves: [LeftClaim]) {
        for known in moves { if let id = known.move?.id { left.add(id, known) } }
        if !moves.isEmpty { enter(moves) }
    }

    private func enter(_ moves: [LeftClaim]) {
        let entries = moves.compactMap(\.move)
        do throws(SyscallError) { try runs.journal.note(entries, isDurable: true) } catch {
            intake.report(.notice("what moved earlier is not recorded yet: cannot write the journal: \(error.errno)"))
        }
        runs.journal.rest(entries.map(\.id))
    }

    /// Recovery has made these records, and ended these claims. One without a record was put back, perhaps since somebody had
    /// moved its copy.
    func take(_ findings: Recovery.Findings, at moment: Moment) {
        for record in findings.records {
            switch left.take(record.id) {
            case .arrival(let known)?: resolve(known, .filed(record), at: moment)
            case .handedOver(let known)?: intake.noteRecovered(record, of: known.arrival)
            case nil: intake.noteRecovered(record, of: nil)
            }
        }
        for (id, isRecorded) in findings.ended {
            guard case .arrival(let known)? = left.take(id) else { continue }
            if isRecorded, let outcome = known.recorded {
                resolve(known, outcome, at: moment)
            } else {
                giveBack(known, at: moment)
            }
        }
    }

    /// The document of an arrival is recorded.
    private func resolve(_ known: LeftClaim, _ outcome: FilingOutcome, at moment: Moment) {
        if !known.hasLeft { intake.hasLeft(known.arrival) }
        intake.resolve(known.arrival, outcome, at: moment)
    }

    /// Hands an arrival back to the intake: its claim has ended without a record.
    private func giveBack(_ known: LeftClaim, at moment: Moment) {
        intake.hasReturned(known.arrival)
        intake.resolve(known.arrival, known.otherwise, at: moment)
    }

    /// Recovery cannot end the claims of these documents yet: from now on they count as what an interruption has left. A
    /// claim that has ended otherwise is none of them: the document is filed under another id.
    func handOver(_ documents: [InterruptedDocument], at moment: Moment) {
        for arrival in left.handOver(documents.map(\.id)) { intake.handOver(arrival, at: moment) }
        for known in left.takeEnded(isOpen: runs.journal.isOpen) { giveBack(known, at: moment) }
    }

    private func reportLost(_ lost: [String], of record: FiledRecord) {
        guard !lost.isEmpty else { return }
        intake.report(.notice("copied to \(record.destination) without \(lost.joined(separator: ", "))"))
    }
}
