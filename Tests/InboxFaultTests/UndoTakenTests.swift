import Glibc
import InboxTestSupport
import Testing

/// What others do with a document that was put back before that is written down.
@Suite("Between the return of a document and its record")
struct UndoTakenTests {
    @Test("A document that somebody takes away as soon as it is back is recorded as put back, and nothing is wrong")
    func taken() async throws {
        let settings: [TestPath] = ["Inbox.Settle=0", "Inbox.Durability=relaxed"]
        try await onStage(stoppedAt: "fsync@/Inbox:1", settings: settings) { stage, barrier in
            try stage.moveIn([65], as: "letter.txt")
            try await stage.expectFiledRecords(1)
            let id = try #require(try stage.filedRecords().first?["id"]?.string)
            let undo = try Program(
                stage.controlProgram, ["--socket", stage.socket, "undo", TestPath(id)], environment: stage.environment,
                output: stage.root / "log/undo.out", errors: stage.root / "log/undo.err")
            try await barrier.reached()
            try Disk.move(stage.inbox / "letter.txt", to: stage.root / "outside/taken.txt")
            barrier.open()
            #expect(try await undo.ended() == .status(0))
            try await eventually {
                let undone = try stage.history().filter { $0["event"]?.string == "undone" }
                return undone.map { $0["id"]?.string } == [id] ? nil : "the records are \(undone)"
            }
            let log = Disk.text(stage.daemonLog)
            #expect(!log.contains("cannot write"), "\(log)")
        }
    }

    @Test(
        "A document that cannot be put back, and whose name in Documents was taken meanwhile, is reported with its new name",
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
    func renamed() async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage("pwrite@/Inbox/:4:\(ENOSPC)", before: "pwrite@/Inbox/")
            let stage = across.stage
            try await across.start()
            try across.moveIn(AcrossStage.large(), as: "letter.bin")
            try await stage.expectFiledRecords(1)
            let id = try #require(try stage.filedRecords().first?["id"]?.string)
            let undo = try Program(
                stage.controlProgram, ["--socket", stage.socket, "undo", TestPath(id)], environment: stage.environment,
                output: stage.root / "log/undo.out", errors: stage.root / "log/undo.err")
            try await across.barrier.reached()
            try Disk.put([1], at: stage.documents / "letter.bin")
            across.barrier.open()
            #expect(try await undo.ended() == .status(1))
            try await eventually {
                Disk.text(stage.daemonLog).contains("\(stage.documents)/letter.bin is named letter-1.bin now")
                    ? nil : "\(Disk.text(stage.daemonLog))"
            }
            #expect(try Disk.read(stage.documents / "letter-1.bin") == AcrossStage.large())
            #expect(try Disk.read(stage.documents / "letter.bin") == [1])
            #expect(try Disk.leaves(of: across.inbox).isEmpty)
        }
    }
}
