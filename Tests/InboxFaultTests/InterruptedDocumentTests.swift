import Glibc
import InboxTestSupport
import Testing

/// What is said of documents that a kill or a lost reply has left in a staging folder. An obstacle that keeps recovery from
/// ending them is one that a test can take away again: others may write in the staging folder.
@Suite(
    "Documents that an interruption has left", .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
struct InterruptedDocumentTests {
    private func onStage(
        _ plan: String? = nil, before call: String, at number: Int = 1, _ body: (AcrossStage) async throws -> Void
    ) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage(plan, before: call, at: ["\(number)"])
            do { try await body(across) } catch {
                across.barrier.open()
                Issue.record("\(error)\n\(await across.stage.report())")
            }
        }
    }

    /// Lets others write in a staging folder in a folder, or no longer.
    private func expose(in folder: TestPath, _ isExposed: Bool) throws {
        let found = try Disk.names(in: folder).filter { "\($0)".hasPrefix(".inboxd-") }
        try #require(found.count == 1, "\(found)")
        try setMode(of: folder / found[0], isExposed ? 0o775 : 0o700)
    }

    private func setMode(of path: TestPath, _ mode: mode_t) throws {
        try Disk.check("chmod", path, path.withCString { chmod($0, mode) })
    }

    /// Kills the daemon at its barrier, and starts it again with an obstacle in the way of recovery.
    private func killAndStart(_ across: AcrossStage, exposing folder: TestPath) async throws {
        _ = try await across.stage.end(SIGKILL)
        across.barrier.open()
        across.stage.variables = []
        try expose(in: folder, true)
        try await across.start()
    }

    @discardableResult
    private func retry(_ across: AcrossStage, _ path: TestPath? = nil) async throws -> String {
        let run = try await across.stage.control(["retry"] + (path.map { [$0] } ?? []))
        #expect(run.exit == .status(0), "\(run.errors)")
        return run.output
    }

    @Test("One that is recorded once its obstacle is gone counts as filed, and as seen once")
    func recorded() async throws {
        try await onStage(before: "write@/history.jsonl") { across in
            let stage = across.stage
            try await across.start()
            try Disk.makeFolders(across.outside / "a/b")
            try Disk.put(Array("letter".utf8), at: across.outside / "a/b/letter.txt")
            try Disk.move(across.outside / "a", to: across.inbox / "a")
            try await across.barrier.reached()
            _ = try await stage.end(SIGKILL)
            across.barrier.open()
            stage.variables = []
            // Others could exchange the link that leads to the folder with its copy.
            let (unsafe, real) = (stage.documents / "a", stage.documents / "real")
            try Disk.move(unsafe / "b", to: real)
            try Disk.makeLink(unsafe / "b", to: "../real")
            try setMode(of: unsafe, 0o777)
            try await across.start()
            try await stage.expectCounters(["seen": 1, "waiting": 1, "filed": 0])
            try await stage.expectListed("letter.txt", state: "waiting", reasons: ["retrying"])
            let follower = try await Follower(stage, "recovery")
            #expect(try await retry(across) == "tried again: everything that is held or failed, 1 arrival\n")
            #expect(try await retry(across, across.inbox) == "tried again: \(across.inbox), 1 arrival\n")
            try setMode(of: unsafe, 0o755)
            try await retry(across)
            try await stage.expectCounters(["seen": 1, "waiting": 0, "filed": 1, "withdrawn": 0, "bytesFiled": 6])
            try await follower.expect("that it is filed") { $0.contains { $0["kind"]?.string == "filed" } }
            let filed = try #require(try follower.events(of: "letter.txt").last)
            #expect(filed["destination"]?.string == "\(unsafe)/b/letter.txt")
            #expect(filed["arrival"] == nil, "no arrival of this run is meant: \(filed)")
            try Disk.remove(unsafe / "b")
            try Disk.move(real, to: unsafe / "b")
            try await across.expect(["a/b/letter.txt": Array("letter".utf8)], left: ["a/b/"])
        }
    }

    @Test("One whose copy is there is recorded though its source cannot be inspected, and is filed once")
    func recordedWithoutSource() async throws {
        try await onStage(before: "write@/history.jsonl") { across in
            let stage = across.stage
            try await across.start()
            try across.moveIn(Array("letter".utf8), as: "letter.txt")
            try await across.barrier.reached()
            try await killAndStart(across, exposing: across.inbox)
            try await stage.expectFiledRecords(1)
            try await stage.expectProblem("others may write in")
            try await stage.expectCounters(["waiting": 0])
            #expect(try await stage.control(["list", "--json"]).output == "")
            let id = TestPath(try #require(try stage.filedRecords().first?["id"]?.string))
            let undo = try await stage.control(["undo", id])
            #expect(undo.errors.contains("its filing was interrupted and has not ended"), "\(undo.errors)")
            try Disk.move(stage.documents / "letter.txt", to: stage.root / "letter.txt")
            try expose(in: across.inbox, false)
            try await retry(across)
            try await stage.expectProblem(nil)
            try await across.expect([:], records: 1)
            try await stage.expectCounters(["seen": 0, "waiting": 0])
        }
    }

    @Test("One whose server has carried out a call and lost the reply counts as filed, and as seen once")
    func lostReply() async throws {
        try await onStage("linkat:1:DONE=\(ETIMEDOUT)", before: "pwrite@/Documents/", at: 3) { across in
            try await across.start()
            try await across.beginCopy()
            across.barrier.open()
            try await across.stage.expectCounters(["waiting": 0, "filed": 1])
            try await across.stage.expectCounters(["seen": 1, "filed": 1, "withdrawn": 0])
            try await across.expect(["big.bin": AcrossStage.large()])
        }
    }

    @Test("It does so at once though its source cannot be removed for a while")
    func lostReplyForLong() async throws {
        try await onStage("linkat:1:DONE=\(ETIMEDOUT)", before: "pwrite@/Documents/", at: 3) { across in
            let stage = across.stage
            try await across.start()
            try await across.beginCopy()
            try expose(in: across.inbox, true)
            across.barrier.open()
            try await stage.expectProblem("others may write in")
            try await stage.expectCounters(["seen": 1, "waiting": 0, "filed": 1, "withdrawn": 0])
            try expose(in: across.inbox, false)
            try await retry(across)
            try await stage.expectCounters(["seen": 1, "waiting": 0, "filed": 1, "withdrawn": 0])
            try await across.expect(["big.bin": AcrossStage.large()])
        }
    }

    @Test("Whoever waits for one that recovery can record only later is told where it is")
    func awaited() async throws {
        try await onStage("linkat:1:DONE=\(ETIMEDOUT)", before: "pwrite@/Documents/", at: 3) { across in
            let stage = across.stage
            let text = "[DocumentType Deep]\nContentTypes=public.data\nDestination=a/b\n"
            try Disk.put(Array(text.utf8), at: stage.root / "home/inboxd.conf")
            try await across.start(["--config", stage.root / "home/inboxd.conf"])
            stage.variables = []
            let follower = try await Follower(stage, "recovery")
            try Disk.put(AcrossStage.large(), at: across.outside / "big.bin")
            let output = stage.root / "log/put.out"
            let put = try Program(
                stage.controlProgram, ["--socket", stage.socket, "put", "--wait", across.outside / "big.bin"],
                environment: stage.environment, output: output, errors: stage.root / "log/put.err")
            try await across.barrier.reached()
            // Others could exchange the link that leads to the folder with its copy.
            let (unsafe, real) = (stage.documents / "a", stage.documents / "real")
            try Disk.move(unsafe / "b", to: real)
            try Disk.makeLink(unsafe / "b", to: "../real")
            try setMode(of: unsafe, 0o777)
            across.barrier.open()
            try await stage.expectListed("big.bin", state: "waiting", reasons: ["retrying"])
            try await stage.expectCounters(["seen": 1, "waiting": 1, "filed": 0])
            try setMode(of: unsafe, 0o755)
            try await retry(across)
            try await stage.expectCounters(["seen": 1, "filed": 1, "withdrawn": 0])
            #expect(try await put.ended() == .status(0), "\(Disk.text(stage.root / "log/put.err"))")
            #expect(Disk.text(output) == "\(unsafe)/b/big.bin\n")
            try await follower.expect("that it is filed") { $0.contains { $0["kind"]?.string == "filed" } }
            let numbers = try follower.events(of: "big.bin").map { $0["arrival"]?.integer }
            #expect(Set(numbers).count == 1 && numbers.first != .some(nil), "\(numbers)")
            try Disk.remove(unsafe / "b")
            try Disk.move(real, to: unsafe / "b")
            try await across.expect(["a/b/big.bin": AcrossStage.large()])
        }
    }

    @Test("One whose record cannot be written at the first try is reported as filed once, and not before")
    func reportedOnce() async throws {
        try await onStage(before: "write@/history.jsonl") { across in
            let stage = across.stage
            try await across.start()
            try Disk.put([65], at: stage.inbox / "letter.txt")
            try await across.barrier.reached()
            _ = try await stage.end(SIGKILL)
            across.barrier.open()
            stage.variables = ["INBOXD_FAULT=write@/history.jsonl:1:\(ENOSPC)"]
            try await across.start()
            let follower = try await Follower(stage, "recovery", ["--since=0"])
            try await stage.expectFiledRecords(1)
            try await follower.expect("that it is filed") { $0.contains { $0["kind"]?.string == "filed" } }
            try await stage.expectProblem(nil)
            #expect(try follower.count(of: "filed") == 1)
            let lines = Disk.text(stage.daemonLog).split(separator: "\n")
            #expect(lines.count { $0.contains("recovered the record of") } == 1, "\(lines)")
            try Disk.remove(stage.documents / "letter.txt")
        }
    }

    @Test("Undo says that one is still being filed")
    func undoUnderWay() async throws {
        try await onStage(before: "pwrite@/Documents/", at: 3) { across in
            try await across.start()
            try await across.beginCopy()
            let folder = try across.staged("big.bin").components.first { "\($0)".hasPrefix("source-") }
            let id = try #require(folder.map { "\($0)".dropFirst("source-".count) })
            let undo = try await across.stage.control(["undo", TestPath(String(id))])
            #expect(undo.exit == .status(1))
            #expect(undo.errors.contains("it is still being filed: try again in a moment"), "\(undo.errors)")
            across.barrier.open()
            try await across.expect(["big.bin": AcrossStage.large()])
        }
    }

    @Test("One whose return was interrupted is listed and counted, and neither gone nor unknown")
    func undone() async throws {
        try await onStage(before: "pwrite@/Inbox/", at: 3) { across in
            let stage = across.stage
            try await across.start()
            try across.moveIn(AcrossStage.large(), as: "big.bin")
            try await stage.expectFiledRecords(1)
            let id = TestPath(try #require(try stage.filedRecords().first?["id"]?.string))
            let undo = try Program(
                stage.controlProgram, ["--socket", stage.socket, "undo", id], environment: stage.environment,
                output: stage.root / "log/undo.out", errors: stage.root / "log/undo.err")
            try await across.barrier.reached()
            try await killAndStart(across, exposing: stage.documents)
            _ = try await undo.ended()
            let path = stage.documents / "big.bin"
            try await stage.expectListed("Documents/big.bin", state: "waiting", reasons: ["retrying"])
            try await stage.expectCounters(["seen": 1, "waiting": 1])
            #expect(try await stage.control(["explain", path]).output.contains("others may write in"))
            let refused = try await stage.control(["undo", id])
            #expect(refused.exit == .status(1))
            #expect(refused.errors.contains("its return to the Inbox was interrupted and has not ended"))
            #expect(refused.errors.split(separator: "\n").count == 1, "\(refused.errors)")
            try expose(in: stage.documents, false)
            try await retry(across, path)
            try await stage.expectCounters(["seen": 1, "waiting": 0, "withdrawn": 1])
            try await across.expect(["big.bin": AcrossStage.large()])
            #expect(try await stage.control(["undo", id]).exit == .status(0))
            try await stage.expectCounters(["seen": 2, "held": 1, "withdrawn": 1])
        }
    }

    @Test(
        "While the content of one is compared with that of its copy, others are copied, whether the journal has it or only notes",
        arguments: [false, true])
    func compared(isStateLost: Bool) async throws {
        try await onStage(before: "write@/history.jsonl") { across in
            let stage = across.stage
            try await across.start()
            try Disk.put(Array("letter".utf8), at: across.outside / "letter.txt")
            try Disk.link(across.outside / "letter.txt", to: across.outside / "another name")
            try Disk.move(across.outside / "letter.txt", to: across.inbox / "letter.txt")
            try await across.barrier.reached()
            _ = try await stage.end(SIGKILL)
            across.barrier.open()
            if isStateLost { try Disk.removeTree(stage.state) }
            // Its change time is another one now.
            try Disk.remove(across.outside / "another name")
            let comparison = try Barrier(at: stage.root / "comparison")
            defer { comparison.open() }
            stage.variables = ["INBOXD_FAULT=pread@/source-:1:WAIT=\(comparison.path)"]
            try await across.start()
            try await comparison.reached()
            try across.moveIn(Array("small".utf8), as: "small.txt")
            try await stage.expectCounters(["seen": 1, "waiting": 0, "filed": 1])
            try await stage.expectFiledRecords(2)
            #expect(try across.staged("letter.txt").components.count > 0, "its source is there until then")
            let record = try #require(
                stage.filedRecords().first { $0["source"]?.string?.hasSuffix("letter.txt") == true })
            let id = TestPath(try #require(record["id"]?.string))
            // Its source would find no copy of its own, and return beside it.
            let undo = try await stage.control(["undo", id])
            #expect(undo.errors.contains("its filing was interrupted and has not ended"), "\(undo)")
            comparison.open()
            try await across.expect(["letter.txt": Array("letter".utf8), "small.txt": Array("small".utf8)])
            #expect(try await stage.control(["undo", id]).exit == .status(0))
        }
    }
}
