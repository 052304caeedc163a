import Glibc
import InboxTestSupport
import Testing

/// What others do while a document is being copied to another filesystem.
@Suite(
    "A copy under way", .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
struct CopyUnderWayTests {
    func onStage(
        _ plan: String? = nil, before call: String = "pwrite@/Documents/", at when: [String] = ["3"],
        _ body: (AcrossStage) async throws -> Void
    ) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage(plan, before: call, at: when)
            do {
                try await body(across)
            } catch {
                across.barrier.open()
                Issue.record("\(error)\n\(await across.stage.report())")
            }
        }
    }

    @Test(
        "SIGTERM gives it up: its source returns to its name, nothing else is left, and the next start files it",
        arguments: [nil, "openat(O_TMPFILE):*:95"])
    func terminated(plan: String?) async throws {
        try await onStage(plan) { across in
            try await across.start()
            try await across.beginCopy()
            let source = across.inbox / "big.bin"
            let inode = try Disk.inode(across.staged("big.bin"))
            #expect(!Disk.exists(source))
            try await terminate(across)
            #expect(try Disk.inode(source) == inode && Disk.read(source) == AcrossStage.large())
            try await across.expect([:], left: ["big.bin"])
            #expect(!Disk.exists(across.stage.socket))

            try Disk.remove(across.barrier.path)
            try await across.start()
            try await across.stage.expectCounters(["seen": 1, "filed": 1])
            try await across.expect(["big.bin": AcrossStage.large()])
        }
    }

    @Test("SIGTERM returns a source to its folder, which is made again if somebody has removed it")
    func terminatedWithoutFolder() async throws {
        try await onStage { across in
            try Disk.makeFolder(across.outside / "sub")
            try Disk.put(AcrossStage.large(), at: across.outside / "sub/big.bin")
            try await across.start()
            try Disk.move(across.outside / "sub", to: across.inbox / "sub")
            try await across.barrier.reached()
            let folder = across.inbox / "sub"
            try Disk.check("rmdir", folder, folder.withCString { rmdir($0) })
            try await terminate(across)
            #expect(try Disk.read(folder / "big.bin") == AcrossStage.large())
            // The copy's folder in Documents was made for it, and stays.
            try await across.expect(["sub/": []], records: 0, left: ["sub/big.bin"])
        }
    }

    @Test("A source that SIGTERM returns gets the next free name where another document has its own")
    func terminatedBeside() async throws {
        try await onStage { across in
            try await across.start()
            try await across.beginCopy()
            try across.moveIn(Array("another".utf8), as: "big.bin")
            try await terminate(across)
            try await across.expect([:], left: ["big.bin", "big-1.bin"])
            #expect(Disk.text(across.inbox / "big.bin") == "another")
            #expect(try Disk.read(across.inbox / "big-1.bin") == AcrossStage.large())
        }
    }

    @Test("What waits for a copy when Documents has gone is tried again, and not at every turn of the loop")
    func gone() async throws {
        try await onStage { across in
            try await across.start()
            try await across.beginCopy()
            try across.moveIn([1], as: "small.txt")
            try await across.stage.expectListed("small.txt", state: "waiting", reasons: ["copying"])
            let (documents, away) = (across.stage.documents, across.stage.root / "away")
            try Disk.move(documents, to: away)
            across.barrier.open()
            try await across.stage.expectListed("small.txt", state: "waiting", reasons: ["retrying"])
            try Disk.move(away, to: documents)
            try await across.stage.expectCounters(["waiting": 0, "filed": 2])
            try await across.expect(["big.bin": AcrossStage.large(), "small.txt": [1]])
        }
    }

    /// Ends the daemon while its copy is at the barrier.
    func terminate(_ across: AcrossStage) async throws {
        guard let daemon = across.stage.daemon else { throw Failure("no daemon runs") }
        try await daemon.signalAndWait(SIGTERM)
        #expect(daemon.exit == nil, "it ends once the source has been put back")
        across.barrier.open()
        #expect(try await daemon.ended() == .status(0))
    }

    @Test(
        "Nobody reaches its source by its path, and it is filed as it was", arguments: [nil, "openat(O_TMPFILE):*:95"])
    func unreachable(plan: String?) async throws {
        try await onStage(plan) { across in
            try await across.start()
            try await across.beginCopy()
            let source = across.inbox / "big.bin"
            let (other, another) = (across.inbox / "other.bin", across.outside / "other.bin")
            let attempts: [(name: String, number: Int32)] = [
                ("open to read", errorNumber { source.withCString { open($0, O_RDONLY | O_CLOEXEC) } }),
                ("open to write", errorNumber { source.withCString { open($0, O_WRONLY | O_NONBLOCK | O_CLOEXEC) } }),
                ("truncate", errorNumber { source.withCString { truncate($0, 5) } }),
                ("unlink", errorNumber { source.withCString { unlink($0) } }),
                ("rename", errorNumber { source.withCString { from in other.withCString { rename(from, $0) } } }),
                ("link", errorNumber { source.withCString { from in another.withCString { link(from, $0) } } }),
            ]
            for attempt in attempts { #expect(attempt.number == ENOENT, "\(attempt.name)") }
            let staging = try across.staged("big.bin").parent.parent
            #expect(try Disk.mode(staging) == 0o700, "nobody else may enter \(staging)")
            across.barrier.open()
            try await across.stage.expectCounters(["seen": 1, "filed": 1])
            try await across.expect(["big.bin": AcrossStage.large()])
        }
    }

    @Test("What a kill left in a staging folder that others may write in is listed, counted and explained meanwhile")
    func interrupted() async throws {
        try await onStage { across in
            let stage = across.stage
            let source = across.inbox / "big.bin"
            try await across.start()
            try await across.beginCopy()
            let staging = try across.staged("big.bin").parent.parent
            guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
            daemon.signal(SIGKILL)
            _ = try await daemon.ended()
            across.barrier.open()
            _ = staging.withCString { chmod($0, 0o777) }
            try await across.start()
            try await stage.expectListed("big.bin", state: "waiting", reasons: ["retrying"])
            try await stage.expectCounters(["seen": 1, "waiting": 1, "filed": 0])
            let waiting = try await stage.control(["explain", source])
            #expect(waiting.exit == .status(0) && waiting.output.contains("waiting (retrying): "), "\(waiting)")
            #expect(waiting.output.contains("chmod it to 700"), "what to do is missing: \(waiting)")
            _ = staging.withCString { chmod($0, 0o700) }
            #expect(try await stage.control(["retry"]).exit == .status(0))
            try await across.barrier.reached()
            across.barrier.open()
            try await stage.expectCounters(["seen": 2, "waiting": 0, "withdrawn": 1, "filed": 1])
            #expect(try await stage.control(["list"]).output.isEmpty)
            try await across.expect(["big.bin": AcrossStage.large()])
        }
    }

    @Test("A file that gets the name of its source is another document, and both are filed")
    func replaced() async throws {
        try await onStage { across in
            try await across.start()
            try await across.beginCopy()
            try across.moveIn(Array("another".utf8), as: "big.bin")
            across.barrier.open()
            try await across.stage.expectCounters(["seen": 2, "withdrawn": 0, "filed": 2])
            try await across.expect(["big.bin": AcrossStage.large(), "big-1.bin": Array("another".utf8)])
        }
    }

    @Test("Documents on one filesystem are filed meanwhile, and the daemon answers")
    func others() async throws {
        try await onStage { across in
            try await across.start()
            try await across.beginCopy()
            let stage = across.stage
            for index in 0..<100 { try stage.moveIn([UInt8(index)], as: TestPath("\(index).txt")) }
            try await stage.expectCounters(["seen": 101, "filed": 100, "waiting": 1])
            try await expectListed(across, "big.bin", reason: "copying")
            let words = try await stage.control(["status"])
            #expect(words.exit == .status(0) && words.output.contains("bytes ("), "\(words.output)")
            across.barrier.open()
            try await stage.expectCounters(["seen": 101, "filed": 101, "waiting": 0])
            let small = (0..<100).map { (TestPath("\($0).txt"), [UInt8($0)]) }
            try await across.expect(Dictionary(uniqueKeysWithValues: small + [("big.bin", AcrossStage.large())]))
        }
    }

    @Test("A small file is filed from the same Inbox while a large one is copied")
    func small() async throws {
        try await onStage { across in
            try await across.start()
            // A lane of its own has what is larger than all that one job copies of many.
            let large = AcrossStage.large() + AcrossStage.large(9) + [UInt8](repeating: 17, count: 1 << 20)
            try across.moveIn(large, as: "big.bin")
            try await across.barrier.reached()
            try across.moveIn([65], as: "small.txt")
            try await across.stage.expectCounters(["seen": 2, "filed": 1, "waiting": 1])
            #expect(Disk.text(across.stage.documents / "small.txt") == "A")
            try await expectListed(across, "big.bin", reason: "copying")
            across.barrier.open()
            try await across.stage.expectCounters(["filed": 2, "waiting": 0])
            try await across.expect(["big.bin": large, "small.txt": [65]])
        }
    }

    @Test("SIGHUP changes nothing about it")
    func reloaded() async throws {
        try await onStage { across in
            try await across.start()
            try await across.beginCopy()
            for round in 1...3 {
                across.stage.daemon?.signal(SIGHUP)
                try await eventually {
                    let count = Disk.text(across.stage.daemonLog).ranges(of: "reloaded the config").count
                    return count >= round ? nil : "reloaded \(count) times"
                }
            }
            try await expectListed(across, "big.bin", reason: "copying")
            across.barrier.open()
            try await across.stage.expectCounters(["seen": 1, "filed": 1, "waiting": 0])
            try await across.expect(["big.bin": AcrossStage.large()])
        }
    }

    @Test("The counters balance at every step of several copies")
    func balanced() async throws {
        try await onStage(at: ["*"]) { across in
            try await across.start()
            for index in 0..<3 { try across.moveIn(AcrossStage.large(UInt8(index)), as: TestPath("\(index).bin")) }
            for index in 0..<30 { try across.stage.moveIn([65], as: TestPath("\(index).txt")) }
            var seenCopying = 0
            try await eventually(every: .zero) {
                // Each status that is read is held to the equation of guarantee 6.
                let counters = try await across.stage.counters()
                if counters["filed"] == 33 { return nil }
                guard try across.barrier.isReached() else { return "no copy waits: \(counters)" }
                let (before, listed) = (try await across.stage.counters(), try await across.stage.list())
                if listed.contains(where: { $0.reason == "copying" }) { seenCopying += 1 }
                across.barrier.open()
                return "filed are \(before["filed", default: 0]) of 33"
            }
            #expect(seenCopying > AcrossStage.mebibytes)
            try await across.stage.expectCounters(["seen": 33, "filed": 33, "waiting": 0])
        }
    }

    /// Waits until the copier's Inbox has the document in this state.
    func expectListed(_ across: AcrossStage, _ name: TestPath, reason: String) async throws {
        try await across.stage.expectListed(name, state: "waiting", reasons: [reason])
    }
}
