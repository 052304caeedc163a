import InboxDetection
import InboxLinux

/// Files documents in batches: as many as are ready share their syncs, and one alone is filed at once.
///
/// A batch goes through fixed steps, each of which the next one depends on: contents and intents reach the disk, names
/// move under a lease, folders and records reach the disk, the journal is cleared. What blocks is done on the worker;
/// with `Durability=relaxed` nothing blocks and all is done in one go.
public final class Filing {
    /// So many documents are open at once, at most.
    private static let most = 512

    private enum Stage {
        case idle
        case preparing([InHand], isDurable: Bool)
        case recording(Moved, isDurable: Bool)
        /// The records could not be written: they are tried again.
        case unrecorded(Moved, isDurable: Bool)
    }

    /// What has moved, and what is to be recorded of it.
    private struct Moved {
        var documents: [(hand: InHand, record: FiledRecord)] = []
        var folders: [ObjectIdentifier: OpenFolder] = [:]
        /// The first failure to bring the folders to the disk: no later try is a proof.
        var unsynced: SyscallError?

        mutating func touch(_ folder: OpenFolder) { folders[ObjectIdentifier(folder)] = folder }
    }

    private(set) var detector: Detector
    private(set) var places: Places
    private(set) var destinations: DestinationFolders
    let history: History
    let journal: Journal
    /// What an interruption or a failing disk has left open.
    private let unresolved: UnresolvedIntents
    let recovery: PendingRecovery
    let intake: Intake
    var identifiers = RecordID.Source()
    private let worker: Worker<DurableJob, DurableJob.Outcome>
    private var stage = Stage.idle
    /// No new batch before then: the state folder could not be written.
    private var nextTry = Instant(nanoseconds: 0)
    private var failures = 0
    /// So many documents are open at once: fewer where descriptors are short.
    private var batchSize = Filing.most
    private let copying: Copying
    /// Whether nothing is begun any more; a copy that is under way is given up.
    public var isEnding = false {
        didSet { if isEnding { copying.abandon() } }
    }

    /// Files from an intake into Documents. Recovery must have cleared the journal.
    init(
        intake: Intake, places: Places, history: History, journal: Journal, unresolved: UnresolvedIntents,
        recovery: PendingRecovery, detector: Detector, worker: Worker<DurableJob, DurableJob.Outcome>, copying: Copying
    ) {
        self.intake = intake
        self.history = history
        self.journal = journal
        self.unresolved = unresolved
        self.recovery = recovery
        self.detector = detector
        self.places = places
        destinations = DestinationFolders(places, making: intake.making)
        self.worker = worker
        self.copying = copying
    }

    /// Files into this Documents, on whatever filesystem it lies now, and tells types by this detector, from the next
    /// batch on.
    func adopt(documents: BytePath, detector: Detector) {
        self.detector = detector
        forgetPlaces()
        places = Places(documents: documents)
        destinations = DestinationFolders(places, making: intake.making)
        copying.adopt(places)
    }

    /// Whether nothing is under way. At the end, records that cannot be written do not count: the journal tells of
    /// them, and the next start makes them.
    public var isIdle: Bool { isBetweenBatches && copying.isIdle }

    /// Whether no copy is under way.
    var isBetweenCopies: Bool { copying.isIdle }

    /// Whether something that waits could be begun at once.
    var hasRoom: Bool {
        (isBetweenBatches && intake.hasReady) || (copying.isIdle && intake.hasCopies)
    }

    /// Whether no batch is under way; copies may be.
    private var isBetweenBatches: Bool {
        switch stage {
        case .idle: true
        case .unrecorded: isEnding
        case .preparing, .recording: false
        }
    }

    /// When a batch may begin again after the state folder failed; `never` while nothing waits for that.
    public var nextDeadline: Instant {
        switch stage {
        case .idle where failures > 0 && hasRoom, .unrecorded: nextTry
        default: .never
        }
    }

    /// Whether the state folder keeps anything from going on. Records of what has moved already are tried a few times
    /// more before that counts: they end something that is under way.
    var isStuck: Bool {
        switch stage {
        case .idle: failures > 0 && hasRoom
        case .unrecorded: failures > 3
        case .preparing, .recording: false
        }
    }

