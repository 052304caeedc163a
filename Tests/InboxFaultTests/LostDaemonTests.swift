import Glibc
import InboxTestSupport
import Testing

@Suite("A daemon that is killed with a document claimed, and never comes back")
struct LostDaemonTests {
    @Test(
        "As long as it runs, its staging folder is no problem for another daemon",
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
    func running() async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage(before: "pwrite@/Documents/", at: ["3"])
            try await across.start()
            try await across.beginCopy()
            let stage = across.stage
            let places: [TestPath] = ["--state", stage.root / "other", "--socket", stage.root / "t"]
            let faults = stage.variables
            stage.variables = []
            let run = try await stage.run(
                stage.daemonProgram, stage.standardArguments + ["--inbox", across.inbox] + places + ["--once"])
            stage.variables = faults
            #expect(run.exit == .status(0))
            #expect(!run.errors.contains("staging folder"), "\(run.errors)")
            across.barrier.open()
            try await stage.expectCounters(["waiting": 0, "filed": 1])
        }
    }

    @Test("A retry at another daemon returns the document to the Inbox and files it")
    func retried() async throws { try await retry(inboxOn: nil) }

    @Test(
        "A retry does so from another filesystem as well",
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
    func retriedAcross() async throws { try await retry(inboxOn: try OtherFilesystem()) }

    private func retry(inboxOn other: OtherFilesystem?) async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=1h"], inboxOn: other)
            defer { stage.close() }
            try await stage.start()
            try Disk.put(Array("a letter".utf8), at: stage.inbox / "a.txt")
            try await stage.expectListed("a.txt", state: "waiting", reasons: ["settling"])
            // It has claimed the document when it is to give the copy, or the document itself, its name.
            let lost = stage.root / "lost"
            stage.variables = ["INBOXD_FAULT=renameat2:*:22;linkat:1:KILL"]
            let places: [TestPath] = ["--state", lost, "--socket", stage.root / "t"]
            let run = try await stage.run(
                stage.daemonProgram,
                stage.standardArguments + places + ["--set", "Inbox.Settle=0", "--once"])
            stage.variables = []
            #expect(run.exit == .signal(9), "\(run.errors)")
            try Disk.removeTree(lost)
            try await stage.expectUnlisted("a.txt")
            #expect(!Disk.exists(stage.documents / "a.txt"))
            #expect(!Disk.exists(stage.inbox / "a.txt"))

            // The status says whether the daemon has met it before, which is not asked here.
            _ = try await stage.control(["retry"])
            try await stage.expectFiledRecords(1)
            #expect(try Disk.read(stage.documents / "a.txt") == Array("a letter".utf8))
            // Staging folders go last.
            try await eventually {
                let left = try Disk.leaves(of: stage.documents) + Disk.leaves(of: stage.inbox)
                return Set(left).subtracting(["a.txt", "Inbox/"]).isEmpty ? nil : "there are \(left)"
            }
        }
    }

    @Test(
        "A daemon that runs all the time finds what it had claimed, without a request",
        .enabled(if: Extent.isFull, Comment(rawValue: Extent.reason)),
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
    func unasked() async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0"], inboxOn: try OtherFilesystem())
            defer { stage.close() }
            try await stage.start()
            #expect(try await stage.control(["pause"]).exit == .status(0))
            try Disk.put(Array("a letter".utf8), at: stage.inbox / "a.txt")
            stage.variables = ["INBOXD_FAULT=renameat2:*:22;linkat:1:KILL"]
            let places: [TestPath] = ["--state", stage.root / "lost", "--socket", stage.root / "t"]
            let run = try await stage.run(
                stage.daemonProgram, stage.standardArguments + places + ["--once"])
            stage.variables = []
            #expect(run.exit == .signal(9), "\(run.errors)")
            #expect(!Disk.exists(stage.inbox / "a.txt"))
            #expect(try await stage.control(["resume"]).exit == .status(0))
            try await eventually(within: Deadline.usual * 3) {
                try stage.filedRecords().count == 1 ? nil : "it is not filed"
            }
            #expect(try Disk.read(stage.documents / "a.txt") == Array("a letter".utf8))
        }
    }

    @Test("A daemon of the same Documents returns what was claimed to the Inbox that it came from, not to its own")
    func otherInbox() async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0"])
            defer { stage.close() }
            stage.variables = ["INBOXD_FAULT=renameat2:*:22;linkat:1:KILL"]
            try Disk.makeFolders(stage.inbox / "a")
            try Disk.put(Array("a letter".utf8), at: stage.inbox / "a/b.txt")
            try await stage.runDaemon(["--once"])
            #expect(stage.lastRun?.exit == .signal(9))
            #expect(!Disk.exists(stage.inbox / "a/b.txt"))

            stage.variables = ["INBOXD_FAULT=renameat2:*:22"]
            let places: [TestPath] = ["--state", stage.root / "other", "--socket", stage.root / "t"]
            try await stage.runDaemon(["--inbox", stage.documents / "Other", "--once"] + places)
            #expect(stage.lastRun?.exit == .status(0))
            let leaves = try Disk.leaves(of: stage.documents)
            #expect(Set(leaves) == ["Inbox/a/b.txt", "Other/", "a/"], "\(leaves): \(stage.lastRun?.errors ?? "")")
        }
    }
}
