import InboxDetection
import InboxLinux

/// Why the work cannot begin.
public enum StartFailure: Error {
    /// Another daemon works on this state folder; its process, where it could be read.
    case taken(state: BytePath, by: Int?)
    /// A folder that the work needs cannot be opened or made.
    case folder(BytePath, SyscallError)
    /// The kernel denies something that nothing can be done without.
    case kernel(SyscallError)
}

/// The whole way of a document, from the Inboxes to the history: what the event loop drives.
public final class InboxWork {
    /// What is in the Inboxes.
    public let intake: Intake
    /// The configuration in force.
    public private(set) var configuration: Configuration
    /// What is done in batches; nil while the state folder cannot be used.
    public private(set) var filing: Filing?

    private(set) var detector: Detector
    private let worker: Worker<DurableJob, DurableJob.Outcome>
    private let copier: Worker<CopyJob, CopyJob.Report>
    private var state: StateFolder?
    private var recovery: PendingRecovery?
    private var nextStateTry = Instant.never
    private var stateFailures = 0

    /// Prepares the work; nothing is touched yet.
    public init(
        _ configuration: Configuration, inotify: Inotify?, detector: Detector, tell: @escaping (Happening) -> Void
    ) throws(SyscallError) {
        self.configuration = configuration
        self.detector = detector
        intake = Intake(inotify: inotify, isPackage: detector.isPackage, tell: tell)
        intake.events.adopt(limit: configuration.control.eventBuffer)
        worker = try Worker { $0.perform() }
        copier = try Worker { $0.perform() }
    }

    /// Lends the descriptors that are readable when a worker has finished something.
    public func withBells<Failure: Error>(
        _ body: (borrowing FileDescriptor) throws(Failure) -> Void
    ) throws(Failure) {
        try body(worker.bell.descriptor)
        try body(copier.bell.descriptor)
    }

    /// Takes the state folder, without which nothing is filed: one that another daemon holds is an end, one that
    /// cannot be written is a problem that may pass.
    public func takeState(at moment: Moment) throws(StartFailure) {
        guard state == nil else { return }
        let path = configuration.stateFolder
        do throws(StateFolderError) {
            let taken = try StateFolder(path: path)
            state = taken
            recoverFolders(in: taken)
        } catch {
            switch error {
            case .taken(let process): throw .taken(state: path, by: process)
            case .failed(let path, let error): stateFailed(path, error, at: moment)
            }
        }
    }

    /// Whether the state folder is there, made by an earlier run.
    public var hasStateFolder: Bool {
        do throws(SyscallError) {
            _ = try Directory.open(path: configuration.stateFolder.bytes)
            return true
        } catch {
            return false
        }
    }

    /// Whether the state folder is in use; else nothing is filed until it can be.
    public var holdsState: Bool { state != nil }

    /// Takes note of why nobody can ask how things are; nil where they can.
    public func noteControl(_ failure: String?) {
        if let failure { intake.begin(.control, failure) } else { intake.end(.control) }
    }

    /// Removes the hidden folders of an interrupted run, before another is made.
    private func recoverFolders(in state: StateFolder) {
        let journal = FolderJournal(in: state.directory)
        do throws(SyscallError) {
            try journal.recover()
            intake.making.journal = journal
        } catch {
            intake.tell(.notice("cannot look for half-made folders of an interrupted run: \(error)"))
        }
    }

    /// Makes Documents (by one level) and the Inboxes where they are missing, and makes sure that they can be read.
    public func prepareFolders() throws(StartFailure) {
        try ensure(configuration.documents, mayBeDocument: false)
        for inbox in configuration.inboxes { try ensure(inbox.path, mayBeDocument: true) }
    }

    private func ensure(_ path: BytePath, mayBeDocument: Bool) throws(StartFailure) {
        do throws(SyscallError) {
            do throws(SyscallError) {
                _ = try Directory.open(path: path.bytes)
            } catch  where error.errno == .noEntry {
                guard let parent = path.parent, let name = FileName(path.lastComponent) else { throw error }
                try intake.making.make(name, in: try Directory.open(path: parent.bytes), at: parent)
            } catch  where error.errno == .notDirectory && mayBeDocument {
                // What stands there is a document: it is filed, and makes room.
                if let parent = path.parent { _ = try Directory.open(path: parent.bytes) }
            }
        } catch {
            throw .folder(path, error)
        }
    }

