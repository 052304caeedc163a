import InboxLinux
import InboxVarlink

/// A daemon that was started and answers.
final class RunningDaemon {
    let stage: DaemonStage
    private let child: Child
    private var client: Client

    /// Starts it, and returns when it answers.
    init(_ stage: DaemonStage, under tracer: [String] = []) throws {
        self.stage = stage
        let child = try stage.start(under: tracer)
        var connected: Client?
        try eventually("an answer of inboxd", every: 500) {
            guard !child.hasEnded else { throw BenchmarkFailure("inboxd has ended: \(try child.end())") }
            do throws(ClientError) {
                connected = try Client(path: BytePath(stage.socket), timeout: .seconds(60))
                return true
            } catch {
                return false
            }
        }
        guard let client = connected.take() else { throw BenchmarkFailure("inboxd does not answer") }
        self.client = client
        self.child = child
    }

    /// The daemon's own number, not its tracer's.
    func process() throws -> Int32 {
        guard let number = try status()["pid"]?.integer else { throw BenchmarkFailure("no number of the process") }
        return Int32(clamping: number)
    }

    /// Returns the daemon's answer to `GetStatus`.
    func status() throws -> [String: JSONValue] { try client.call("io.inboxd.Inbox.GetStatus") }

    /// One of the numbers of guarantee 6.
    func counter(_ name: String) throws -> Int {
        guard let count = try status()["counters"]?[name]?.integer else { throw BenchmarkFailure("no counter \(name)") }
        return Int(count)
    }

    /// Returns the number of folders that it has seen in its Inbox.
    func folders() throws -> Int {
        guard case .array(let inboxes)? = try status()["inboxes"], let count = inboxes.first?["folders"]?.integer else {
            throw BenchmarkFailure("no number of folders")
        }
        return Int(count)
    }

    /// Waits until so many documents are filed.
    func awaitFiled(_ count: Int) throws {
        try eventually("filing \(count) documents", every: 5_000) { try counter("filed") >= count }
    }

    /// Ends it.
    func stop() throws { try child.stop(by: try process()) }
}
