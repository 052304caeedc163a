import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@Suite("A flood of ignored names")
struct IgnoredFloodTests {
    /// Bytes that a name may cost. What the rest of the daemon takes differs by some hundred kilobytes from run to run:
    /// among the few names of a short run that is up to 12 bytes each.
    private static let most = Extent.isFull ? Double(64 << 20) / 1_000_000 : 80

    /// The daemon's memory in bytes once it has counted so many ignored names.
    private func memory(_ count: Int) async throws -> Int {
        let stage = try Stage(settings: ["Inbox.Settle=0"], below: FaultStage.folder)
        defer { stage.close() }
        for number in 0..<count { try Disk.put([], at: stage.inbox / TestPath("ignored \(number).part")) }
        try await stage.start()
        try await stage.expectCounters(["ignored": count, "seen": count], within: .seconds(600))
        guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
        let memory = try Self.memory(of: daemon)
        try await expectOthersServed(stage, daemon, memory.resident)
        // Its end takes no more than a few megabytes beside them: a service has a limit of memory.
        let most = try Self.memory(of: daemon).all + (24 << 20)
        let limiting = try await stage.run(
            "/usr/bin/prlimit", [TestPath("--pid=\(daemon.processID)"), TestPath("--as=\(most)")])
        #expect(limiting.exit == .status(0), "\(limiting.errors)")
        #expect(try await stage.end(SIGTERM) == .status(0))
        return memory.resident
    }

    /// How many bytes the daemon has mapped, and how many of them are in memory.
    private static func memory(of daemon: Program) throws -> (all: Int, resident: Int) {
        let fields = Disk.text(TestPath("/proc/\(daemon.processID)/statm")).split(separator: " ").compactMap { Int($0) }
        guard fields.count > 1 else { throw Failure("no statm") }
        return (fields[0] * 4096, fields[1] * 4096)
    }

    /// While clients that read nothing ask for lists of all that, others have their answers and documents are filed. Lists
    /// are made as they are read: those that nobody reads take next to no memory.
    private func expectOthersServed(_ stage: Stage, _ daemon: Program, _ before: Int) async throws {
        let lists = try (0..<20).map { _ in try UnreadList(from: stage.socket) }
        for list in lists { #expect(try list.hasBegun()) }
        _ = try await stage.status()
        try stage.moveIn([65], as: "document.txt")
        try await stage.expectFiledRecords(1)
        let more = try Self.memory(of: daemon).resident - before
        print("20 lists that nobody reads take \(more) bytes")
        #expect(more < 16 << 20)
        for list in lists { #expect(try list.hasBegun()) }
    }

    @Test("An ignored name costs about 57 bytes, so that a million of them fit into 64 MiB")
    func bytes() async throws {
        let count = Extent.times(150_000, part: 50_000)
        try await Gate.daemons.pass {
            // The ring of events is full in both runs.
            let (few, many) = (try await memory(5_000), try await memory(5_000 + count))
            let each = Double(many - few) / Double(count)
            print("an ignored name costs \(each) bytes")
            #expect(each < Self.most)
        }
    }
}

/// A client that asks for all arrivals and reads none.
private final class UnreadList {
    private let socket: UnixSocket

    init(from path: TestPath) throws {
        guard let address = SocketAddress(BytePath(path)) else { throw Failure("\(path) is too long") }
        socket = try UnixSocket.connect(to: address)
        let request = Array(#"{"method":"io.inboxd.Inbox.ListArrivals","more":true}"#.utf8) + [0]
        guard try socket.send(request[...]) == request.count else { throw Failure("the request was not sent") }
    }

    /// Waits until some of it can be read.
    func hasBegun() throws -> Bool { try socket.wait(for: .seconds(120)) }
}
