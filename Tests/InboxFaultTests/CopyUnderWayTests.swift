import Glibc
import InboxTestSupport
import Testing

/// What others do while a document is being copied to another filesystem.
@Suite(
    "A copy under way", .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
struct CopyUnderWayTests {
    private func onStage(
        _ plan: String? = nil, at when: String = "3", _ body: (AcrossStage) async throws -> Void
    ) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage(plan, at: when)
            do {
                try await body(across)
            } catch {
                across.barrier.open()
                Issue.record("\(error)\n\(await across.stage.report())")
            }
        }
    }

    @Test(
        "SIGTERM gives it up: nothing of it is left, its source is untouched, and the next start files it",
        arguments: [nil, "openat(O_TMPFILE):*:95"])
    func terminated(plan: String?) async throws {
        try await onStage(plan) { across in
            try await across.start()
            try await across.beginCopy()
            let source = across.inbox / "big.bin"
            let inode = try Disk.inode(source)
            guard let daemon = across.stage.daemon else { throw Failure("no daemon runs") }
            try await daemon.signalAndWait(SIGTERM)
            #expect(daemon.poll() == nil, "it ends once the copy has been cleared away")
            across.barrier.open()
            #expect(try await daemon.ended() == .status(0))
            #expect(try Disk.inode(source) == inode && Disk.read(source) == AcrossStage.large())
            try await across.expect([:], left: ["big.bin"])
            #expect(!Disk.exists(across.stage.socket))

            try Disk.remove(across.barrier.path)
            try await across.start()
            try await across.stage.expectCounters(["seen": 1, "filed": 1])
            try await across.expect(["big.bin": AcrossStage.large()])
        }
    }

    @Test(
        "Somebody who writes to its source ends it, and the source is filed once, with what was written",
        arguments: [nil, "openat(O_TMPFILE):*:95"])
    func writer(plan: String?) async throws {
        try await onStage(plan) { across in
            try await across.start()
            try await across.beginCopy()
            let source = across.inbox / "big.bin"
            // The lease is asked back by the first one; the second one waits for it.
            let refused = source.withCString { open($0, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
            #expect(refused < 0 && errno == EWOULDBLOCK)
            async let opened = onOwnThread { try Disk.open(source, O_WRONLY | O_APPEND) }
            across.barrier.open()
            let descriptor = try await opened
            var isOpen = true
            defer { if isOpen { close(descriptor) } }
            try await expectListed(across, "big.bin", reason: "writing")
            try Disk.write(Array("and more".utf8), to: descriptor, source)
            try await across.expect([:], left: ["big.bin"])
            close(descriptor)
            isOpen = false
            try await across.stage.expectCounters(["seen": 1, "filed": 1])
            try await across.expect(["big.bin": AcrossStage.large() + Array("and more".utf8)])
        }
    }

    @Test("A source that is truncated is filed once, as what it became")
    func truncated() async throws {
        try await onStage { across in
            try await across.start()
            try await across.beginCopy()
            let source = across.inbox / "big.bin"
            let refused = source.withCString { open($0, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
            #expect(refused < 0 && errno == EWOULDBLOCK)
            async let cut = onOwnThread { try Disk.check("truncate", source, source.withCString { truncate($0, 5) }) }
            across.barrier.open()
            _ = try await cut
            try await across.stage.expectCounters(["seen": 1, "filed": 1])
            try await across.expect(["big.bin": [1, 1, 1, 1, 1]])
        }
    }

    @Test("A source that is renamed is filed once, under its new name", arguments: [nil, "openat(O_TMPFILE):*:95"])
    func renamed(plan: String?) async throws {
        try await onStage(plan) { across in
            try await across.start()
            try await across.beginCopy()
            try Disk.move(across.inbox / "big.bin", to: across.inbox / "other.bin")
            across.barrier.open()
            try await across.stage.expectCounters(["waiting": 0, "filed": 1])
            try await across.expect(["other.bin": AcrossStage.large()])
        }
    }

    @Test("A source that is removed is withdrawn, and nothing of it is filed")
    func removed() async throws {
        try await onStage { across in
            try await across.start()
            try await across.beginCopy()
            try Disk.remove(across.inbox / "big.bin")
            across.barrier.open()
            try await across.stage.expectCounters(["seen": 1, "withdrawn": 1, "filed": 0])
            try await across.expect([:])
        }
    }

    @Test("A source that another file replaces is withdrawn, and the other one is filed")
    func replaced() async throws {
        try await onStage { across in
            try await across.start()
            try await across.beginCopy()
            try across.moveIn(Array("another".utf8), as: "big.bin")
            across.barrier.open()
            try await across.stage.expectCounters(["seen": 2, "withdrawn": 1, "filed": 1])
            try await across.expect(["big.bin": Array("another".utf8)])
        }
    }

    @Test("Documents on one filesystem are filed meanwhile, and the daemon answers")
    func others() async throws {
        try await onStage { across in
            try await across.start()
            try await across.beginCopy()
            let stage = across.stage
            for index in 0..<100 { try stage.moveIn([UInt8(index)], as: BytePath("\(index).txt")) }
            try await stage.expectCounters(["seen": 101, "filed": 100, "waiting": 1])
            try await expectListed(across, "big.bin", reason: "copying")
            let words = try await stage.control(["status"])
            #expect(words.exit == .status(0) && words.output.contains("bytes ("), "\(words.output)")
            across.barrier.open()
            try await stage.expectCounters(["seen": 101, "filed": 101, "waiting": 0])
            let small = (0..<100).map { (BytePath("\($0).txt"), [UInt8($0)]) }
            try await across.expect(Dictionary(uniqueKeysWithValues: small + [("big.bin", AcrossStage.large())]))
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
        try await onStage(at: "*") { across in
            try await across.start()
            for index in 0..<3 { try across.moveIn(AcrossStage.large(UInt8(index)), as: BytePath("\(index).bin")) }
            for index in 0..<30 { try across.stage.moveIn([65], as: BytePath("\(index).txt")) }
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
    private func expectListed(_ across: AcrossStage, _ name: BytePath, reason: String) async throws {
        try await across.stage.expectListed(name, state: "waiting", reasons: [reason])
    }
}