    /// Begins batches as long as documents are ready and nothing blocks.
    public func proceed(at moment: Moment) {
        if case .unrecorded(let moved, let isDurable) = stage, nextTry <= moment.now {
            record(moved, isDurable, at: moment)
        }
        while isBetweenBatches, !isEnding, nextTry <= moment.now {
            let taken = intake.takeReady(most: batchSize)
            if taken.isEmpty { break }
            begin(taken, at: moment)
        }
        if !isEnding, nextTry <= moment.now {
            copying.proceed(at: moment) { id, destinations in
                takeInHand(id, for: destinations, at: moment)
            }
        }
    }

    /// Takes what became of copies.
    func take(_ report: CopyJob.Report, at moment: Moment) {
        if let failure = report.stateFailure {
            stateFailed(failure.file, failure.error, at: moment)
        } else if report.hasRecorded {
            stateWorks()
        }
        copying.take(report, at: moment)
        rotate(at: moment)
    }

    private func begin(_ taken: [ArrivalID], at moment: Moment) {
        var hands: [InHand] = []
        for id in taken {
            switch takeInHand(id, for: destinations, at: moment) {
            case .success(let hand) where hand.isAcross:
                intake.resolve(id, .across, at: moment)
            case .success(let hand): hands.append(hand)
            case .failure(let refusal):
                if refusal.isWantOfDescriptors { batchSize = max(1, hands.count / 2) }
                intake.resolve(id, refusal.outcome, at: moment)
            }
        }
        guard !hands.isEmpty else {
            destinations.close()
            return
        }
        do throws(SyscallError) { try unresolved.forget(hands.map(\.status.identity)) } catch {
            return postpone(hands, error, at: moment)
        }
        let isDurable = hands.contains { $0.folder.inbox.settings.durability == .full }
        stage = .preparing(hands, isDurable: isDurable)
        let mark = history.mark
        hand(
            .prepare(
                files: hands.compactMap(\.file), packages: hands.compactMap(\.package), journal: journal.file,
                intents: Array(hands.map { $0.intent(since: mark).line }.joined()),
                isDurable: isDurable), isDurable, at: moment)
    }

    /// Gives a job to the worker, or does it at once where it does not block.
    private func hand(_ job: DurableJob, _ isDurable: Bool, at moment: Moment) {
        if isDurable {
            do throws(SyscallError) {
                try worker.begin(job)
                return
            } catch {
                // The bell is a counter that cannot be full here; should it fail all the same, the loop itself does it.
            }
        }
        take(job.perform(), at: moment)
    }

    /// Takes what the worker has finished.
    func take(_ outcome: DurableJob.Outcome, at moment: Moment) {
        switch (stage, outcome) {
        case (.preparing(let hands, let isDurable), .prepared(let files, let packages, let journalFailure)):
            stage = .idle
            if let journalFailure {
                postpone(hands, journalFailure, at: moment)
            } else {
                move(hands, unsynced: files, packages, isDurable: isDurable, at: moment)
            }
        case (.recording(let moved, let isDurable), .recorded(let folders, let historyFailure)):
            finish(moved, isDurable, folders, historyFailure, at: moment)
        default: break
        }
    }

    /// The intents could not be written: nothing is moved, and all is tried again.
    private func postpone(_ hands: [InHand], _ failure: SyscallError, at moment: Moment) {
        stateFailed("the journal", failure, at: moment)
        for hand in hands {
            intake.resolve(hand.arrival, .postponed("cannot write the journal: \(failure.errno)"), at: moment)
        }
        clearJournal(at: moment)
        destinations.close()
    }

