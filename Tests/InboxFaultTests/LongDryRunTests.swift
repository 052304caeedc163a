import InboxTestSupport
import Testing

@Suite("A long dry run")
struct LongDryRunTests {
    /// More than may wait at once in a daemon.
    private static let count = 33_000

    @Test(
        "It lists more documents than may wait at once in a daemon, and ends",
        .enabled(if: Extent.isFull, Comment(rawValue: Extent.reason)))
    func lists() async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0"], below: FaultStage.folder)
            defer { stage.close() }
            for number in 0..<Self.count { try Disk.put([65], at: stage.inbox / TestPath("\(number).txt")) }
            let run = try await stage.run(
                "/usr/bin/timeout", ["120", stage.daemonProgram] + stage.standardArguments + ["--dry-run"])
            #expect(run.exit == .status(0))
            #expect(run.output.utf8.count { $0 == UInt8(ascii: "\n") } == Self.count)
        }
    }
}
