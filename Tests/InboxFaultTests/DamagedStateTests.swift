import Glibc
import InboxTestSupport
import Testing

/// Files of the state folder that the daemon cannot use: it says so, once, and goes on as soon as somebody has mended it.
@Suite("A damaged file of the state folder")
struct DamagedStateTests {
    private func onStage(_ row: String, _ body: (Stage) async throws -> Void) async throws {
        try await Gate.daemons.pass {
            // Nothing is left of the place when this is gone.
            let files = try FaultStage(try FaultRow.named(row))
            try await body(files.stage)
            withExtendedLifetime(files) {}
        }
    }

    /// The words of all problems, once there is one.
    private func problem(of stage: Stage) async throws -> String {
        var words = ""
        try await eventually {
            let status = try await stage.status()
            words = "\(status["problems"] ?? .null)"
            return status["state"]?.string == "degraded" ? nil : "there is no problem"
        }
        return words
    }

    private func expectWatching(_ stage: Stage) async throws {
        try await eventually {
            let status = try await stage.status()
            return status["state"]?.string == "watching" ? nil : "\(status["problems"] ?? .null)"
        }
    }

    private func logged(_ words: String, by stage: Stage) -> Int {
        Disk.text(stage.daemonLog).split(separator: "\n").count { $0.contains(words) }
    }

    @Test(
        "A state folder or a journal that others may write to is not used until it is closed",
        arguments: [(0o777, 0o600), (0o770, 0o600), (0o720, 0o600), (0o755, 0o660), (0o755, 0o602)]
            as [(mode_t, mode_t)])
    func writable(folder: mode_t, journal: mode_t) async throws {
        try await onStage("same filesystem") { stage in
            try Disk.makeFolders(stage.state)
            try Disk.put([], at: stage.state / "journal")
            _ = (stage.state / "journal").withCString { chmod($0, journal) }
            _ = stage.state.withCString { chmod($0, folder) }
            try await stage.start()
            let words = try await problem(of: stage)
            let place = folder == 0o755 ? stage.state / "journal" : stage.state
            #expect(words.contains("others may write to \(place):"), "\(words)")
            _ = stage.state.withCString { chmod($0, 0o700) }
            #expect(try await stage.control(["retry"]).exit == .status(0))
            try await expectWatching(stage)
            #expect(try await stage.end(SIGTERM) == .status(0))
        }
    }

    @Test(
        "A state folder like a new tmpfs is used, except with a file that somebody else made there",
        .enabled(if: geteuid() == 0, "only root makes files of others"))
    func sticky() async throws {
        try await onStage("same filesystem") { stage in
            try Disk.makeFolders(stage.state)
            _ = stage.state.withCString { chmod($0, 0o1777) }
            try Disk.put([], at: stage.state / "journal")
            _ = (stage.state / "journal").withCString { chown($0, 65534, 65534) }
            try await stage.start()
            let words = try await problem(of: stage)
            #expect(words.contains("user 65534 owns \(stage.state)/journal"), "\(words)")
            try Disk.remove(stage.state / "journal")
            #expect(try await stage.control(["retry"]).exit == .status(0))
            try await expectWatching(stage)
            #expect(try await stage.end(SIGTERM) == .status(0))
        }
    }

    @Test("A history of 1 TiB without a line keeps no start waiting, and stays as it is until somebody moves it")
    func history() async throws {
        try await onStage("same filesystem") { stage in
            let history = stage.state / "history.jsonl"
            try Disk.makeFolders(stage.state)
            try Disk.put([], at: history)
            try Disk.check("truncate", history, history.withCString { truncate($0, 1 << 40) })
            try await stage.start()
            let words = try await problem(of: stage)
            #expect(words.contains("history.jsonl ends with more than 64 MiB without a line: move it away"), "\(words)")
            #expect(Disk.exists(stage.inbox / "letter.txt"))
            try Disk.move(history, to: stage.root / "moved")
            try await stage.expectFiledRecords(1)
            try await expectWatching(stage)
            #expect(logged("without a line", by: stage) == 2, "once when it begins, once when it ends")
        }
    }

    @Test("While the daemon runs, what somebody puts in the place of the history gets a name of its own")
    func replacedHistory() async throws {
        try await onStage("same filesystem") { stage in
            try await stage.start()
            try await stage.expectFiledRecords(1)
            let (history, other) = (stage.state / "history.jsonl", stage.root / "other")
            try Disk.put([], at: other)
            try Disk.check("truncate", other, other.withCString { truncate($0, 1 << 40) })
            try Disk.move(history, to: stage.root / "moved")
            try Disk.move(other, to: history)
            try Disk.put([1], at: stage.inbox / "b.txt")
            try await stage.expectCounters(["filed": 2])
            #expect(Disk.text(history).contains("b.txt"))
        }
    }

    @Test("An identifier that is a link, wherever it leads, is a problem until it is removed")
    func link() async throws {
        try await onStage("same filesystem") { stage in
            try Disk.makeFolders(stage.state)
            try Disk.makeLink(stage.state / "instance", to: "/nonexistent/instance")
            try await stage.start()
            let words = try await problem(of: stage)
            #expect(words.contains("instance is a symbolic link"), "\(words)")
            try Disk.remove(stage.state / "instance")
            try await stage.expectFiledRecords(1)
            try await expectWatching(stage)
            #expect(logged("is a symbolic link", by: stage) == 2, "once when it begins, once when it ends")
        }
    }

    @Test(
        "An identifier that cannot be written is a problem that names its file, and once it can be the copy is made",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"),
        arguments: ["write@/state/instance:*:28", "fdatasync@/state/instance:*:5", "openat@/state/instance:2+:13"])
    func unwritable(_ plan: String) async throws {
        try await onStage("across") { stage in
            stage.variables = ["INBOXD_FAULT=\(plan)"]
            try await stage.start()
            let words = try await problem(of: stage)
            #expect(words.contains("cannot write \(stage.state)/instance"), "\(words)")
            #expect(Disk.exists(stage.inbox / "letter.txt"))
            #expect(logged("cannot write \(stage.state)/instance", by: stage) == 1, "\(Disk.text(stage.daemonLog))")
            #expect(logged("nothing more can be written", by: stage) == 0)
            #expect(try await stage.end(SIGTERM) == .status(0))
            stage.variables = []
            try await stage.start()
            try await stage.expectFiledRecords(1)
            try await expectWatching(stage)
        }
    }
}
