import Glibc
import InboxConfiguration
import InboxFiling
import InboxLinux
import InboxTestSupport
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
    _ words: [String], environment: [String: String] = [:], size: (Int, Int)? = nil, writes: Int = .max,
    resizes: [(Int, Int)] = [], userID: UInt32 = 1000, units: Set<String> = [],
    writers: [String: [WritingProcess]] = [:], gone: Set<String> = []
) -> Run {
    inboxctl(
        bytes: words.map { Array($0.utf8) }, environment: environment, size: size, writes: writes, resizes: resizes,
        userID: userID, units: units, writers: writers, gone: gone)
}

func inboxctl(
    bytes words: [[UInt8]], environment: [String: String] = [:], size: (Int, Int)? = nil, writes: Int = .max,
    resizes: [(Int, Int)] = [], userID: UInt32 = 1000, units: Set<String> = [],
    writers: [String: [WritingProcess]] = [:], gone: Set<String> = []
) -> Run {
    var variables: EnvironmentVariables = [:]
    for (name, value) in environment { variables[Array(name.utf8)] = Array(value.utf8) }
    var run = Run(status: 0, output: "", errors: "")
    // Each reading of the clock is a second after the one before.
    var seconds: Int64 = 0
    let clock = { () -> Instant in
        seconds += 1
        return Instant(nanoseconds: seconds * 1_000_000_000)
    }
    // The size at each reading of the terminal; the last one stays.
    var sizes = (size.map { [$0] + resizes } ?? []).map { (width: $0.0, height: $0.1) }
    let surroundings = Surroundings(
        environment: ConfigurationEnvironment(
            userID: userID, variables: variables,
            workingDirectory: Process.workingDirectory.flatMap(BytePath.init(bytes:))),
        now: { someMoment }, clock: clock,
        pause: { _ in }, terminalSize: { sizes.count > 1 ? sizes.removeFirst() : sizes.first }, files: .disk,
        database: .none,
        output: 1, complain: { run.errors += $0 }, exists: { units.contains($0.description) },
        isGone: { gone.contains($0.description) },
        writers: { paths in
            paths.reduce(into: [:]) { found, path in found[path] = writers[path.escapedText] }
        })
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
    /// The answer for every file that is passed; nil for a daemon of a version that takes none.
    var dropped: ExplanationReport?
    /// How many events a follower gets before the daemon hangs up, as at its end.
    var eventsPerConnection: Int?

    func status(for caller: UnixSocket.Peer) -> StatusReport { report }

    /// What the history has; nil for a daemon that cannot read it.
    var records: [InboxVarlink.JSONValue]? = []
    var isPermitted = true
    /// The problems of the configuration on disk.
    var problems: [String] = []

    func permits(_ right: Right, to method: String, _ caller: UnixSocket.Peer) -> Bool { isPermitted }

    func retryHandler(_ id: String, for caller: UnixSocket.Peer) -> () -> RetryOutcome? {
        { .retried(RetryReport(arrivals: 0, handlers: 1)) }
    }

    func retry(_ path: String?) throws(ServiceError) -> () -> RetryOutcome? {
        if let path, explained[path] == nil { throw .unreachablePath(path: path, reason: "elsewhere") }
        return { .retried(RetryReport(arrivals: path == nil ? 12 : path?.hasSuffix("/filed") == true ? 0 : 1)) }
    }

    func undo(_ id: String, for caller: UnixSocket.Peer) -> () -> UndoOutcome? {
        guard id == "0123456789abcdef" else {
            return { .refused(.notUndone(id: id, reason: "unknown", detail: "there is no such document")) }
        }
        return { .undone(path: "/d/Inbox/caf\\xe9.txt") }
    }

    func pause() -> PauseReport { PauseReport(changed: true, waiting: 1200) }

    func resume() -> ResumeReport { ResumeReport(changed: true, ready: 1) }

    func rescan() -> () -> RescanReport? { { RescanReport(folders: 3, arrivals: 1, complete: true) } }

    func reload() throws(ServiceError) -> ReloadReport {
        guard problems.isEmpty else { throw .brokenConfiguration(problems) }
        return ReloadReport(
            changed: true, files: ["/etc/inboxd/caf\\xe9.conf"], notices: ["a notice"],
            inboxes: ["/d/In\\xe9"])
    }

    /// The configuration in force, as a file.
    var configured = "[Inbox]\nSettle=1s\n"

    func configuration() -> String { configured }

    func metrics() -> String { "# EOF\n" }

    func history(_ call: HistoryCall, for caller: UnixSocket.Peer) -> () -> HistoryPart {
        guard let records else { return { .failed(.unreadableHistory(reason: "the disk is broken")) } }
        var rest = Array(records.suffix(call.limit ?? .max))
        return { rest.isEmpty ? .end : .record(rest.removeFirst()) }
    }

    /// The folder that deliveries end in.
    var delivered = "/d/Inbox/"
    /// Which file the next delivery is, as the daemon says it.
    var file: [String]?
    /// How many bytes each delivery has copied when it is asked, one number after the other.
    var copied: [Int64] = []

    func put(_ delivery: PutCall, from caller: UnixSocket.Peer) throws(ServiceError) -> () -> PutNews? {
        var rest = copied[...]
        return {
            if let count = rest.popFirst() { return .copied(count) }
            return .delivered(path: delivered + delivery.name.escapedText, file: file)
        }
    }

    func explain(_ call: ExplainCall, for caller: UnixSocket.Peer) throws(ServiceError) -> () -> ExplainOutcome? {
        guard case .path(let path) = call else {
            guard let dropped else { throw .invalidParameter("fd") }
            return { .explained(dropped) }
        }
        guard let report = explained[path] else {
            throw .unreachablePath(path: path, reason: "it lies neither in an Inbox nor in Documents")
        }
        return { .explained(report) }
    }

    func arrivals(_ state: ArrivalReport.State?, for caller: UnixSocket.Peer) -> AnyIterator<ArrivalReport?> {
        AnyIterator(listed.lazy.filter { state == nil || $0.state == state }.map(Optional.some).makeIterator())
    }

    func events(
        since number: Int64?, boot: String?, for caller: UnixSocket.Peer
    ) throws(ServiceError) -> () -> EventNews {
        var rest = happened.drop { $0.number <= number ?? 0 }.prefix(eventsPerConnection ?? .max)
        return { rest.popFirst().map { .event($0) } ?? .notYet }
    }
}

/// A daemon's socket, served by a thread, one client after the other.
final class StandIn: @unchecked Sendable {
    let path: String
    private let folder: String
    private let listener: UnixListener
    private var thread: ServingThread?

    init(_ inbox: FixedInbox) throws {
        folder = try TestRun.current.makeFolder().description
        path = folder + "/io.inboxd.Inbox"
        guard let address = SocketAddress(BytePath(path)) else { throw ClientError.noAddress }
        listener = try UnixListener(at: address, mode: 0o600)
        thread = try ServingThread { [unowned self] stopping in try run(inbox, until: stopping) }
    }

    /// Ends the thread and removes the socket; returns whether the thread ran without an error.
    func stop() throws -> Bool {
        let isWhole = try thread?.stop() ?? false
        unlink(path)
        rmdir(folder)
        return isWhole
    }

    private func run(_ inbox: FixedInbox, until stopping: borrowing FileDescriptor) throws {
        let service = try Service.inbox(inbox, information: .inboxd)
        var epoll = try Epoll()
        let end = try epoll.add(stopping, for: .readable)
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
            // A turn may end before all is sent.
            let isReported = connection.isFollowing && !connection.interest.contains(.writable)
            if connection.isFinished || isReported && inbox.eventsPerConnection != nil {
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
