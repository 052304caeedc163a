import Glibc
import InboxTestSupport
import Testing

/// With `OnConflict=skip-identical`, somebody's long row of documents of one size may take long to compare.
@Suite("While a document is compared with what is at its destination")
struct ComparingTests {
    private static let comparing: TestPath = "Inbox.OnConflict=skip-identical"

    @Test("A small document is filed, and so is a large one of the same user's")
    func small() async throws {
        try await onComparison(at: "pread@/Documents/letter.txt:1", ["INBOXD_COMPARING_TIME=0"]) { stage, barrier in
            try Disk.put([65], at: stage.documents / "letter.txt")
            try stage.moveIn([66], as: "letter.txt")
            try await barrier.reached()
            try stage.moveIn([67], as: "small.txt")
            try await stage.expectCounters(["seen": 2, "filed": 1, "waiting": 1])
            #expect(Disk.text(stage.documents / "small.txt") == "C")
            #expect(
                try await stage.control(["list"]).output.contains("it is compared with a document of its size"))
            try stage.moveIn([UInt8](repeating: 68, count: 9 << 20), as: "large.bin")
            try await stage.expectCounters(["seen": 3, "filed": 2, "waiting": 1])
            barrier.open()
            try await stage.expectCounters(["filed": 3, "waiting": 0])
            #expect(Disk.text(stage.documents / "letter-1.txt") == "B")
        }
    }

    @Test(
        "A small document is copied to another filesystem",
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
    func copied() async throws {
        try await Gate.daemons.pass {
            // The first two calls are those of the batch that finds that it has to be copied.
            let across = try AcrossStage(
                before: "pread@/Documents/letter.txt", at: ["3"], settings: [Self.comparing])
            let stage = across.stage
            stage.variables.append("INBOXD_COMPARING_TIME=0")
            try Disk.put([65], at: stage.documents / "letter.txt")
            try await across.start()
            try across.moveIn([66], as: "letter.txt")
            try await across.barrier.reached()
            try across.moveIn([67], as: "small.txt")
            try await stage.expectCounters(["seen": 2, "filed": 1, "waiting": 1])
            across.barrier.open()
            try await across.expect(["letter.txt": [65], "letter-1.txt": [66], "small.txt": [67]], records: 2)
        }
    }

    @Test(
        "SIGTERM ends the daemon although a copy is yet to be sent on to where nobody waits for its comparison",
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
    func terminated() async throws {
        try await Gate.daemons.pass {
            // The third MiB of the first document, and that of the second one.
            let across = try AcrossStage(at: ["3", "\(AcrossStage.mebibytes + 3)"], settings: [Self.comparing])
            let stage = across.stage
            stage.variables.append("INBOXD_COMPARING_TIME=0")
            try Disk.put([65], at: stage.documents / "letter.txt")
            try await across.start()
            try await across.beginCopy(of: "first.bin")
            // These share the next job.
            try across.moveIn([66], as: "letter.txt")
            try await stage.expectListed("letter.txt", state: "waiting", reasons: ["copying"])
            try across.moveIn(AcrossStage.large(), as: "second.bin")
            try await stage.expectListed("second.bin", state: "waiting", reasons: ["copying"])
            across.barrier.open()
            try await stage.expectCounters(["filed": 1, "waiting": 2])
            try await across.barrier.reached()
            let daemon = try #require(stage.daemon)
            try await daemon.signalAndWait(SIGTERM)
            across.barrier.open()
            #expect(try await daemon.ended() == .status(0))
            let left = Set(try Disk.leaves(of: across.inbox))
            #expect(left == ["letter.txt", "second.bin"])
        }
    }

    @Test("Somebody who opens it for writing does not wait for the end of that")
    func writer() async throws {
        try await onComparison(at: "pread@/Documents/letter.bin:*") { stage, barrier in
            // Large, so that no time is measured.
            let large = AcrossStage.large()
            try Disk.put(large, at: stage.documents / "letter.bin")
            try stage.moveIn(large, as: "letter.bin")
            try await barrier.reached()
            let source = stage.inbox / "letter.bin"
            let writer = try WaitingWriter { try Disk.open(source, O_WRONLY) }
            try await AcrossStage.expectBreaking(source)
            barrier.open()
            let descriptor = try await writer.opened()
            #expect(try !barrier.isReached(), "the comparison has gone on")
            try Disk.remove(barrier.path)
            #expect(pwrite(descriptor, [0xff], 1, 0) == 1)
            close(descriptor)
            try await stage.expectCounters(["seen": 1, "filed": 1, "duplicates": 0])
            #expect(try Disk.read(stage.documents / "letter-1.bin").first == 0xff)
        }
    }

    /// A daemon that stops at a call of a comparison.
    private func onComparison(
        at call: String, _ variables: [String] = [], _ body: (Stage, Barrier) async throws -> Void
    ) async throws {
        let settings = ["Inbox.Settle=0", Self.comparing]
        try await onStage(stoppedAt: call, settings: settings, variables: variables, body)
    }
}
