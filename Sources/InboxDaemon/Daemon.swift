import InboxConfiguration
import InboxCore
import InboxDetection
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// The work that a daemon leaves undone.
package struct Remainder {
    /// The arrivals that are waiting or held; none where the daemon did not run once.
    package let arrivals: [Arrival]
    /// The problems, in words, that kept the daemon from inspecting everything.
    package let problems: [String]
    /// Handlers have still to run, or to be tried again.
    package let hasHandlers: Bool
}

/// The daemon: joins the kernel's events, the work and the control socket on one thread.
package final class Daemon {
    private let log: Log
    private let loop: EventLoop
    private let kernel: KernelSources
    private let work: InboxWork
    private let control: ControlDesk
    /// The queues of events, of the Inboxes and of the paths to the roots.
    private var queues: (inboxes: EventQueue?, roots: EventQueue?)
    private var source: ConfigurationSource
    private var notifier = ServiceNotifier()
    /// It ends when all is filed that does not wait for others.
    private let isOnce: Bool
    /// A signal has asked for the end: nothing begins any more.
    private var isEnding = false
    /// The error that ends the daemon; nil if there is none.
    private var failure: DaemonError?

    /// Prepares everything without touching a document.
    /// - Parameters:
    ///   - configuration: what is in force first.
    ///   - once: ends when all is filed that does not wait for others; no control socket then.
    ///   - log: where lines go.
    ///   - source: reads the configuration again, for SIGHUP.
    package init(
        _ configuration: Configuration, once: Bool, log: Log, source: ConfigurationSource
    ) throws(DaemonError) {
        let detector: Detector
        do throws(UTTypeDeclarationError) {
            detector = try configuration.ownTypes.declare(places: .ofThisProcess)
        } catch {
            throw .types(error)
        }
        let mounts = try KernelSources.openMounts()
        do throws(SyscallError) {
            self.log = log
            self.source = source
            isOnce = once
            kernel = try KernelSources(mounts: mounts)
            loop = try EventLoop()
            work = try InboxWork(
                configuration, inotify: kernel.inotify, detector: detector, describe: EventReport.line
            ) { happening in
                log.write(LogEntry(happening))
            }
            work.notices.isImmediate = once
            if let error = kernel.withoutEvents { work.intake.noteWithoutEvents(error) }
            control = ControlDesk(work, loop: loop, log: log)
        } catch {
            throw .kernel(error)
        }
    }

    /// Works until a signal asks for the end (or, once, until all is filed); returns what is left then.
    package func run() throws(DaemonError) -> Remainder {
        let overlaps = source.checkOverlaps(work.configuration, kernel.foreseeableMounts)
        guard overlaps.isEmpty else { throw .configuration(overlaps) }
        if !isOnce, !work.hasStateFolder {
            // Nothing is made for a daemon that cannot begin.
            do throws(ControlSocketError) { try ControlSocket.refuseTaken(work.configuration.socket) } catch {
                throw .socket(error)
            }
        }
        do throws(StartFailure) {
            try work.takeState(at: .current())
        } catch {
            throw .start(error)
        }
        if !isOnce { try openControl() }
        awaitMounts()
        work.recoverFolders()
        do throws(StartFailure) {
            try work.prepareFolders()
        } catch {
            try control.close()
            throw .start(error)
        }
        do throws(SyscallError) {
            try register()
            for problem in source.checkDestinations(work.configuration, kernel.foreseeableMounts) {
                log.write(.warning, "\(problem)")
            }
            work.begin(at: .current())
            notifier.ready()
            log.write(.notice, Self.watching(work.intake.inboxes.filter { $0.watching != .missing }.map(\.path)))
            log.isGathering = true
            defer {
                log.isGathering = false
                log.flush()
            }
            // Whatever has ended the work: nothing that handlers have left runs on without its timeout.
            defer { work.handlers.end() }
            while !isFinished { try turn() }
            // What the last turn has ended: somebody waits to hear of it.
            control.proceed(at: .now())
            work.intake.reportDroppedLines()
        } catch {
            throw .kernel(error)
        }
        notifier.stopping()
        try control.close()
        if let failure { throw failure }
        // Nobody asks a daemon that ran on, and beside a million names the answer would take a gigabyte.
        let groups: [ArrivalState.Group] = isOnce ? [.waiting, .held] : []
        return Remainder(
            arrivals: groups.flatMap { work.intake.arrivals($0) }, problems: work.intake.problems.all,
            hasHandlers: work.handlers.isPending)
    }

    /// Nothing is left to do.
    private var isFinished: Bool {
        if failure != nil { return true }
        return isEnding ? work.isAtRest : isOnce && work.isDone
    }

    private static func watching(_ inboxes: [BytePath]) -> String {
        "watching \(inboxes.isEmpty ? "nothing yet" : inboxes.map { "\($0)" }.joined(separator: ", "))"
    }

    private func openControl() throws(DaemonError) { try control.open { [unowned self] in reload() } }

    private func register() throws(SyscallError) {
        _ = try loop.add(kernel.signals.descriptor, for: .readable) { [unowned self] _ in takeSignals() }
        queues.inboxes = try kernel.inotify.map { (inotify) throws(SyscallError) in
            try EventQueue(inotify, in: loop) { [unowned self] in takeEvents() }
        }
        queues.roots = try work.rootEvents.map { (inotify) throws(SyscallError) in
            try EventQueue(inotify, in: loop) { [unowned self] in takeRootEvents() }
        }
        takeMounts()
        _ = try loop.add(kernel.mounts, for: .priority) { [unowned self] _ in takeMounts() }
        try work.withBells { (bell) throws(SyscallError) in
            _ = try loop.add(bell, for: .readable) { [unowned self] _ in takeFinished() }
        }
    }

    private func turn() throws(SyscallError) {
        let moment = Moment.current()
        queues.inboxes?.retry(at: moment.now)
        queues.roots?.retry(at: moment.now)
        do throws(StartFailure) {
            if isEnding { work.proceedToEnd(at: moment) } else { try work.proceed(at: moment) }
        } catch {
            failure = .start(error)
            return
        }
        if control.isDue {
            do throws(DaemonError) { try openControl() } catch {
                failure = error
                return
            }
        }
        assert(work.intake.isConsistent, "the accounting does not balance: \(work.intake.accounting)")
        control.proceed(at: moment.now)
        reportStatus(at: moment.now)
        work.intake.rest()
        notifier.beat(at: moment.now)
        log.flush()
        let deadline = isEnding ? work.nextDeadlineToEnd : min(work.nextDeadline, control.nextDeadline)
        let retry = min(queues.inboxes?.nextTry ?? .never, queues.roots?.nextTry ?? .never)
        let next = min(deadline, notifier.nextBeat, retry)
        guard !isFinished else { return }
        if moment.now < next { work.filing?.awaitBatch(at: .current()) }
        try loop.turn(until: next)
    }

    private func takeEvents() {
        guard let queue = queues.inboxes else { return }
        let moment = Moment.current()
        let wasDeaf = queue.isDeaf
        do throws(SyscallError) {
            try queue.take { (inotify) throws(SyscallError) in
                if try inotify.read({ work.intake.note($0, at: moment) }) { work.intake.noteEvents(took: inotify.took) }
            }
            if wasDeaf { work.intake.noteHearing(at: moment) }
        } catch {
            // Once may be chance, which nobody need hear of.
            if wasDeaf { work.intake.noteDeaf(error) } else { work.intake.requestFullScan(at: moment) }
        }
    }

    /// Before anything is touched: a mount whose server hangs must not keep the daemon from its start.
    private func awaitMounts() {
        do throws(SyscallError) {
            guard let table = try kernel.mountTable() else {
                return log.write(.error, "there are too many mounts to ask: each counts as one that answers")
            }
            work.awaitMounts(table, isPatient: isOnce, at: .current())
        } catch {
            log.write(.error, "cannot read the table of mounts: \(error): each counts as one that answers")
        }
    }

    private func takeMounts() {
        let moment = Moment.current()
        do throws(SyscallError) {
            if let table = try kernel.mountTable() { return work.takeMounts(table, at: moment) }
            log.write(.error, "there are too many mounts to inspect: everything is scanned again")
        } catch {
            log.write(.error, "cannot read the table of mounts: \(error): everything is scanned again")
        }
        work.intake.requestFullScan(at: moment)
    }

    private func takeRootEvents() {
        let moment = Moment.current()
        do throws(SyscallError) {
            try queues.roots?.take { (_) throws(SyscallError) in try work.takeRootEvents(at: moment) }
        } catch {
            work.inspectRoots(at: moment)
        }
    }

    private func takeFinished() {
        do throws(SyscallError) { try work.takeFinished(at: .current()) } catch { failure = .kernel(error) }
    }

    private func takeSignals() {
        do throws(SyscallError) {
            while let signal = try kernel.signals.next() {
                switch signal {
                case .terminate: end()
                case .reload: _ = reload()
                }
            }
        } catch {
            failure = .kernel(error)
        }
    }

    private func end() {
        isEnding = true
        notifier.stopping()
        work.end()
    }

    /// Reads the configuration again; a broken one is a problem until a good one is read, and the former stays in force.
    private func reload() -> ReloadOutcome {
        notifier.reloading()
        defer { notifier.ready() }
        let loaded = source.load()
        for notice in loaded.notices { log.write(.notice, "\(notice)") }
        let moment = Moment.current()
        defer { work.intake.requestFullScan(at: moment) }
        guard let configuration = loaded.configuration else { return refuse(loaded.problems.map { "\($0)" }) }
        let obstacles = source.check(configuration, kernel.foreseeableMounts)
        guard obstacles.isEmpty else { return refuse(obstacles.map { "\($0)" }) }
        let former = work.configuration
        var notices = loaded.notices.map { "\($0)" }
        if configuration.socket != former.socket || configuration.stateFolder != former.stateFolder {
            notices.append("a changed socket or state folder takes effect at the next start")
            log.write(.notice, notices[notices.count - 1])
        }
        do throws(UTTypeDeclarationError) { try adopt(configuration, at: moment) } catch { return refuse(["\(error)"]) }
        let watched = work.intake.inboxes.filter { $0.watching != .missing }.map(\.path)
        log.write(LogEntry(.reloaded, .notice, "reloaded the configuration: \(Self.watching(watched))"))
        return .inForce(
            ReloadReport(
                changed: configuration != former, files: loaded.files.map(\.escapedText),
                notices: notices + work.intake.problems.all, inboxes: watched.map(\.escapedText)))
    }

    private func adopt(_ configuration: Configuration, at moment: Moment) throws(UTTypeDeclarationError) {
        let detector = try configuration.ownTypes.declare(places: .ofThisProcess)
        work.prepareDocuments(of: configuration, at: moment)
        work.adopt(configuration, detector: detector, at: moment)
        source.refusals = []
        work.noteConfiguration(nil)
        control.adopt(configuration.control)
        // Inboxes that are missing are made here, and taken up in the turn after that.
        for _ in 0..<2 { work.intake.proceed(at: moment) }
    }

    /// Reports each reason once, as long as reload after reload fails for it.
    private func refuse(_ reasons: [String]) -> ReloadOutcome {
        for reason in reasons where !source.refusals.contains(reason) {
            log.write(LogEntry(.reloadFailed, .error, reason))
        }
        source.refusals = reasons
        work.noteConfiguration(
            "the configuration is broken, so the former one stays in force until a reload succeeds"
                + (reasons.first.map { ": \($0)" } ?? ""))
        return .broken(reasons)
    }

    private func reportStatus(at now: Instant) {
        notifier.report(at: now) {
            let sum = work.accounting
            return "\(sum.filed) filed, \(sum.waiting) waiting, \(sum.held) held; \(state)"
        }
    }

    /// The state of the daemon as a whole, in words that anybody on the machine may read with `systemctl status`.
    private var state: String {
        guard let problem = work.intake.problems.firstGrave else { return work.isPaused ? "paused" : "watching" }
        let text = problem.text(
            known: { [work] in work.root(around: $0) ?? $0 }, otherwise: "whose path \"inboxctl status\" shows")
        return "degraded: \(text)"
    }
}