    /// Begins: finds out what an interrupted run came to, and takes up the Inboxes.
    public func begin(at moment: Moment) {
        intake.adopt(configuration.inboxes, at: moment)
        beginFiling(at: moment)
        intake.proceed(at: moment)
    }

    private func beginFiling(at moment: Moment) {
        guard filing == nil, let state else { return }
        do throws(SyscallError) {
            let history = try History(in: state.directory, maxSize: configuration.history.maxSize)
            let journal = try Journal(in: state.directory)
            let copies = try CopyJournal(in: state.directory)
            // A synced journal is worth nothing while its name is not on the disk.
            try state.directory.directory.sync()
            let unresolved = try UnresolvedIntents(in: state.directory)
            let recovery = PendingRecovery(unresolved, copies, history, intake)
            try recovery.begin(journal, detector, at: moment)
            let places = Places(documents: configuration.documents)
            let copying = Copying(
                intake: intake, places: places, history: history, journal: copies, worker: copier)
            filing = Filing(
                intake: intake, places: places, history: history, journal: journal, unresolved: unresolved,
                recovery: recovery, detector: detector, worker: worker, copying: copying)
            self.recovery = recovery
            stateFailures = 0
            nextStateTry = .never
            intake.end(.state)
        } catch {
            stateFailed(state.path, error, at: moment)
        }
    }

    private func stateFailed(_ path: BytePath, _ error: SyscallError, at moment: Moment) {
        stateFailures += 1
        nextStateTry = moment.now + Settling.backOff(failures: stateFailures, ceiling: .seconds(60))
        intake.begin(.state, "cannot use the state folder \(path), so nothing is filed: \(error)")
    }

    /// Puts another configuration in force, with a detector that knows its types.
    public func adopt(_ configuration: Configuration, detector: Detector, at moment: Moment) {
        self.configuration = configuration
        self.detector = detector
        intake.events.adopt(limit: configuration.control.eventBuffer)
        acceptDestinations(at: moment)
        intake.adopt(configuration.inboxes, at: moment)
    }

    /// Whatever stands where documents go is what is meant from now on.
    func acceptDestinations(at moment: Moment) {
        filing?.adopt(documents: configuration.documents, detector: detector)
        recovery?.accept(detector, isCopying: isCopying, at: moment)
    }

    /// The mounts are these now: a place may have gone, or have come back.
    public func takeMounts(_ table: MountTable, at moment: Moment) {
        recovery?.lookAgain(at: moment)
        let isConcerned = intake.takeMounts(table, at: moment, beside: configuration.documents)
        guard isConcerned else { return }
        filing?.verifyPlaces()
        // What failed or was held for want of a place has a reason no longer, or another one.
        intake.tryAgain(at: moment)
    }

    /// Does everything that is due.
    public func proceed(at moment: Moment) throws(StartFailure) {
        if nextStateTry <= moment.now {
            nextStateTry = .never
            try takeState(at: moment)
            beginFiling(at: moment)
        }
        recovery?.proceed(detector, isCopying: isCopying, at: moment)
        intake.proceed(at: moment)
        filing?.proceed(at: moment)
    }

    private var isCopying: Bool { filing.map { !$0.isBetweenCopies } ?? false }

    /// Takes what the workers have finished.
    public func takeFinished(at moment: Moment) throws(SyscallError) {
        for outcome in try worker.finished() { filing?.take(outcome, at: moment) }
        for report in try copier.finished() {
            filing?.take(report, at: moment)
            recovery?.copyEnded(detector, at: moment)
        }
    }

    /// When something is to be done by itself.
    public var nextDeadline: Instant {
        var next = min(intake.nextDeadline, nextStateTry, filing?.nextDeadline ?? .never, recovery?.nextTry ?? .never)
        // What is ready waits for the filing, not the other way round.
        if filing?.hasRoom == true, filing?.nextDeadline == .never { next = Instant(nanoseconds: 0) }
        return next
    }

    /// Whether all that can be done without waiting for others is done: what `--once` waits for.
    public var isDone: Bool {
        // Without its state folder nothing is filed: the next try is back-off, which is not waited for.
        guard let filing else { return !intake.isReading }
        if filing.isStuck { return !intake.isReading }
        return !intake.isReading && !intake.hasReady && !intake.hasCopies && filing.isIdle
            && intake.isWaitingForOthersOnly
    }
}
