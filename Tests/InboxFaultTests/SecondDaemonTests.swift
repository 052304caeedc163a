import InboxTestSupport
import Testing

@Suite("A daemon that is killed while another one serves the same Inbox")
struct SecondDaemonTests {
    @Test(
        "The other one files what is left, nothing twice, and each document has a record",
        arguments: FaultRow.all.filter { $0.isClaimed && $0.history.isEmpty && !$0.hasMembers })
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
            // Killed just before it renames the source itself, it cannot know afterwards who did that.
            let most = row.documents.count * (row.isAcross ? 1 : 2)
            guard (row.documents.count...most).contains(own + others), stage.openEntries().isEmpty else {
                throw Failure("\(own) and \(others) records of \(row.documents.count) documents")
            }
            return false
        }
    }
}
