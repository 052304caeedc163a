import Glibc
import InboxTestSupport
import Testing

@Suite("Processes that handlers have left")
struct LeftProcessesTests {
    @Test("However many there are, the daemon needs no thread and no document for each, and they end with the daemon")
    func many() async throws {
        let stage = try Stage(settings: [
            "Inbox.Settle=0", "DocumentType Texts.ContentTypes=public.plain-text",
            "DocumentType Texts.RunTimeout=infinity", "DocumentType Texts.RunConcurrency=10",
        ])
        defer { stage.close() }
        let handler = "sleep 1000 & echo $! >> \(stage.root)/left"
        stage.settings.append(TestPath("DocumentType Texts.Run=/bin/sh -c '\(handler)'"))
        try await stage.start()
        let count = 40
        for number in 1...count { try Disk.put([65], at: stage.inbox / TestPath("\(number).txt")) }
        try await eventually {
            let handled = try stage.history().count { $0["event"]?.string == "handler" }
            return handled == count ? nil : "\(handled) are handled"
        }
        let daemon = try #require(stage.daemon).processID
        try await eventually {
            let threads = try Disk.names(in: TestPath("/proc/\(daemon)/task")).count
            return threads < count / 2 ? nil : "it has \(threads) threads"
        }
        try await eventually {
            let folder = TestPath("/proc/\(daemon)/fd")
            let open = try Disk.names(in: folder).compactMap { try? Disk.linkTarget(folder / $0).description }
            return open.first { $0.hasSuffix(".txt") }.map { "\($0) is open" }
        }
        let left = Disk.text(stage.root / "left").split(separator: "\n")
        #expect(left.count == count && left.allSatisfy(Self.runs))
        #expect(try await stage.end(SIGTERM) == .status(0))
        try await eventually { left.contains(where: Self.runs) ? "some are left" : nil }
    }

    /// Whether a process runs: one that has ended and was not reaped yet has no command line.
    private static func runs(_ process: Substring) -> Bool { !Disk.text(TestPath("/proc/\(process)/cmdline")).isEmpty }
}
