import InboxCore
import InboxDetection
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// Why the daemon could not begin, or had to end.
public enum DaemonError: Error {
    /// The work cannot begin.
    case start(StartFailure)
    /// The control socket cannot be had.
    case socket(ControlSocketError)
    /// The interface's own text is malformed: a defect of the build.
    case interface(InterfaceSyntaxError)
    /// The own types of the configuration cannot be declared.
    case types(UTTypeDeclarationError)
    /// The kernel denies something that the loop cannot do without.
    case kernel(SyscallError)
}

/// What a daemon leaves undone.
public struct Remainder {
    /// What waits or is held.
    public let arrivals: [Arrival]
    /// What kept it from looking everywhere, in words.
    public let problems: [String]
}

/// The daemon: joins the kernel's events, the work and the control socket on one thread.
public final class Daemon {
    private let log: Log
    private let loop: EventLoop
    private let signals: SignalReader
    private let inotify: Inotify
    private let mounts: FileDescriptor
    private let work: InboxWork
    private let isOnce: Bool
    private let load: () -> LoadedConfiguration
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
    public init(
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
            inotify = try Inotify()
            mounts = try FileDescriptor.reading(path: Array("/proc/self/mountinfo".utf8))
            work = try InboxWork(configuration, inotify: inotify, detector: detector) { happening in
                log.write(LogEntry(happening))
            }
        } catch {
            throw .kernel(error)
        }
    }

    /// Works until a signal asks for the end (or, once, until all is filed); answers what is left then.
    public func run() throws(DaemonError) -> Remainder {
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
        let isIdle = work.filing?.isIdle != false
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
        let services: (changing: Service, reading: Service)
        do throws(InterfaceSyntaxError) {
            let reports = StatusReports(work)
            services = (
                changing: try .inbox(reports, information: .inboxd, mayChange: true),
                reading: try .inbox(reports, information: .inboxd, mayChange: false)
            )
        } catch {
            throw .interface(error)
        }
        do throws(SyscallError) {
            return try ControlServer(socket, settings: settings, services: services, loop: loop)
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
        _ = try loop.add(inotify.descriptor, for: .readable) { [unowned self] _ in takeEvents() }
        takeMounts()
        _ = try loop.add(mounts, for: .priority) { [unowned self] _ in takeMounts() }
        try work.withBells { (bell) throws(SyscallError) in
            _ = try loop.add(bell, for: .readable) { [unowned self] _ in takeFinished() }
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
        control?.tellFollowers(upTo: work.intake.events.last)
        tellStatus()
        work.intake.rest()
        if !isFinished { try loop.turn(until: isEnding ? .never : work.nextDeadline) }
    }

    private func takeEvents() {
        do throws(SyscallError) {
            let moment = Moment.current()
            _ = try inotify.read { work.intake.note($0, at: moment) }
        } catch {
            log.write(.error, "cannot read the kernel's events: \(error): everything is looked at again")
            work.intake.requestFullScan(at: .current())
        }
    }

    private func takeMounts() {
        let moment = Moment.current()
        do throws(SyscallError) {
            work.takeMounts(MountTable(try mounts.contents(limit: 16 << 20)), at: moment)
        } catch {
            log.write(.error, "cannot read the table of mounts: \(error): everything is looked at again")
            work.intake.requestFullScan(at: moment)
        }
    }

    private func takeFinished() {
        do throws(SyscallError) { try work.takeFinished(at: .current()) } catch { failure = .kernel(error) }
    }

    private func takeSignals() {
        do throws(SyscallError) {
            while let signal = try signals.next() {
                switch signal {
                case .terminate: end()
                case .reload: reload()
                case .leaseBreak: break
                }
            }
        } catch {
            failure = .kernel(error)
        }
    }

    private func end() {
        isEnding = true
        work.filing?.isEnding = true
    }

    /// Reads the configuration again; a broken one is reported, and the one before stays in force.
    private func reload() {
        notifier.reloading()
        defer { notifier.ready() }
        let loaded = load()
        for problem in loaded.problems { log.write(.error, "\(problem)") }
        for notice in loaded.notices { log.write(.notice, "\(notice)") }
        let moment = Moment.current()
        if let configuration = loaded.configuration {
            if configuration.socket != work.configuration.socket
                || configuration.stateFolder != work.configuration.stateFolder
            {
                log.write(.notice, "another socket or state folder counts from the next start on")
            }
            adopt(configuration, at: moment)
        } else {
            log.write(.error, "the configuration is broken: the one before stays in force")
        }
        work.intake.requestFullScan(at: moment)
    }

    private func adopt(_ configuration: Configuration, at moment: Moment) {
        do throws(UTTypeDeclarationError) {
            let detector = try configuration.ownTypes.declare(places: .ofThisProcess)
            work.adopt(configuration, detector: detector, at: moment)
            log.write(.notice, "reloaded the configuration")
        } catch {
            log.write(.error, "\(error): the configuration before stays in force")
        }
    }

    private func tellStatus() {
        let sum = work.intake.accounting
        let state = work.intake.problems.isEmpty ? "watching" : "degraded: \(work.intake.problems.all[0])"
        notifier.tell("\(sum.filed) filed, \(sum.waiting) waiting, \(sum.held) held; \(state)")
    }
}
