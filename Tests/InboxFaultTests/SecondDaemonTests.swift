import Glibc
import InboxTestSupport
import Testing

@Suite("A daemon that is killed while another one serves the same Inbox")
struct SecondDaemonTests {
    @Test(
        "The other one files what is left, nothing twice, and each document has a record",
        arguments: FaultRow.all.filter { row in
            let isMoved = ["same filesystem", "batch", "package", "relaxed"].contains(row.name)
            return (isMoved || row.isClaimed) && row.history.isEmpty && !row.hasMembers
        })
    func first(_ row: FaultRow) async throws { try await sweep(row) }

    @Test(
        "The other one files what is left of copies, nothing twice, and each document has one record",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"),
        // Between the claims of files that go together, another daemon knows nothing of that, and may file them one by one.
        arguments: FaultRow.across.filter { !$0.hasMembers })
    func firstAcross(_ row: FaultRow) async throws { try await sweep(row) }

    @Test(
        "What was copied is not filed again where somebody takes the copy away before the other one starts",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"),
        arguments: [
            ["write@/history.jsonl:1:KILL"], ["fdatasync@/history.jsonl:1:KILL"],
            // Killed between the copy's name and the note that it is recorded, and once more when that is recorded.
            ["write@/claims-:3:KILL", "write@/history.jsonl:1:KILL"],
            ["write@/claims-:3:KILL", "fdatasync@/history.jsonl:1:KILL"],
        ])
    func taken(faults: [String]) async throws {
        try await Gate.daemons.pass {
            let row = try #require(FaultRow.across.first { $0.isPlainestAcross })
            let stage = try FaultStage(row)
            for fault in faults {
                let killed = try await stage.run(fault)
                #expect(killed.exit == .signal(9), "\(killed.exit): \(killed.errors)")
            }
            let place = stage.stage.documents / "letter.txt"
            try Disk.removeTree(place)
            let other = try await stage.run(isOther: true)
            #expect(other.exit == .status(0), "\(other.errors)")
            #expect(!Disk.exists(place), "it is filed again")
            #expect(try await stage.run().exit == .status(0))
            #expect(!Disk.exists(place) && Disk.text(stage.stage.root / "other/history.jsonl").isEmpty)
        }
    }

    /// A document whose handler writes down that it runs.
    private static let handled = FaultRow(
        name: "handler beside another daemon",
        settings: [
            "DocumentType Texts.ContentTypes=public.item",
            "DocumentType Texts.Run=/bin/sh -c 'echo run >> \"$INBOX_PATH.runs\"'",
        ], drops: [FaultRow.drop("letter.txt")])

    /// A place where a daemon has written the move of that document into its journal, and was killed before it.
    private static func killedBeforeMove() async throws -> FaultStage {
        let stage = try FaultStage(handled)
        let killed = try await stage.run("renameat2@/Inbox/letter.txt:1:KILL")
        #expect(killed.exit == .signal(9), "\(killed.exit): \(killed.errors)")
        #expect(Disk.exists(stage.stage.inbox / "letter.txt") && stage.openEntries().count == 1)
        return stage
    }

    /// The handler has run once, nothing is under way, and these are the numbers of records in both histories.
    private static func expect(_ stage: FaultStage, own: Int, others: Int) throws {
        #expect(Disk.text(stage.stage.documents / "letter.txt.runs") == "run\n")
        #expect(try Disk.read(stage.journal).isEmpty, "\(Disk.text(stage.journal))")
        let other = Disk.text(stage.stage.root / "other/history.jsonl").split(separator: "\n")
        #expect(other.count { $0.contains(#""event":"filed""#) } == others)
        #expect(try stage.stage.filedRecords().count == own)
    }

    @Test("What the other one has moved is recorded once, and its handler runs once")
    func once() async throws {
        try await Gate.daemons.pass {
            let stage = try await Self.killedBeforeMove()
            for isOther in [true, false] {
                let run = try await stage.run(isOther: isOther)
                #expect(run.exit == .status(0), "\(run.errors)")
            }
            try Self.expect(stage, own: 0, others: 1)
        }
    }

