import InboxTestSupport
import Testing

/// Filesystems that can neither rename without replacing nor give a file a second name: a copy is made under its own
/// name, and is unfinished there for a while.
@Suite("A fault at every system call, without safe ways to give a name")
struct NamelessTests {
    static let standing = "renameat2:*:22;linkat:*:1"

    static let rows: [FaultRow] = [
        FaultRow(
            name: "same filesystem without links", standing: standing, taken: ["letter.txt"],
            drops: [FaultRow.Drop(source: "letter.txt", destination: "letter-1.txt")]),
        FaultRow(
            name: "across without links", standing: standing, isAcross: true, taken: ["letter.txt"],
            drops: [FaultRow.Drop(source: "letter.txt", destination: "letter-1.txt"), FaultRow.drop("a/b.txt")]),
    ]

    @Test("Documents are filed under free names, each once", arguments: rows)
    func filed(_ row: FaultRow) async throws {
        let stage = try FaultStage(row)
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test("Killed at any call, the next run leaves one copy under one name and one record", arguments: rows)
    func killed(_ row: FaultRow) async throws {
        let first = try await Sweep.first(of: row)
        try await Sweep.numbers(from: first, row, "killed") { number in
            let stage = try FaultStage(row)
            let killed = try await stage.run("*:\(number):KILL")
            guard killed.exit == .signal(9) else {
                try stage.expectAllFiled()
                return true
            }
            try expectNothingLost(stage)
            #expect(try await stage.run().exit == .status(0))
            try stage.expectAllFiled()
            return false
        }
    }

    @Test("When any call of a copy says that the disk is full, nothing is lost, and the next run ends what was begun")
    func full() async throws {
        let row = Self.rows[1]
        let first = try await Sweep.first(of: row)
        try await Sweep.numbers(from: first, row, "ENOSPC") { number in
            let stage = try FaultStage(row)
            let failed = try await stage.run("*:\(number):28")
            try expectNothingLost(stage)
            for _ in 0..<3 { if try await stage.run().exit == .status(0) { break } }
            try stage.expectAllFiled()
            return failed.call(number) == nil
        }
    }

    /// Each document stands complete in one of its two places, and what stood there before is untouched.
    private func expectNothingLost(_ stage: FaultStage) throws {
        for drop in stage.row.drops {
            let places = [stage.stage.inbox / drop.source, stage.stage.documents / drop.destination]
            let isThere = places.contains { (try? Disk.read($0)) == drop.content }
            // A source has another name for the moment before it goes.
            let isAside = try Disk.leaves(of: stage.stage.inbox).contains { "\($0)".contains(".inboxd-") }
            guard isThere || isAside else { throw Failure("\(drop.source) is lost") }
        }
        for path in stage.row.taken {
            let content = try Disk.read(stage.stage.documents / path)
            guard content == path.bytes else { throw Failure("\(path) was overwritten") }
        }
    }
}
