import Glibc
import InboxTestSupport
import Testing

@Suite("A flood of ignored names")
struct IgnoredFloodTests {
    /// The daemon's memory in bytes once it has counted so many ignored names.
    private func memory(_ count: Int) async throws -> Int {
        let stage = try Stage(settings: ["Inbox.Settle=0"], below: FaultStage.folder)
        defer { stage.close() }
        for number in 0..<count { try Disk.put([], at: stage.inbox / TestPath("ignored \(number).part")) }
        try await stage.start()
        try await stage.expectCounters(["ignored": count, "seen": count], within: .seconds(600))
        guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
        let fields = Disk.text(TestPath("/proc/\(daemon.processID)/statm")).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw Failure("no statm") }
        // Its end takes no more than a few megabytes beside them: a service has a limit of memory.
        guard let all = Int(fields[0]) else { throw Failure("no statm") }
        let most = all * 4096 + (24 << 20)
        let limiting = try await stage.run(
            "/usr/bin/prlimit", [TestPath("--pid=\(daemon.processID)"), TestPath("--as=\(most)")])
        #expect(limiting.exit == .status(0), "\(limiting.errors)")
        #expect(try await stage.end(SIGTERM) == .status(0))
        return pages * 4096
    }

    @Test("An ignored name costs about 57 bytes, so that a million of them fit into 64 MB")
    func bytes() async throws {
        let count = Extent.times(150_000, part: 50_000)
        try await Gate.daemons.pass {
            // The ring of events is full in both runs.
            let (few, many) = (try await memory(5_000), try await memory(5_000 + count))
            let each = Double(many - few) / Double(count)
            print("an ignored name costs \(each) bytes")
            #expect(each < 80, "tables grow by half of their size")
        }
    }
}
