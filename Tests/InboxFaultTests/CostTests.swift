import Glibc
import InboxTestSupport
import Testing

/// What a filed document costs the release binary, counted and not timed: files of 1 KiB, typed by name and content, the
/// history on, `Durability=relaxed`. Where it goes is in Sources/inbox-bench/COSTS.md.
@Suite("What a filed document costs", .serialized)
struct CostTests {
    /// 10.24 measured, whatever else the machine does: one more for each document is too many.
    static let mostCalls = 10.6
    /// How often the loop wakes depends on how the threads take turns, and a batch of one would wake it more often.
    static let mostWaits = 4.0
    /// The calls by which the loop waits and takes what has woken it.
    private static let waits: Set<Substring> = ["epoll_wait", "poll", "read"]
    /// 88,300 measured, and 5 % more.
    static let mostInstructions = 93_000.0

    /// Instructions for the type of one file, those of a start aside: 1,718,000 measured, and 5 % more.
    static let mostOfQuestion = 1_800_000

    /// So many documents more than the fewest, over which the difference is divided: what a start costs drops out.
    private static let more = 300
    private static let fewest = 100

    @Test(
        "It takes no more system calls than are recorded, and one that is synced takes more",
        .enabled(if: ReleaseTests.programs != nil, "INBOX_RELEASE_PROGRAMS names no folder with a release binary"),
        .enabled(if: ReleaseTests.strace != nil, "strace is not installed"))
    func calls() async throws {
        // Other work on the machine adds calls and takes none away.
        var (relaxed, waits) = (Double.infinity, Double.infinity)
        for _ in 0..<5 where relaxed >= Self.mostCalls || waits >= Self.mostWaits {
            relaxed = min(relaxed, try await Self.perDocument { try await Self.calls($0, areWaits: false) })
            waits = min(waits, try await Self.perDocument { try await Self.calls($0, areWaits: true) })
        }
        let synced = try await Self.perDocument(
            { try await Self.calls($0, areWaits: false) }, "Inbox.Durability=full")
        print("costs: \(relaxed) system calls for each document, \(synced) with Durability=full, \(waits) of the loop")
        #expect(relaxed < Self.mostCalls)
        #expect(waits < Self.mostWaits)
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

    @Test(
        "The type of one file takes no more instructions than are recorded, and beside a type of one's own it takes more",
        .enabled(if: ReleaseTests.programs != nil, "INBOX_RELEASE_PROGRAMS names no folder with a release binary"),
        .enabled(if: installed("valgrind") != nil, "valgrind is not installed"),
        .enabled(if: installed("strip") != nil, "binutils is not installed"))
    func question() async throws {
        let stage = try Stage(programs: ReleaseTests.programs)
        defer { stage.close() }
        let (picture, own) = (stage.root / "picture.png", stage.root / "own.conf")
        try Disk.put([0x89] + Array("PNG\r\n\u{1A}\n".utf8), at: picture)
        try Disk.put(Array("[Type com.example.own]\nConformsTo=public.data\n".utf8), at: own)
        func instructions(_ arguments: [TestPath]) async throws -> Int {
            try await Self.instructions(stage.controlProgram, arguments, on: stage)
        }
        let start = try await instructions(["--version"])
        let usual = try await instructions(["type", picture]) - start
        let more = try await instructions(["type", "--config", own, picture]) - start
        print("costs: \(usual) instructions for the type of a picture beyond a start, \(more) beside an own type")
        #expect(usual < Self.mostOfQuestion)
        #expect(more > Self.mostOfQuestion, "more instructions are not seen")
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

    /// How many system calls all threads made: those by which the loop waits, or the others.
    private static func calls(_ stage: Stage, areWaits: Bool) async throws -> Int {
        guard let strace = ReleaseTests.strace else { throw Failure("strace is not installed") }
        let summary = stage.root / "calls"
        try await run(
            strace, ["-f", "-c", "-o", summary, stage.daemonProgram] + stage.standardArguments + ["--once"], on: stage)
        // `100.00    0.013579           5      2345        12 statx`
        let rows = Disk.text(summary).split(separator: "\n").map { $0.split(separator: " ") }
        guard rows.last?.last == "total" else { throw Failure("strace wrote no sum: \(Disk.text(summary))") }
        let counted = rows.dropLast().filter { row in row.last.map { waits.contains($0) == areWaits } == true }
        return counted.compactMap { $0.count >= 5 ? Int($0[3]) : nil }.reduce(0, +)
    }

    /// Counts the instructions that the daemon executes for the documents of its Inbox, those of the kernel aside.
    private static func instructions(_ stage: Stage) async throws -> Int {
        try await instructions(stage.daemonProgram, stage.standardArguments + ["--once"], on: stage)
    }

    /// Counts the instructions that a program executes, those of the kernel aside.
    private static func instructions(
        _ program: TestPath, _ arguments: [TestPath], on stage: Stage
    ) async throws -> Int {
        guard let valgrind = installed("valgrind"), let strip = installed("strip") else {
            throw Failure("valgrind or strip is not installed")
        }
        // Valgrind gives up on the debug information of newer compilers.
        let copy = stage.root / "program"
        let stripped = try await stage.run(strip, ["-o", copy, program])
        guard stripped.exit == .status(0) else { throw Failure("strip: \(stripped.errors)") }
        let profile = stage.root / "profile"
        try await run(
            valgrind,
            ["--tool=callgrind", "--quiet", TestPath("--callgrind-out-file=\(profile)"), copy] + arguments, on: stage)
        let totals = Disk.text(profile).split(separator: "\n").last { $0.hasPrefix("totals: ") }
        guard let count = totals.flatMap({ Int($0.dropFirst("totals: ".count)) }) else {
            throw Failure("callgrind wrote no sum")
        }
        return count
    }

    private static func run(_ tool: TestPath, _ arguments: [TestPath], on stage: Stage) async throws {
        let run = try await stage.run(tool, arguments)
        guard run.exit == .status(0) else { throw Failure("\(tool): \(run.exit): \(run.errors)") }
    }
}

/// Where a program is, by `PATH`; nil where it is not installed.
private func installed(_ name: String) -> TestPath? {
    (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":")
        .map { TestPath(String($0)) / TestPath(name) }.first { Disk.kind($0) != nil }
}
