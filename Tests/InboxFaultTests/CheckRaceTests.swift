import Glibc
import InboxTestSupport
import Testing

/// Somebody writes into documents again and again while their checks run, and puts their modification times back.
@Suite("Writers while checks run")
struct CheckRaceTests {
    private static let count = 120

    @Test("No document is filed with bytes that its check has not accepted")
    func rewritten() async throws {
        let stage = try Stage(
            settings: [
                "Inbox.Settle=0", "Inbox.CheckConcurrency=8", "Inbox.CheckRetries=1000", "Inbox.RetryMax=20ms",
                "Inbox.Check=/bin/sh -c 'cat >>\"$HOME/checked\"; sleep 0.02'",
            ], below: FaultStage.folder)
        defer { stage.close() }
        try await stage.start()
        var random = SystemRandomNumberGenerator()
        let names = (1...Self.count).map { TestPath("\($0).txt") }
        for name in names { try Disk.put(Self.content(&random), at: stage.inbox / name) }
        // So long as checks run, those documents are rewritten that are still there.
        for round in 0..<60 {
            for name in names where Int.random(in: 0..<4, using: &random) == 0 {
                Self.rewrite(stage.inbox / name, Self.content(&random))
            }
            // At every look the counters balance.
            if round % 10 == 0 { _ = try await stage.counters() }
            usleep(10_000)
        }
        try await stage.expectFiledRecords(Self.count)
        let checked = Set(Disk.text(stage.root / "home/checked").split(separator: "\n"))
        for number in 1...Self.count {
            let text = Disk.text(stage.documents / TestPath("\(number).txt"))
            #expect(checked.contains { text == "\($0)\n" }, "\(number).txt is filed unchecked")
        }
    }

    /// All contents have one size.
    private static func content(_ random: inout SystemRandomNumberGenerator) -> [UInt8] {
        Array("\(UInt64.random(in: 10_000_000...99_999_999, using: &random))\n".utf8)
    }

    /// Writes into a file that is there, and leaves its size and its modification time as they were.
    private static func rewrite(_ path: TestPath, _ content: [UInt8]) {
        // Whoever waited for the end of a lease here would write into a document that is filed by then.
        let file = open(path.description, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return }
        _ = pwrite(file, content, content.count, 0)
        _ = futimens(file, [status.st_atim, status.st_mtim])
    }
}