    @Test(
        "Where the other one's history is not to be read, the record says so and no handler runs, even after another kill",
        arguments: [nil, "write@/history.jsonl:1:KILL", "fdatasync@/history.jsonl:1:KILL", "ftruncate@/journal:1:KILL"])
    func unreadable(fault: String?) async throws {
        try await Gate.daemons.pass {
            let stage = try await Self.killedBeforeMove()
            #expect(try await stage.run(isOther: true).exit == .status(0))
            // Anybody could have written what is in there.
            let other = stage.stage.root / "other"
            try Disk.check("chmod", other, other.withCString { chmod($0, 0o777) })
            if let fault { #expect(try await stage.run(fault).exit == .signal(9)) }
            let run = try await stage.run()
            #expect(run.exit == .status(0), "\(run.errors)")
            try Self.expect(stage, own: 1, others: 1)
            let record = try #require(try stage.stage.filedRecords().first)
            #expect(record["proof"]?.string == "recovered" && record["doubtful"] == .boolean(true), "\(record)")
        }
    }

    @Test(
        "Where the other one has no record of it, or is gone, the record and the handler are this one's",
        arguments: [true, false])
    func alone(isThere: Bool) async throws {
        try await Gate.daemons.pass {
            let stage = try await Self.killedBeforeMove()
            // It is at its destination without anybody's record.
            let inbox = stage.stage.inbox / "letter.txt"
            try Disk.move(inbox, to: stage.stage.documents / "letter.txt")
            #expect(try await stage.run(isOther: true).exit == .status(0))
            if !isThere { try Disk.removeTree(stage.stage.root / "other") }
            let run = try await stage.run()
            #expect(run.exit == .status(0), "\(run.errors)")
            try Self.expect(stage, own: 1, others: 0)
            #expect(try stage.stage.filedRecords().first?["doubtful"] == nil)
        }
    }

    @Test("A document that the other one is about to record waits for that")
    func waiting() async throws {
        try await Gate.daemons.pass {
            let stage = try await Self.killedBeforeMove()
            let barrier = try Barrier(at: stage.stage.root / "barrier")
            let other = stage.stage.root / "other"
            stage.stage.variables.removeAll { $0.hasPrefix("INBOXD_FAULT=") || $0.hasPrefix("INBOXD_TRACE=") }
            stage.stage.variables.append("INBOXD_FAULT=write@/history.jsonl:1:WAIT=\(barrier.path)")
            let running = try Program(
                stage.stage.daemonProgram,
                stage.stage.standardArguments + ["--once", "--state", other, "--socket", other / "socket"],
                environment: stage.stage.environment, output: stage.stage.root / "log/other.out",
                errors: stage.stage.root / "log/other.err")
            try await barrier.reached()
            #expect(Disk.exists(stage.stage.documents / "letter.txt"))
            let run = try await stage.run()
            #expect(run.errors.contains("another daemon of its Inbox has it in its journal"), "\(run.errors)")
            #expect(try stage.stage.filedRecords().isEmpty && stage.openEntries().count == 1)
            barrier.open()
            #expect(try await running.ended() == .status(0))
            #expect(try await stage.run().exit == .status(0))
            try Self.expect(stage, own: 0, others: 1)
        }
    }

    private func sweep(_ row: FaultRow) async throws {
        try await Sweep.play(try await Sweep.kills(of: row), row, "killed, and another daemon comes first") { target in
            let stage = try FaultStage(row)
            guard try await stage.run(target.plan("KILL")).exit == .signal(9) else { return true }
            let other = try await stage.run(isOther: true)
            guard other.exit == .status(0) else { throw Failure("the other one: \(other.exit): \(other.errors)") }
            try stage.expectEachOnce()
            let next = try await stage.run()
            guard next.exit == .status(0) else { throw Failure("the next run: \(next.exit): \(next.errors)") }
            try stage.expectEachOnce()
            let own = try stage.stage.filedRecords().count
            let others = Disk.text(stage.stage.root / "other/history.jsonl").split(separator: "\n").count
            // Killed just before it renames a claimed source, it cannot know afterwards who did that.
            let most = row.documents.count * (row.isClaimed && !row.isAcross ? 2 : 1)
            guard (row.documents.count...most).contains(own + others), stage.openEntries().isEmpty else {
                throw Failure("\(own) and \(others) records of \(row.documents.count) documents")
            }
            return false
        }
    }
}
