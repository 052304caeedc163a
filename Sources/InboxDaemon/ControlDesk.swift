import InboxConfiguration
import InboxCore
import InboxLinux
import InboxVarlink

/// Everything behind the control socket: the server once it listens, and the services whose replies take time.
final class ControlDesk {
    /// The phase of the service.
    private enum Phase {
        /// Nobody, since nothing has begun or all has ended.
        case closed
        /// Nobody, until the state folder can be used.
        case awaitingState
        /// Whoever asks.
        case open(ControlServer)
    }

    private let work: InboxWork
    private let loop: EventLoop
    private let log: Log
    private let access: AccessControl
    private let historyReader: HistoryReader
    private let deliveries: Deliveries
    private let inspections: Inspections
    private let contents: ContentWatch
    private var phase = Phase.closed

    /// Serves nobody yet.
    init(_ work: InboxWork, loop: EventLoop, log: Log) {
        self.work = work
        self.loop = loop
        self.log = log
        access = AccessControl(work.configuration.control, log: log)
        historyReader = HistoryReader(in: work.pool)
        deliveries = Deliveries(in: work.pool)
        inspections = Inspections(in: work.pool)
        contents = ContentWatch(work, loop: loop)
    }

    /// Listens for those who ask. Where the state folder cannot be written, which is served as a problem, the socket's
    /// own may be in the same plight: it is made when the state folder can be used.
    /// - Parameter reload: reads the configuration again and puts it in force.
    func open(_ reload: @escaping () -> ReloadOutcome) throws(DaemonError) {
        do throws(DaemonError) {
            phase = .open(try listen(reload))
            work.noteControl(nil)
        } catch {
            guard case .socket(.failed(let path, let failure)) = error, isAwaitingState || !work.holdsState else {
                throw error
            }
            phase = work.holdsState ? .closed : .awaitingState
            work.noteControl("cannot listen at \(path), so nobody can ask how things are: \(failure.errno)")
        }
    }

    private var isAwaitingState: Bool {
        if case .awaitingState = phase { true } else { false }
    }

    /// The desk is waiting for the state folder, which can be used now.
    var isDue: Bool { isAwaitingState && work.holdsState }

    private func listen(_ reload: @escaping () -> ReloadOutcome) throws(DaemonError) -> ControlServer {
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
                inspections: inspections, contents: contents, reloading: reload)
            service = try .inbox(reports, information: .inboxd)
        } catch {
            throw .interface(error)
        }
        do throws(SyscallError) {
            return try ControlServer(socket, service: service, log: log, loop: loop)
        } catch {
            throw .kernel(error)
        }
    }

    /// Ends: clients are cut off.
    func close() throws(DaemonError) {
        do throws(SyscallError) { try server?.close() } catch { throw .kernel(error) }
        phase = .closed
    }

    private var server: ControlServer? {
        if case .open(let server) = phase { server } else { nil }
    }

    /// Puts other limits and rights in force.
    func adopt(_ settings: ControlSettings) {
        access.adopt(settings)
        server?.adopt(settings)
    }

    /// Sends what is new to those who wait for it, cuts off who has been idle for too long, and goes on with the history.
    func proceed(at now: Instant) {
        contents.proceed(at: now)
        if let server {
            server.sendEvents(upTo: work.intake.events.last)
            server.dropIdle(at: now)
        }
        historyReader.proceed(at: now)
    }

    /// When something is to be done by itself.
    var nextDeadline: Instant {
        min(server?.nextDeadline ?? .never, contents.nextDeadline, historyReader.nextDeadline)
    }
}
