import Glibc
import InboxTestSupport
import Testing

/// Daemons with a check in force are killed again and again, at any moment. `INBOX_TESTS_SEED` repeats what is dropped and
/// when they are killed; their own time is their own.
@Suite("Random kills while checks run")
struct CheckKillTests {
    /// A document, and the bytes that it had when it was last written.
    private struct Dropped {
        let name: TestPath
        var content: [UInt8]
        let isBad: Bool
    }

    /// Hands at work at the same time, each with a daemon of its own.
    private static let hands = 4
    /// All of them are played where the long tests run in full, unless something hangs.
    private static let longest = Duration.seconds(Extent.times(900, part: 50))

    @Test("Whenever the daemon is killed, nothing is filed unchecked, nothing is lost, and nothing is filed twice")
    func killed() async throws {
        try await Gate.daemons.pass {
            let rounds = Extent.times(1_000, part: 24) / Self.hands
            let done = try await withThrowingTaskGroup(of: Int.self) { group in
                for hand in 1...Self.hands { group.addTask { try await Self.play(hand, rounds) } }
                return try await group.reduce(0, +)
            }
            if Extent.isFull { print("checks: \(done) kills, seed \(Extent.seed)") }
        }
    }

    /// Plays so many rounds, or as many as there is time for; returns their number.
    private static func play(_ hand: Int, _ rounds: Int) async throws -> Int {
        let stage = try Stage(
            settings: [
                "Inbox.Settle=0", "Inbox.CheckConcurrency=2", "Inbox.Rejected=Rejected",
                "Inbox.Check=/bin/sh -c 'read -r line; case $line in *bad) exit 65 ;; esac; echo $line >>$HOME/checked'",
            ], below: FaultStage.folder)
        defer { stage.close() }
        var random = Extent.generator(for: "kills of checks \(hand)")
        var dropped: [Dropped] = []
        // A run that nobody disturbs shows how long one takes.
        try drop(2, in: stage, &dropped, &random)
        let clock = ContinuousClock()
        let start = clock.now
        try await end(stage)
        let span = start.duration(to: clock.now)
        var round = 0
        while round < rounds, start.duration(to: clock.now) < longest {
            round += 1
            try drop(Int.random(in: 0...3, using: &random), in: stage, &dropped, &random)
            try rewrite(in: stage, &dropped, &random)
            let daemon = try Program(
                stage.daemonProgram, stage.standardArguments + ["--once"], environment: stage.environment,
                output: stage.root / "log/killed.out", errors: stage.root / "log/killed.err")
            try await Task.sleep(for: span * Double.random(in: 0...1.1, using: &random))
            daemon.signal(SIGKILL)
            let exit = try await daemon.ended()
            guard exit == .signal(SIGKILL) || exit == .status(0) else { throw Failure("it ended with \(exit)") }
        }
        try await end(stage)
        do { try expectEachOnce(dropped, in: stage) } catch {
            Issue.record("hand \(hand), round \(round), INBOX_TESTS_SEED=\(Extent.seed): \(error)")
        }
        return round
    }

    private static func end(_ stage: Stage) async throws {
        try await stage.runDaemon(["--once"])
        guard stage.lastRun?.exit == .status(0) else { throw Failure("\(await stage.report())") }
    }

    private static func drop(
        _ count: Int, in stage: Stage, _ dropped: inout [Dropped], _ random: inout SeededRandom
    ) throws {
        for _ in 0..<count {
            let isBad = Int.random(in: 0..<4, using: &random) == 0
            let document = Dropped(
                name: TestPath("\(dropped.count).txt"), content: content(isBad, &random), isBad: isBad)
            try Disk.put(document.content, at: stage.inbox / document.name)
            dropped.append(document)
        }
    }

    /// All contents of a kind have one size.
    private static func content(_ isBad: Bool, _ random: inout SeededRandom) -> [UInt8] {
        Array("\(UInt64.random(in: 10_000_000...99_999_999, using: &random)) \(isBad ? "bad" : "good")\n".utf8)
    }

    /// Writes other bytes into some documents that are still in the Inbox, whose sizes and modification times stay.
    private static func rewrite(
        in stage: Stage, _ dropped: inout [Dropped], _ random: inout SeededRandom
    ) throws {
        for index in dropped.indices.suffix(8) where Bool.random(using: &random) {
            let file = open("\(stage.inbox / dropped[index].name)", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { close(file) }
            var status = stat()
            let content = content(dropped[index].isBad, &random)
            guard fstat(file, &status) == 0, pwrite(file, content, content.count, 0) == content.count,
                futimens(file, [status.st_atim, status.st_mtim]) == 0
            else { throw Failure("cannot rewrite \(dropped[index].name): errno \(errno)") }
            dropped[index].content = content
        }
    }

    private static func expectEachOnce(_ dropped: [Dropped], in stage: Stage) throws {
        let found = try Set(Disk.leaves(of: stage.documents, except: [stage.inbox]).map { "\($0)" })
        let expected = Set(dropped.map { $0.isBad ? "Rejected/\($0.name)" : "\($0.name)" })
        guard found == expected else {
            throw Failure(
                "missing: \(expected.subtracting(found).sorted()), too much: \(found.subtracting(expected).sorted())")
        }
        let checked = Set(Disk.text(stage.root / "home/checked").split(separator: "\n").map { Array("\($0)\n".utf8) })
        for document in dropped {
            let place = stage.documents / (document.isBad ? "Rejected" / document.name : document.name)
            guard try Disk.read(place) == document.content else { throw Failure("\(place) has other bytes") }
            if !document.isBad, !checked.contains(document.content) {
                throw Failure("\(document.name) was filed unchecked")
            }
        }
        let records = try stage.history().map { "\($0["event"]?.string ?? "") \($0["source"]?.string ?? "")" }
        let wanted = dropped.map { "\($0.isBad ? "rejected" : "filed") \(stage.inbox / $0.name)" }
        guard records.sorted() == wanted.sorted() else {
            let (more, less) = (Set(records), Set(wanted))
            throw Failure(
                "\(records.count) records of \(dropped.count), without \(less.subtracting(more).sorted()), "
                    + "too much: \(more.subtracting(less).sorted())")
        }
    }
}
