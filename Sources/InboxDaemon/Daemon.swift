import InboxConfiguration
import InboxCore
import InboxDetection
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// Why the daemon could not begin, or had to end.
package enum DaemonError: Error {
    /// The work cannot begin.
    case start(StartFailure)
    /// The control socket is not available.
    case socket(ControlSocketError)
    /// The interface's own text is malformed: a defect of the build.
    case interface(InterfaceSyntaxError)
    /// The own types of the configuration cannot be declared.
    case types(UTTypeDeclarationError)
    /// The kernel denies something that the loop cannot do without.
    case kernel(SyscallError)
}

/// What a daemon leaves undone.
package struct Remainder {
    /// What waits or is held.
    package let arrivals: [Arrival]
    /// What kept it from looking everywhere, in words.
    package let problems: [String]
}

/// The daemon: joins the kernel's events, the work and the control socket on one thread.
package final class Daemon {
    private let log: Log
    private let loop: EventLoop
    private let signals: SignalReader
    /// Nil where there is no instance free: everything is polled then.
    private let inotify: Inotify?
    private let mounts: FileDescriptor
    private let work: InboxWork
    private let isOnce: Bool
    private let load: () -> LoadedConfiguration
    private let access: AccessControl
    private let historyReader: HistoryReader
    private let deliveries: Deliveries
    private let contents: ContentWatch
    private var control: ControlServer?
    private var notifier = ServiceNotifier()
    private var failure: DaemonError?
    private var isEnding = false
    /// Whether the control socket waits for the state folder.
    private var isWithoutControl = false

    /// Prepares everything without touching a document.
    /// - Parameters:
    ///   - configuration: what is in force first.
    ///   - once: ends when all is filed that does not wait for others; no control socket then.
    ///   - log: where lines go.
    ///   - load: reads the configuration again, for SIGHUP.
    package init(
        _ configuration: Configuration, once: Bool, log: Log, load: @escaping () -> LoadedConfiguration
    ) throws(DaemonError) {
        let detector: Detector
        do throws(UTTypeDeclarationError) {
            detector = try configuration.ownTypes.declare(places: .ofThisProcess)
        } catch {
            throw .types(error)
        }
        do throws(SyscallError) {
            self.log = log
            self.load = load
            isOnce = once
            // First: the threads that are started later inherit the blocked signals.
            signals = try SignalReader()
            try Process.raiseDescriptorLimit(to: 4096)
            loop = try EventLoop()
            access = AccessControl(configuration.control, log: log)
            historyReader = try HistoryReader()
            deliveries = Deliveries(loop: loop)
            var withoutEvents: SyscallError?
            do throws(SyscallError) {
                inotify = try Inotify()
            } catch  where error.errno.isWantOfDescriptors {
                inotify = nil
                withoutEvents = error
            }
            mounts = try FileDescriptor.reading(path: Array("/proc/self/mountinfo".utf8))
            work = try InboxWork(configuration, inotify: inotify, detector: detector) { happening in
                log.write(LogEntry(happening))
            }
            if let withoutEvents { work.intake.noteWithoutEvents(withoutEvents) }
            contents = ContentWatch(work, loop: loop)
        } catch {
            throw .kernel(error)
        }
    }

    /// Works until a signal asks for the end (or, once, until all is filed); returns what is left then.
    package func run() throws(DaemonError) -> Remainder {
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
        if !isOnce { try takeControl() }
        awaitMounts()
        do throws(StartFailure) {
            try work.prepareFolders()
        } catch {
            try closeControl()
            throw .start(error)
        }
        do throws(SyscallError) {
            try register()
            work.begin(at: .current())
            notifier.ready()
            log.write(.notice, "watching \(work.configuration.inboxes.map { "\($0.path)" }.joined(separator: ", "))")
            log.isGathering = true
            defer {
                log.isGathering = false
                log.flush()
            }
            while !isFinished { try turn() }
        } catch {
            throw .kernel(error)
        }
        notifier.stopping()
        try closeControl()
        if let failure { throw failure }
        return Remainder(
            arrivals: work.intake.arrivals().filter { $0.state != .ignored }, problems: work.intake.problems.all)
    }

    private var isFinished: Bool {
        let isIdle = work.isAtRest
        if failure != nil { return true }
        return isEnding ? isIdle : isOnce && work.isDone
    }

    /// Listens for those who ask. Where the state folder cannot be written, which is served as a problem, the socket's
    /// own may be in the same plight: it is made when the state folder can be used.
    private func takeControl() throws(DaemonError) {
        do throws(DaemonError) {
            control = try listen()
            isWithoutControl = false
            work.noteControl(nil)
        } catch {
            guard case .socket(.failed(let path, let error)) = error, isWithoutControl || !work.holdsState else {
                throw error
            }
            isWithoutControl = !work.holdsState
            work.noteControl("cannot listen at \(path), so nobody can ask how things are: \(error.errno)")
        }
    }

    private func listen() throws(DaemonError) -> ControlServer {
        let settings = work.configuration.control
        let socket: ControlSocket
        do throws(ControlSocketError) {
            socket = try ControlSocket.open(at: work.configuration.socket, mode: settings.socketMode)
        } catch {
            throw .socket(error)
        }
        if let remark = socket.remark { log.write(.notice, remark) }
        let service: Service
        do throws(InterfaceSyntaxError) {
            let reports = StatusReports(
                work: work, access: access, historyReader: historyReader, deliveries: deliveries,
                contents: contents
            ) { [unowned self] in reload() }
            service = try .inbox(reports, information: .inboxd)
        } catch {
            throw .interface(error)
        }
        do throws(SyscallError) {
            return try ControlServer(socket, settings: settings, service: service, log: log, loop: loop)
        } catch {
            throw .kernel(error)
        }
    }

    private func closeControl() throws(DaemonError) {
        do throws(SyscallError) { try control?.close() } catch { throw .kernel(error) }
        control = nil
    }

    private func register() throws(SyscallError) {
        _ = try loop.add(signals.descriptor, for: .readable) { [unowned self] _ in takeSignals() }
        if let inotify { _ = try loop.add(inotify.descriptor, for: .readable) { [unowned self] _ in takeEvents() } }
        takeMounts()
        _ = try loop.add(mounts, for: .priority) { [unowned self] _ in takeMounts() }
        try work.withBells { (bell) throws(SyscallError) in
            _ = try loop.add(bell, for: .readable) { [unowned self] _ in takeFinished() }
        }
        _ = try loop.add(historyReader.worker.bell.descriptor, for: .readable) { [unowned self] _ in takeHistory() }
        try work.withRootWatch { (events) throws(SyscallError) in
            _ = try loop.add(events, for: .readable) { [unowned self] _ in takeRootEvents() }
        }
    }

    private func turn() throws(SyscallError) {
        let moment = Moment.current()
        do throws(StartFailure) {
            if !isEnding { try work.proceed(at: moment) }
        } catch {
            failure = .start(error)
            return
        }
        if isWithoutControl, work.holdsState {
            do throws(DaemonError) { try takeControl() } catch {
                failure = error
                return
            }
        }
        assert(work.intake.isConsistent, "the accounting does not balance: \(work.intake.accounting)")
        contents.proceed(at: moment.now)
        control?.tellWaiting(upTo: work.intake.events.last)
        control?.dropIdle(at: moment.now)
        tellStatus()
        work.intake.rest()
        notifier.beat(at: moment.now)
        log.flush()
        let deadline =
            isEnding ? .never : min(work.nextDeadline, control?.nextDeadline ?? .never, contents.nextDeadline)
        let next = min(deadline, notifier.nextBeat)
        guard !isFinished else { return }
        if moment.now < next { work.filing?.awaitBatch(at: .current()) }
        try loop.turn(until: next)
    }

    private func takeEvents() {
        do throws(SyscallError) {
            let moment = Moment.current()
            _ = try inotify?.read { work.intake.note($0, at: moment) }
        } catch {
            log.write(.error, "cannot read the kernel's events: \(error): everything is scanned again")
            work.intake.requestFullScan(at: .current())
        }
    }

    /// Before anything is touched: a mount whose server hangs must not keep the daemon from its start.
    private func awaitMounts() {
        do throws(SyscallError) {
            let table = MountTable(try mounts.contents(limit: 16 << 20))
            work.awaitMounts(table, isPatient: isOnce, at: .current())
        } catch {
            log.write(.error, "cannot read the table of mounts: \(error): each counts as one that answers")
        }
    }

    private func takeMounts() {
        let moment = Moment.current()
        do throws(SyscallError) {
            work.takeMounts(MountTable(try mounts.contents(limit: 16 << 20)), at: moment)
        } catch {
            log.write(.error, "cannot read the table of mounts: \(error): everything is scanned again")
            work.intake.requestFullScan(at: moment)
        }
    }

    private func takeRootEvents() {
        do throws(SyscallError) { try work.takeRootEvents(at: .current()) } catch { failure = .kernel(error) }
    }

    private func takeFinished() {
        do throws(SyscallError) { try work.takeFinished(at: .current()) } catch { failure = .kernel(error) }
    }

    private func takeHistory() {
        do throws(SyscallError) { try historyReader.takeFinished() } catch { failure = .kernel(error) }
    }

    private func takeSignals() {
        do throws(SyscallError) {
            while let signal = try signals.next() {
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
        let loaded = load()
        for notice in loaded.notices { log.write(.notice, "\(notice)") }
        let moment = Moment.current()
        defer { work.intake.requestFullScan(at: moment) }
        guard let configuration = loaded.configuration else { return refuse(loaded.problems.map { "\($0)" }) }
        let former = work.configuration
        var notices = loaded.notices.map { "\($0)" }
        if configuration.socket != former.socket || configuration.stateFolder != former.stateFolder {
            notices.append("another socket or state folder counts from the next start on")
            log.write(.notice, notices[notices.count - 1])
        }
        do throws(UTTypeDeclarationError) { try adopt(configuration, at: moment) } catch { return refuse(["\(error)"]) }
        return .inForce(
            ReloadReport(
                changed: configuration != former, files: loaded.files.map(\.escapedText), notices: notices))
    }

    private func adopt(_ configuration: Configuration, at moment: Moment) throws(UTTypeDeclarationError) {
        let detector = try configuration.ownTypes.declare(places: .ofThisProcess)
        work.adopt(configuration, detector: detector, at: moment)
        work.noteConfiguration(nil)
        access.adopt(configuration.control)
        control?.adopt(configuration.control)
        log.write(LogEntry(.reloaded, .notice, "reloaded the configuration"))
    }

    private func refuse(_ reasons: [String]) -> ReloadOutcome {
        for reason in reasons { log.write(LogEntry(.reloadFailed, .error, reason)) }
        work.noteConfiguration(
            "the configuration is broken, so the former one stays in force until a reload succeeds"
                + (reasons.first.map { ": \($0)" } ?? ""))
        return .broken(reasons)
    }

    private func tellStatus() {
        let sum = work.intake.accounting
        let state =
            work.intake.problems.isEmpty
            ? work.isPaused ? "paused" : "watching" : "degraded: \(work.intake.problems.all[0])"
        notifier.tell("\(sum.filed) filed, \(sum.waiting) waiting, \(sum.held) held; \(state)")
    }
}
