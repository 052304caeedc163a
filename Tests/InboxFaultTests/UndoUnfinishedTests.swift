import Glibc
import InboxTestSupport
import Testing

/// Undo of documents that are recorded, while the journal still has an entry of their filing.
@Suite("Undo before the filing has ended", .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
struct UndoUnfinishedTests {
    private func onStage(
        _ plan: String? = nil, before call: String = "pwrite@/Documents/", at number: Int = 3,
        _ body: (AcrossStage) async throws -> Void
    ) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage(plan, before: call, at: ["\(number)"])
            across.stage.variables += ["INBOXD_PACKAGE_QUIET=0"]
            do { try await body(across) } catch {
                across.barrier.open()
                Issue.record("\(error)\n\(await across.stage.report())")
            }
        }
    }

    private func filed(_ stage: Stage) async throws -> TestPath {
        try await stage.expectFiledRecords(1)
        return TestPath(try #require(try stage.filedRecords().first?["id"]?.string))
    }

    private func expectRefused(_ id: TestPath, _ stage: Stage, _ words: String) async throws {
        let undo = try await stage.control(["undo", id])
        #expect(undo.exit == .status(1), "\(undo.output)")
        #expect(undo.errors.contains(words), "\(undo.errors)")
        #expect(undo.errors.split(separator: "\n").count == 1, "\(undo.errors)")
    }

    @Test("A copy whose name the disk may lose stays where it is until the machine has restarted")
    func unsyncedCopy() async throws {
        try await onStage("fsync@/Documents:2:5") { across in
            try await across.start()
            try across.moveIn([65], as: "letter.txt")
            let id = try await filed(across.stage)
            try await across.stage.expectCounters(["filed": 1, "waiting": 0])
            try await expectRefused(id, across.stage, "restart it, then try again")
            #expect(try Disk.read(across.stage.documents / "letter.txt") == [65])
            #expect(try across.staged("letter.txt").components.count > 0, "its source is there until then")
        }
    }

    @Test("So does a document that was moved, and whose name the disk may lose")
    func unsyncedMove() async throws {
        try await onStage("fsync@/Documents:2:5") { across in
            let stage = across.stage
            try await across.start()
            try Disk.put([65], at: stage.inbox / "letter.txt")
            let id = try await filed(stage)
            try await stage.expectCounters(["filed": 1, "waiting": 0])
            try await expectRefused(id, stage, "restart it, then try again")
            #expect(try Disk.read(stage.documents / "letter.txt") == [65])
        }
    }

    @Test("A package is not put back while its source is removed after an interruption, and is once that is gone")
    func recovered() async throws {
        try await onStage(before: "unlinkat@/source-", at: 2) { across in
            let stage = across.stage
            let files: [TestPath: [UInt8]] = Dictionary(
                uniqueKeysWithValues: (1...6).map { (TestPath("p.rtfd/\($0).rtf"), [UInt8($0)]) })
            try await across.start()
            for (path, bytes) in files {
                try Disk.makeFolders((across.outside / path).parent)
                try Disk.put(bytes, at: across.outside / path)
            }
            try Disk.move(across.outside / "p.rtfd", to: across.inbox / "p.rtfd")
            try await across.barrier.reached()
            let id = try await filed(stage)
            _ = try await stage.end(SIGKILL)
            across.barrier.open()
            let removal = try Barrier(at: stage.root / "removal")
            defer { removal.open() }
            stage.variables = ["INBOXD_FAULT=unlinkat@/source-:2:WAIT=\(removal.path)", "INBOXD_PACKAGE_QUIET=0"]
            try await across.start()
            try await removal.reached()
            try await expectRefused(id, stage, "its filing was interrupted and has not ended")
            removal.open()
            try await across.expect(files, records: 1)
            #expect(try await stage.control(["undo", id]).exit == .status(0))
            for (path, bytes) in files { #expect(try Disk.read(across.inbox / path) == bytes) }
        }
    }

    @Test(
        "A document that is recorded, and whose job goes on, is put back once that has ended",
        arguments: ["unlinkat@/source-", "unlinkat@/claims-"])
    func awaited(call: String) async throws {
        try await onStage(before: call, at: 1) { across in
            let stage = across.stage
            try await across.start()
            try across.moveIn([65], as: "letter.txt")
            try await across.barrier.reached()
            let id = try await filed(stage)
            let undo = try Program(
                stage.controlProgram, ["--socket", stage.socket, "undo", id], environment: stage.environment,
                output: stage.root / "log/undo.out", errors: stage.root / "log/undo.err")
            // Whoever is asked afterwards has had the call before.
            _ = try await stage.status()
            across.barrier.open()
            #expect(try await undo.ended() == .status(0), "\(Disk.text(stage.root / "log/undo.err"))")
            try await stage.expectCounters(["held": 1])
            #expect(try Disk.read(across.inbox / "letter.txt") == [65])
        }
    }

    @Test("A package that was put back before a kill is recorded at the next start, though nobody can read it")
    func unreadable() async throws {
        try await onStage(before: "write@/undone", at: 1) { across in
            let stage = across.stage
            try await across.start()
            try Disk.makeFolders(across.outside / "p.rtfd/in")
            try Disk.put([7], at: across.outside / "p.rtfd/in/a.rtf")
            try Disk.move(across.outside / "p.rtfd", to: across.inbox / "p.rtfd")
            let id = try await filed(stage)
            let undo = try Program(
                stage.controlProgram, ["--socket", stage.socket, "undo", id], environment: stage.environment,
                output: stage.root / "log/undo.out", errors: stage.root / "log/undo.err")
            try await across.barrier.reached()
            _ = try await stage.end(SIGKILL)
            across.barrier.open()
            _ = try await undo.ended()
            stage.variables = ["INBOXD_FAULT=getdents64@/p.rtfd:*:13", "INBOXD_PACKAGE_QUIET=0"]
            try await across.start()
            try await eventually {
                let history = Disk.text(stage.state / "history.jsonl")
                return history.contains("\"event\":\"undone\"") ? nil : "nothing says that it is back: \(history)"
            }
            #expect(try Disk.read(across.inbox / "p.rtfd/in/a.rtf") == [7])
        }
    }

    @Test("Whoever asks once more while a document is being put back is told that")
    func twice() async throws {
        try await onStage(before: "write@/undone", at: 1) { across in
            let stage = across.stage
            try await across.start()
            try Disk.put([65], at: stage.inbox / "letter.txt")
            let id = try await filed(stage)
            let undo = try Program(
                stage.controlProgram, ["--socket", stage.socket, "undo", id], environment: stage.environment,
                output: stage.root / "log/undo.out", errors: stage.root / "log/undo.err")
            try await across.barrier.reached()
            // It has its old name again, and is listed there.
            try await stage.expectListed("letter.txt", state: "held", reasons: ["undone"])
            try await expectRefused(id, stage, "it is being put back")
            across.barrier.open()
            #expect(try await undo.ended() == .status(0))
            try await expectRefused(id, stage, "it was put back before")
        }
    }
}
