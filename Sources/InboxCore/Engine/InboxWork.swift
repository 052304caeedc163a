import InboxDetection
import InboxConfiguration
import InboxFiling
import InboxLinux

/// The reason why the work cannot begin.
package enum StartFailure: Error {
    /// Another daemon works on this state folder; its process, where it could be read.
    case taken(state: BytePath, by: Int?)
    /// A folder that the work needs cannot be opened or made.
    case folder(BytePath, SyscallError)
    /// A path that a dry run is given cannot be inspected.
    case path(BytePath, SyscallError)
    /// The kernel denies something that nothing can be done without.
    case kernel(SyscallError)
}

/// The whole way of a document, from the Inboxes to the history: what the event loop drives.
package final class InboxWork {
    /// The contents of the Inboxes.
    package let intake: Intake
    /// The work that is done in batches; nil while the state folder cannot be used.
    package private(set) var filing: Filing?
    /// The runner of the handlers of filed documents.
    package let handlers: Handlers
    /// The notices that tell people about documents that need them.
    package let notices: Notices
    /// The checks of documents that are to be filed.
    package let checks: Checks
    private(set) var rules: RulesInForce
    /// The pool that runs everything that leaves the loop.
    package let pool: FairPool
    // The lanes outlive the use of a state folder, and so does a job that hangs.
    private let lanes: (batches: BatchLanes, copies: Lanes)
    private var state = HeldState()
    private let inspection: RootInspection
    /// The number of documents that the intake kept ready before filing was paused; nil while it is not paused.
    private var readyBeforePause: Int?
    /// The records of earlier runs have been read from the history.
    private var hasRecalled = false

    /// Prepares the work; nothing is touched yet.
    /// - Parameter describe: an event as `inboxctl events --json` prints it, with the start of the daemon that it is of.
    package init(
        _ configuration: Configuration, inotify: Inotify?, detector: Detector,
        describe: @escaping (Event, _ boot: String) -> [UInt8], report: @escaping (Happening) -> Void
    ) throws(SyscallError) {
        rules = RulesInForce(configuration, detector: detector)
        inspection = RootInspection(documents: configuration.documents)
        inspection.roots.outer = rules.routing.outerRoots
        let events = EventRing()
        let pool = try FairPool()
        self.pool = pool
        lanes = (BatchLanes(of: pool), Lanes(of: pool, large: Copying.mostBytes))
        let handlers = try Handlers(in: pool, on: inspection.roots) { happening in
            if case .handled(let news, _) = happening { events.record(.handler(news), at: .path(news.path)) }
            report(happening)
        }
        handlers.adopt(configuration, rules.routing)
        self.handlers = handlers
        let notices = Notices(in: pool, describe: { [boot = events.boot] in describe($0, boot) }, report: report)
        notices.adopt(configuration.notices)
        events.observe = { notices.take($0) }
        self.notices = notices
        intake = Intake(
            inotify: inotify, expectsEvents: true, roots: inspection.roots,
            pool: pool, events: events, isPackage: detector.isPackage
        ) { happening in
            if case .filed(let record) = happening { handlers.filed(record) }
            report(happening)
        }
        intake.parts.course.adopt(CompanionNames(rules.routing, detector))
        checks = Checks(of: intake, in: pool)
        intake.hasHandler = { [unowned self] name in
            self.configuration.ownTypes.documentTypes.contains { $0.name == name && $0.settings.run != nil }
        }
    }

    /// The configuration in force.
    package var configuration: Configuration { rules.configuration }

    /// A document type has a handler.
    package var hasHandlers: Bool { configuration.ownTypes.documentTypes.contains { $0.settings.run != nil } }

    /// Filing is paused.
    package var isPaused: Bool { readyBeforePause != nil }

    /// Lends the descriptors that are readable when a worker has finished something.
    package func withBells<Failure: Error>(
        _ body: (borrowing FileDescriptor) throws(Failure) -> Void
    ) throws(Failure) {
        try pool.withBell(body)
        try inspection.withMountBell(body)
    }

    /// The queue of what happens on the paths to the roots; nil where they are inspected from time to time.
    package var rootEvents: Inotify? { inspection.events }

    /// Takes what has happened on the paths to the roots.
    package func takeRootEvents(at moment: Moment) throws(SyscallError) { try inspection.takeEvents(at: moment) }

    /// Inspects the roots at once: something may have happened on the paths to them that nobody has heard of.
    package func inspectRoots(at moment: Moment) { inspection.request(at: moment) }

    /// Takes the state folder, without which nothing is filed: one that another daemon holds is an end, one that
    /// cannot be written is a problem that may pass.
    package func takeState(at moment: Moment) throws(StartFailure) {
        guard state.folder == nil else { return }
        let path = configuration.stateFolder
        do throws(StateFolderError) {
            let taken = try StateFolder(path: path)
            state.folder = taken
            if let damage = taken.journal.damage { intake.report(.warning(damage)) }
            inspection.begin(with: taken, intake, at: moment)
            intake.verification.making = FolderMaking(journal: taken.journal)
        } catch {
            switch error {
            case .taken(let process): throw .taken(state: path, by: process)
            case .failed(let path, let error): stateFailed(path, StateFolderError.words(error), at: moment)
            case .file(let path, let error): stateFailed(path, "\(error)", at: moment)
            case .unsafe(let error): stateFailed(path, "\(error)", at: moment)
            }
        }
    }

    /// The state folder, made by an earlier run, can be opened.
    package var hasStateFolder: Bool {
        do throws(SyscallError) {
            _ = try Directory.open(path: configuration.stateFolder)
            return true
        } catch {
            return false
        }
    }

    /// The state folder is in use; otherwise nothing is filed until it can be.
    package var holdsState: Bool { state.folder != nil }

    /// Takes note of why nobody can ask how things are; nil where they can.
    package func noteControl(_ failure: String?) {
        if let failure { intake.begin(.control, failure) } else { intake.end(.control) }
    }

    /// Records why the configuration on disk is not in force; nil where it is.
    package func noteConfiguration(_ failure: String?) {
        if let failure {
            intake.parts.report.begin(.configuration, failure, isLogged: false)
        } else {
            intake.end(.configuration)
        }
    }

    /// Finishes the folders of an interrupted run, before another is made, and after the mounts have answered.
    package func recoverFolders() {
        guard let journal = state.folder?.journal else { return }
        do throws(SyscallError) { try FolderMaking.recover(journal, on: intake.roots) } catch {
            intake.report(.notice("cannot look for half-made folders of an interrupted run: \(error)"))
        }
    }

    /// The folders whose mounts are asked: the roots, and what has to be recovered elsewhere, since the configuration was
    /// another one when it was begun.
    private var followed: [BytePath] { rules.roots + (filing?.records.journal.interrupted.places ?? []) }

    /// Asks the mounts of servers and programs whether they answer, before anything is touched there.
    /// - Parameter isPatient: waits until one that does not answer is a problem: what runs once sees it at no other time.
    package func awaitMounts(_ table: MountTable, isPatient: Bool, at moment: Moment) {
        inspection.follow(followed, on: table, intake, at: moment)
        inspection.awaitAnswers(intake, atMost: isPatient ? ForeignMount.patience : .seconds(1), at: moment)
    }

    /// Makes Documents (by one level) and the Inboxes where they are missing, and makes sure that they can be read.
    package func prepareFolders() throws(StartFailure) {
        try ensure(configuration.documents, .documents)
        for inbox in configuration.inboxes { try ensure(inbox.path, .inbox) }
    }

    /// Makes Documents (by one level) for a new configuration, while it is known on which filesystem each root was.
    package func prepareDocuments(of configuration: Configuration, at moment: Moment) {
        inspection.follow(followed + [configuration.documents], intake, at: moment)
        inspection.awaitAnswers(intake, atMost: .milliseconds(500), at: moment)
        do throws(StartFailure) { try ensure(configuration.documents, .documents) } catch {
            // It is a problem of the Inboxes as soon as they are taken up.
        }
    }

    private func ensure(_ path: BytePath, _ kind: Roots.Kind) throws(StartFailure) {
        do throws(RootError) {
            do throws(RootError) {
                _ = try intake.roots.open(path, as: kind)
            } catch  where error.errno == .noEntry {
                try make(path, kind)
            } catch  where error.errno == .notDirectory && kind == .inbox {
                // A file under the Inbox's name is a document: it is filed, and then the Inbox is created.
                do throws(SyscallError) {
                    if let parent = path.parent { _ = try Directory.open(path: parent) }
                } catch {
                    throw .path(.failed(path, error))
                }
            }
        } catch {
            // A root that may not be used, or not be made, is a problem that somebody can mend while the daemon runs.
            if case .path(.failed(_, let error)) = error { throw .folder(path, error) }
        }
    }

    /// While the journal cannot be written, a folder is made without it, as where there is no state folder: without Documents
    /// nobody could be told.
    private func make(_ path: BytePath, _ kind: Roots.Kind) throws(RootError) {
        do throws(RootError) {
            try intake.roots.make(path, as: kind, by: intake.verification.making.make)
        } catch {
            guard case .journal = error else { throw error }
            try intake.roots.make(path, as: kind, by: FolderMaking().make)
        }
    }

    /// Begins: finds out what an interrupted run came to, and takes up the Inboxes.
    package func begin(at moment: Moment) {
        intake.adopt(configuration.inboxes, at: moment)
        beginFiling(at: moment)
        intake.proceed(at: moment)
    }

    private func beginFiling(at moment: Moment) {
        guard filing == nil, let folder = state.folder else { return }
        do {
            let history = try History(in: folder.directory, maxSize: configuration.history.maxSize)
            let staging = try StagingFolders(state: folder.directory, at: folder.path)
            // A synced journal is worth nothing while its name is not on the disk.
            try folder.directory.directory.sync()
            let records = FilingRecords(
                path: folder.path, history: history, upkeep: HistoryUpkeep(history, configuration.history, at: moment),
                journal: folder.journal, staging: staging, recovery: PendingRecovery(intake),
                undone: try UndoneFile(in: folder.directory),
                isLocal: try Filesystem(of: folder.directory.directory.descriptor).nameWithoutEvents == nil)
            let means = FilingMeans(
                detector: rules.detector, routing: rules.routing, making: intake.verification.making,
                filed: FiledSizes(history))
            if configuration.comparesWithFiled { means.filed?.begin() }
            let undoing = Undoing(records.undone, folder.journal, intake)
            undoing.begin(at: moment)
            let copying = Copying(
                intake: intake, means: means, runs: records.means(means.abandonment), lanes: lanes.copies)
            try handlers.begin(in: folder.directory, history, folder.journal)
            copying.take(unrecorded: state.unrecorded)
            let filing = Filing(
                intake: intake, records: records, means: means, lanes: lanes.batches, copying: copying,
                undoing: undoing)
            filing.condition.isPaused = isPaused
            self.filing = filing
            try intake.file(with: folder.directory, at: moment)
            filing.takeFinished(at: moment)
            if !folder.journal.interrupted.isEmpty { inspection.follow(followed, intake, at: moment) }
            state.noteSuccess()
            intake.end(.state)
            inspection.request(at: moment)
        } catch {
            stateFailed(folder.path, "\(error)", at: moment)
        }
    }

    /// Lets go of a state folder that is not in its place or has lost a file, once what is under way is done.
    private func leaveState(without lost: BytePath, at moment: Moment) {
        guard let path = state.folder?.path else { return }
        let words = "somebody has moved or removed \(lost == path ? "it" : "\(lost)")"
        report(stateFailure: words, at: path)
        filing?.suspend(at: moment)
        handlers.suspend()
        guard filing?.isIdle != false else { return }
        state.leave(unrecorded: filing?.copying.left.moves ?? [])
        filing = nil
        intake.verification.making = FolderMaking()
        inspection.displacedState = nil
        stateFailed(path, words, at: moment)
    }

    private func stateFailed(_ path: BytePath, _ why: String, at moment: Moment) {
        state.noteFailure(at: moment)
        report(stateFailure: why, at: path)
    }

    private func report(stateFailure why: String, at path: BytePath) {
        intake.begin(.state, "cannot use the state folder \(path), so nothing is filed: \(why)")
    }

    /// Puts another configuration in force, with a detector that knows its types.
    package func adopt(_ configuration: Configuration, detector: Detector, at moment: Moment) {
        let former = rules.routing
        rules = RulesInForce(configuration, detector: detector, after: former)
        if !rules.routing.hasSameChecks(as: former) { former.validity.end() }
        handlers.adopt(configuration, rules.routing)
        notices.adopt(configuration.notices)
        filing?.records.upkeep.adopt(configuration.history, at: moment)
        inspection.follow(followed, intake, at: moment)
        filing?.adopt(rules.routing, detector: rules.detector)
        if configuration.comparesWithFiled { filing?.means.filed?.begin() }
        inspection.adopt(rules.routing, at: moment)
        let routing = rules.routing
        intake.endChecks(where: { !routing.has($0) }, at: moment)
        state.retry()
        filing?.condition.retry()
        filing?.records.recovery.lookAgain(at: moment)
        intake.parts.course.adopt(CompanionNames(routing, detector))
        intake.adopt(configuration.inboxes, at: moment)
    }

    /// Accepts the folders that are at the destinations now, whatever was there before.
    func acceptDestinations(at moment: Moment) {
        filing?.endRootProblems(of: rules.routing)
        inspection.acceptDestinations(at: moment)
        state.retry()
        filing?.condition.retry()
        filing?.records.recovery.retry(accepting: true, at: moment)
    }

    /// The mounts are these now: a place may have gone, or have come back.
    package func takeMounts(_ table: MountTable, at moment: Moment) {
        inspection.follow(followed, on: table, intake, at: moment)
        filing?.records.recovery.lookAgain(at: moment)
        let others = [configuration.documents] + intake.roots.outer + [state.folder?.path].compactMap(\.self)
        let isConcerned = intake.takeMounts(table, at: moment, beside: others)
        guard isConcerned else { return }
        filing?.records.recovery.search.saw(at: moment)
        inspection.request(at: moment)
        inspection.proceed(filing, intake, state.folder, at: moment)
        // What failed or was held because its place was missing has a reason no longer, or another one.
        intake.tryAgain()
    }

    /// Does everything that is due.
    package func proceed(at moment: Moment) throws(StartFailure) {
        FairPool.assertOnLoop()
        pool.proceed(at: moment.now)
        if state.takeTry(at: moment) {
            try takeState(at: moment)
            recoverFolders()
            beginFiling(at: moment)
        }
        heedMounts(at: moment)
        inspection.proceed(filing, intake, state.folder, at: moment)
        if let lost = inspection.displacedState { leaveState(without: lost, at: moment) }

        filing?.records.proceedWithRecovery(intake, at: moment)
        intake.proceed(at: moment)
        recall()
        filing?.proceed(at: moment)
        if let filing { checks.proceed(filing.means, isPaused: isPaused || filing.condition.isSuspended, at: moment) }
        handlers.proceed(at: moment, isPaused: isPaused)
        notices.proceed(at: moment)
        inspection.save(intake, at: moment)
        reportHistory()
        filing?.keepHistory(isSearched: handlers.isPending, at: moment)
    }

    /// Asks the history about the folders that are there, once all of them are known.
    private func recall() {
        guard !hasRecalled, !intake.isReading, filing != nil, let path = state.folder?.path else { return }
        hasRecalled = true
        do throws(SyscallError) { try intake.recallFilings(in: path) } catch {
            intake.report(
                .notice("cannot read in \(path) what was filed before, so that folders emptied then stay: \(error)"))
        }
    }

    /// Reports what somebody did to the history. A new one is begun, but nothing else knows the documents of the former.
    private func reportHistory() {
        guard let path = state.folder?.path, let history = filing?.records.history else { return }
        if let obstacle = history.takeObstacle() {
            intake.report(.notice("cannot begin a new history file: \(obstacle)"))
        }
        guard let news = history.takeNews() else { return }
        intake.report(
            .notice(
                "somebody has \(news) \(path)/history.jsonl: a new one is begun, in which documents that were filed "
                    + "earlier are not found"))
    }

    /// Does what is due while nothing begins any more.
    package func proceedToEnd(at moment: Moment) {
        pool.proceed(at: moment.now)
        heedMounts(at: moment)
    }

    /// Asks the mounts of servers and programs whether they answer, and goes on without what hangs on one of them.
    private func heedMounts(at moment: Moment) {
        guard inspection.askMounts(intake, suspecting: nextSuspicion, at: moment) else { return }
        filing?.leaveHanging(at: moment)
        intake.leaveHangingSurvey(at: moment)
    }

    /// When a worker's job will have taken so long that it may hang.
    private var nextSuspicion: Instant { min(filing?.nextSuspicion ?? .never, intake.parts.surveys.suspicion) }

    /// Pauses filing or ends the pause.
    func setPaused(_ isPaused: Bool) {
        filing?.condition.isPaused = isPaused
        // Folders are read on however many documents are ready, so that everything there is listed.
        if isPaused {
            checks.pause(at: .current())
            readyBeforePause = intake.mostReady
            intake.mostReady = .max
        } else if let most = readyBeforePause {
            readyBeforePause = nil
            intake.mostReady = most
        }
    }

    /// Takes what the workers have finished.
    package func takeFinished(at moment: Moment) throws(SyscallError) {
        try pool.takeFinished()
        filing?.takeFinished(at: moment)
        checks.takeFinished(at: moment)
        handlers.takeFinished(at: moment)
        inspection.takeAnswers(intake, at: moment)
        intake.parts.inspection.takeSurveys(at: moment)
        for problem in rules.takeDatabaseProblems() { intake.report(.warning("\(problem)")) }
    }

    /// Ends: what has moved is recorded, nothing else begins, and handlers that run are killed, to run again at the next
    /// start.
    package func end() {
        filing?.end()
        checks.end()
        handlers.end()
        notices.end()
    }

    /// Nothing is under way.
    package var isAtRest: Bool { filing?.isIdle != false && checks.hasEnded && handlers.hasEnded }

    /// When something is to be done by itself while nothing begins any more.
    package var nextDeadlineToEnd: Instant {
        min(pool.nextDeadline, inspection.nextSilence(suspecting: nextSuspicion))
    }

    /// When something is to be done by itself.
    package var nextDeadline: Instant {
        // What is ready waits for the filing, not the other way round.
        min(
            pool.nextDeadline, intake.nextDeadline, state.nextTry, inspection.nextDeadline(suspecting: nextSuspicion),
            filing?.nextDeadline ?? .never,
            filing?.records.nextDeadline ?? .never, checks.nextDeadline, handlers.nextDeadline, notices.nextDeadline)
    }

    /// Everything that can be done without waiting for others is done; `--once` waits for this.
    package var isDone: Bool {
        guard !intake.isReading, !intake.isRetrying else { return false }
        // Without its state folder nothing is filed: the next try is back-off, which is not waited for.
        guard let filing, !filing.isStuck else { return true }
        return hasRecalled && !intake.hasReady && !intake.hasCopies && filing.isIdle && checks.isIdle
            && intake.isWaitingForOthersOnly && !intake.parts.emptied.isDueSoon(at: .now()) && handlers.isIdle
            && notices.isIdle
    }
}

extension Configuration {
    /// Some documents are compared with all that were filed before.
    var comparesWithFiled: Bool { inboxes.contains { $0.settings.onDuplicate != .file } }
}
