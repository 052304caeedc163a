import Glibc
import InboxCore
import InboxLinux
import InboxVarlink

@testable import inboxctl

/// What one run of the program gave.
struct Run: Equatable {
    var status: Int32
    var output: String
    var errors: String
}

/// 2026-11-20T22:51:07Z
let someMoment = Timestamp(seconds: 1_795_215_067, nanoseconds: 0)

/// Runs a command line within the test, on a terminal of a size or on none; output that takes so many writes.
func inboxctl(
    _ words: [String], environment: [String: String] = [:], size: (Int, Int)? = nil, writes: Int = .max
) -> Run {
    inboxctl(bytes: words.map { Array($0.utf8) }, environment: environment, size: size, writes: writes)
}

func inboxctl(
    bytes words: [[UInt8]], environment: [String: String] = [:], size: (Int, Int)? = nil, writes: Int = .max
) -> Run {
    var variables: [[UInt8]: [UInt8]] = [:]
    for (name, value) in environment { variables[Array(name.utf8)] = Array(value.utf8) }
    var run = Run(status: 0, output: "", errors: "")
    let surroundings = Surroundings(
        environment: ConfigurationEnvironment(userID: 1000, variables: variables), now: { someMoment },
        pause: { _ in }, files: .disk, database: .none, output: 1, complain: { run.errors += $0 })
    let screen = Screen(
        size: size.map { (width: $0.0, height: $0.1) }, noColor: surroundings.variable("NO_COLOR"),
        term: surroundings.variable("TERM"))
    var written: [UInt8] = []
    var writesLeft = writes
    let output = Output(screen: screen) { bytes throws(SyscallError) in
        guard writesLeft > 0 else { throw SyscallError(.write, Errno(rawValue: EPIPE)) }
        writesLeft -= 1
        written += bytes
    }
    do throws(CommandFailure) {
        run.status = try Command.run(words, surroundings: surroundings, output: output).rawValue
    } catch {
        run.status = error.status.rawValue
        run.errors += "inboxctl: \(error.message)\n"
    }
    do throws(CommandFailure) {
        try output.flush()
    } catch {
        run.errors += error.message
    }
    run.output = String(decoding: written, as: UTF8.self)
    return run
}

/// A daemon that answers with what the test gives it.
struct FixedInbox: InboxService, Sendable {
    var report: StatusReport
    var listed: [ArrivalReport] = []
    var happened: [EventReport] = []
    var explained: [String: ExplanationReport] = [:]

    func status() -> StatusReport { report }

    func retry(_ path: String?) throws(ServiceError) {
        if let path, explained[path] == nil { throw .unreachablePath(path: path, reason: "elsewhere") }
    }

    func explain(_ path: String) throws(ServiceError) -> ExplanationReport {
        guard let report = explained[path] else {
            throw .unreachablePath(path: path, reason: "it lies neither in an Inbox nor in Documents")
        }
        return report
    }

    func arrivals(_ state: ArrivalReport.State?) -> AnyIterator<ArrivalReport> {
        AnyIterator(listed.lazy.filter { state == nil || $0.state == state }.makeIterator())
    }

    func events(since number: Int64?, boot: String?) throws(ServiceError) -> () -> EventReport? {
        var rest = happened.drop { $0.number <= number ?? 0 }
        return { rest.popFirst() }
    }
}

/// A daemon's socket, served by a thread, one client after the other.
final class StandIn: @unchecked Sendable {
    let path: String
    private let folder: String
    private let listener: UnixListener
    private let stopping: Bell
    private var thread: Worker<FixedInbox, Bool>?

    init(_ inbox: FixedInbox) throws {
        var name = Array("/tmp/inboxd-control-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw SyscallError(.mkdirat, Errno(rawValue: errno)) }
        folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = folder + "/io.inboxd.Inbox"
        listener = try UnixListener(path: Array(path.utf8), mode: 0o600)
        stopping = try Bell()
        let thread = try Worker<FixedInbox, Bool> { [unowned self] inbox in
            do {
                try run(inbox)
                return true
            } catch {
                return false
            }
        }
        try thread.begin(inbox)
        self.thread = thread
    }

    /// Ends the thread and removes the socket; answers whether the thread ran without an error.
    func stop() throws -> Bool {
        try stopping.ring()
        var outcomes: [Bool] = []
        while outcomes.isEmpty {
            outcomes = try thread?.finished() ?? [false]
            sched_yield()
        }
        try thread?.end()
        unlink(path)
        rmdir(folder)
        return outcomes == [true]
    }

    private func run(_ inbox: FixedInbox) throws {
        let service = try Service.inbox(inbox, information: .inboxd, mayChange: true)
        var epoll = try Epoll()
        let end = try epoll.add(stopping.descriptor, for: .readable)
        _ = try epoll.add(listener.descriptor, for: .readable)
        var current: (connection: ServerConnection, token: Epoll.Token)?
        while true {
            var isOver = false
            try epoll.wait(blocking: true) { token, _ in if token == end { isOver = true } }
            if isOver { return }
            if current == nil, let socket = try listener.accept() {
                let connection = ServerConnection(socket)
                current = (connection, try epoll.add(connection.socket.descriptor, for: connection.interest))
            }
            guard let (connection, token) = current else { continue }
            connection.serve(with: service)
            if connection.isFinished {
                current = nil
            } else {
                try epoll.change(connection.socket.descriptor, token, to: connection.interest)
            }
        }
    }
}

extension StatusReport {
    /// A quiet daemon's.
    static var quiet: StatusReport {
        StatusReport(
            version: "1.2.3", pid: 4711, since: "2026-11-20T20:51:07.042Z", paused: false, state: .watching,
            problems: [], documents: "/home/ann/Documents",
            inboxes: [.init(path: "/home/ann/Documents/Inbox", watching: .inotify, folders: 1)], counters: .init())
    }
}