    private func move(
        _ hands: [InHand], unsynced: [SyscallError?], _ unsyncedPackages: [SyscallError?], isDurable: Bool,
        at moment: Moment
    ) {
        var names = FreeNames()
        var moved = Moved()
        var (files, packages) = (unsynced[...], unsyncedPackages[...])
        let time = Timestamp.now()
        for hand in hands {
            let unsynced = hand.file == nil ? nil : files.popFirst()
            let unsyncedPackage = hand.package == nil ? nil : packages.popFirst()
            if let failure = (unsynced ?? unsyncedPackage) ?? nil {
                intake.resolve(hand.arrival, .hold(.syncFailed, "\(failure)"), at: moment)
                continue
            }
            switch isEnding ? .failure(Refusal(.changed)) : move(hand, &names) {
            case .success(let place):
                intake.hasLeft(hand.arrival)
                moved.documents.append((hand, hand.record(at: time, as: place.name, number: place.number)))
                moved.touch(place.from)
                moved.touch(hand.reached.folder)
                // Folders around it may be new, whoever made them: a batch that came to nothing, or a killed run.
                for folder in destinations.way(to: hand.folders) { moved.touch(folder) }
            case .failure(let refusal): intake.resolve(hand.arrival, refusal.outcome, at: moment)
            }
        }
        for folder in destinations.made { moved.touch(folder) }
        destinations.close()
        if moved.documents.isEmpty { clearJournal(at: moment) } else { record(moved, isDurable, at: moment) }
    }

    private func record(_ moved: Moved, _ isDurable: Bool, at moment: Moment) {
        stage = .recording(moved, isDurable: isDurable)
        let lines = Array(moved.documents.map(\.record.line).joined())
        hand(
            .record(
                folders: Array(moved.folders.values), history: history, lines: lines, isDurable: isDurable),
            isDurable, at: moment)
    }

    private func finish(
        _ moved: Moved, _ isDurable: Bool, _ folders: SyscallError?, _ failure: SyscallError?, at moment: Moment
    ) {
        var moved = moved
        moved.unsynced = moved.unsynced ?? folders
        if let failure {
            // The names have moved, and the journal tells of it: only the records wait.
            stage = .unrecorded(moved, isDurable: isDurable)
            stateFailed("the history", failure, at: moment)
            return
        }
        stage = .idle
        batchSize = min(batchSize * 2, Self.most)
        stateWorks()
        let isKept = keepUnsettled(moved, at: moment)
        let isClear = isKept && clearJournal(at: moment)
        for (hand, record) in moved.documents { intake.resolve(hand.arrival, .filed(record), at: moment) }
        if isClear { rotate(at: moment) }
    }

    /// What has moved and is recorded, though a folder failed to bring its names to the disk, is looked at again when
    /// the machine has started anew: only then it shows whether the disk has kept the move. A later sync that succeeds
    /// is no proof of it.
    private func keepUnsettled(_ moved: Moved, at moment: Moment) -> Bool {
        guard let failure = moved.unsynced else {
            intake.end(.names)
            return true
        }
        intake.begin(
            .names,
            "the names of what was filed may not be on the disk, so it is looked at again when the machine has started "
                + "anew: \(failure)")
        let mark = history.mark
        do throws(SyscallError) {
            try unresolved.add(
                moved.documents.map {
                    UnresolvedIntents.Entry($0.hand.intent(since: mark), boot: UnresolvedIntents.currentBoot)
                })
            return true
        } catch {
            stateFailed("the journal", error, at: moment)
            return false
        }
    }

    /// Begins a new history file where that is due, and nothing is under way whose record would be looked for.
    private func rotate(at moment: Moment) {
        guard isIdle else { return }
        do throws(SyscallError) { try history.rotate(at: moment.wall) } catch {
            intake.tell(.notice("cannot begin a new history file: \(error)"))
        }
    }

    private func stateWorks() {
        failures = 0
        intake.end(.state)
    }

    @discardableResult
    private func clearJournal(at moment: Moment) -> Bool {
        do throws(SyscallError) {
            try journal.clear()
            return true
        } catch {
            stateFailed("the journal", error, at: moment)
            return false
        }
    }

    private func stateFailed(_ what: String, _ failure: SyscallError, at moment: Moment) {
        failures += 1
        nextTry = moment.now + Settling.backOff(failures: failures, ceiling: .seconds(60))
        intake.begin(.state, "cannot write \(what), so nothing is filed: \(failure)")
    }
}
