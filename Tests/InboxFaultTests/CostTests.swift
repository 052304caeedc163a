import Glibc
import InboxTestSupport
import Testing

/// What a filed document costs the release binary, counted and not timed: files of 1 KiB, typed by name and content, the
/// history on, `Durability=relaxed`. Where it goes is in Sources/inbox-bench/COSTS.md.
@Suite("What a filed document costs", .serialized)
struct CostTests {
    /// 10.0 measured on an idle machine, and 15 % more: a busy one wakes the loop more often.
    static let mostCalls = 11.5
    /// 88,300 measured, and 5 % more.
    static let mostInstructions = 93_000.0

    /// So many documents more than the fewest, over which the difference is divided: what a start costs drops out.
    private static let more = 300
    private static let fewest = 100

    @Test(
        "It takes no more system calls than are recorded, and one that is synced takes more",
        .enabled(if: ReleaseTests.programs != nil, "INBOX_RELEASE_PROGRAMS names no folder with a release binary"),
        .enabled(if: ReleaseTests.strace != nil, "strace is not installed"))
    func calls() async throws {
        // Other work on the machine adds calls and takes none away.
        var relaxed = Double.infinity
        for _ in 0..<5 where relaxed >= Self.mostCalls {
            relaxed = min(relaxed, try await Self.perDocument(Self.calls))
        }
        let synced = try await Self.perDocument(Self.calls, "Inbox.Durability=full")
        print("costs: \(relaxed) system calls for each document, \(synced) with Durability=full")
        #expect(relaxed < Self.mostCalls)
        #expect(synced > Self.mostCalls, "more calls are not seen")
    }

    @Test(
        "It takes no more instructions than are recorded, and one beside many patterns takes more",
        .enabled(if: ReleaseTests.programs != nil, "INBOX_RELEASE_PROGRAMS names no folder with a release binary"),
        .enabled(if: installed("valgrind") != nil, "valgrind is not installed"),
        .enabled(if: installed("strip") != nil, "binutils is not installed"))
    func instructions() async throws {
        // Other work on the machine makes batches smaller, which adds instructions and takes none away.
        var usual = Double.infinity
        for _ in 0..<5 where usual >= Self.mostInstructions {
            usual = min(usual, try await Self.perDocument(Self.instructions))
        }
        // They end as the names do, so that none is passed over, and match none of them.
        let patterns = (0..<100).map { "*\($0)?t" }.joined(separator: " ")
        let slowed = try await Self.perDocument(Self.instructions, TestPath("Inbox.Ignore=\(patterns)"))
        print("costs: \(usual) instructions for each document, \(slowed) beside 100 patterns")
        #expect(usual < Self.mostInstructions)
        #expect(slowed > Self.mostInstructions, "more instructions are not seen")
    }

    /// Runs a measurement with few documents and with more.
    private static func perDocument(
        _ measure: (Stage) async throws -> Int, _ setting: TestPath = "Inbox.Durability=relaxed"
    ) async throws -> Double {
        let few = try await measured(measure, fewest, setting)
        return Double(try await measured(measure, fewest + more, setting) - few) / Double(more)
    }

    private static func measured(
        _ measure: (Stage) async throws -> Int, _ count: Int, _ setting: TestPath
    ) async throws -> Int {
        try await Gate.daemons.pass {
            let stage = try Stage(
                settings: ["Inbox.Durability=relaxed", setting, "Inbox.Settle=0"], below: FaultStage.folder,
                programs: ReleaseTests.programs)
            defer { stage.close() }
            let line = Array("The quick brown fox jumps over the lazy dog.\n".utf8)
            let content = Array(repeatElement(line, count: 23).joined().prefix(1024))
            for number in 0..<count { try Disk.put(content, at: stage.inbox / TestPath("document-\(number).txt")) }
            let result = try await measure(stage)
            let records = try stage.filedRecords().count
            guard records == count else { throw Failure("\(records) of \(count) documents are recorded") }
            return result
        }
    }

    /// How many system calls all threads made.
    private static func calls(_ stage: Stage) async throws -> Int {
        guard let strace = ReleaseTests.strace else { throw Failure("strace is not installed") }
        let summary = stage.root / "calls"
        try await run(strace, ["-f", "-c", "-o", summary, stage.daemonProgram], on: stage)
        // `100.00    0.013579           5      2345        12 total`
        let words = Disk.text(summary).split(separator: "\n").last?.split(separator: " ") ?? []
        guard words.last == "total", words.count >= 5, let count = Int(words[3]) else {
            throw Failure("strace wrote no sum: \(Disk.text(summary))")
        }
        return count
    }

    /// How many instructions the program executed, the kernel's aside.
    private static func instructions(_ stage: Stage) async throws -> Int {
        guard let valgrind = installed("valgrind"), let strip = installed("strip") else {
            throw Failure("valgrind or strip is not installed")
        }
        // Valgrind gives up on the debug information of newer compilers.
        let program = stage.root / "inboxd"
        let stripped = try await stage.run(strip, ["-o", program, stage.daemonProgram])
        guard stripped.exit == .status(0) else { throw Failure("strip: \(stripped.errors)") }
        let profile = stage.root / "profile"
        try await run(
            valgrind, ["--tool=callgrind", "--quiet", TestPath("--callgrind-out-file=\(profile)"), program], on: stage)
        let totals = Disk.text(profile).split(separator: "\n").last { $0.hasPrefix("totals: ") }
        guard let count = totals.flatMap({ Int($0.dropFirst("totals: ".count)) }) else {
            throw Failure("callgrind wrote no sum")
        }
        return count
    }

    private static func run(_ tool: TestPath, _ arguments: [TestPath], on stage: Stage) async throws {
        let run = try await stage.run(tool, arguments + stage.standardArguments + ["--once"])
        guard run.exit == .status(0) else { throw Failure("\(tool): \(run.exit): \(run.errors)") }
    }
}

/// Where a program is, by `PATH`; nil where it is not installed.
private func installed(_ name: String) -> TestPath? {
    (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":")
        .map { TestPath(String($0)) / TestPath(name) }.first { Disk.kind($0) != nil }
}
