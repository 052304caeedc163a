import Glibc
import InboxTestSupport
import Testing

/// Filesystems without `RENAME_NOREPLACE`, where a document gets a second name before its first one goes.
@Suite("Second names")
struct SecondNameTests {
    /// The daemon stops when the second name is there, before the first one goes: the second sync beneath Documents is
    /// that of the destination.
    private static let plan = "renameat2:*:22;fsync@/Documents:2:STOP"

    private func stopped(_ body: (Stage) throws -> Void, then: (Stage) async throws -> Void) async throws {
        try await onStage { stage in
            stage.variables = ["INBOXD_FAULT=\(Self.plan)"]
            try await stage.start()
            try Disk.put(Array("a letter".utf8), at: stage.root / "outside/letter.txt")
            try Disk.move(stage.root / "outside/letter.txt", to: stage.inbox / "letter.txt")
            try await eventually { try Self.isStopped(stage) ? nil : "the daemon does not stop" }
            #expect(try Disk.inode(stage.documents / "letter.txt") == Disk.inode(stage.inbox / "letter.txt"))
            try body(stage)
            stage.daemon?.signal(SIGCONT)
            try await then(stage)
        }
    }

    private static func isStopped(_ stage: Stage) throws -> Bool {
        guard let daemon = stage.daemon, daemon.poll() == nil else { throw Failure("the daemon has ended") }
        let fields = Disk.text(BytePath("/proc/\(daemon.processID)/stat")).split(separator: " ")
        return fields.count > 2 && fields[2] == "T"
    }

    @Test("What somebody puts over the second name while the first one goes is theirs, and stays")
    func replaced() async throws {
        try await stopped { stage in
            try Disk.put(Array("another's".utf8), at: stage.root / "outside/other")
            try Disk.move(stage.root / "outside/other", to: stage.documents / "letter.txt")
            try Disk.remove(stage.inbox / "letter.txt")
        } then: { stage in
            try await stage.expectCounters(["seen": 1, "withdrawn": 1, "filed": 0])
            #expect(Disk.text(stage.documents / "letter.txt") == "another's")
        }
    }

    @Test("A document whose first name its owner removes at that moment has moved: its only name stays")
    func lastName() async throws {
        try await stopped { stage in
            try Disk.remove(stage.inbox / "letter.txt")
        } then: { stage in
            try await stage.expectCounters(["seen": 1, "filed": 1])
            #expect(Disk.text(stage.documents / "letter.txt") == "a letter")
        }
    }

    @Test("What somebody puts over the first name at that moment is another document, and is filed too")
    func overwritten() async throws {
        try await stopped { stage in
            try Disk.put(Array("a new letter".utf8), at: stage.root / "outside/new")
            try Disk.move(stage.root / "outside/new", to: stage.inbox / "letter.txt")
        } then: { stage in
            try await eventually {
                Disk.text(stage.documents / "letter-1.txt") == "a new letter" ? nil : "the new letter is not filed"
            }
            #expect(Disk.text(stage.documents / "letter.txt") == "a letter")
            try await stage.expectFiledRecords(2)
        }
    }

    @Test("A document that its owner renames at that moment is taken back, and filed under its new name")
    func renamed() async throws {
        try await stopped { stage in
            try Disk.move(stage.inbox / "letter.txt", to: stage.inbox / "post.txt")
        } then: { stage in
            try await eventually { Disk.text(stage.documents / "post.txt") == "a letter" ? nil : "not filed" }
            #expect(!Disk.exists(stage.documents / "letter.txt"))
            try await stage.expectFiledRecords(1)
        }
    }
}

/// A state folder on such a filesystem.
@Suite("Rotation without RENAME_NOREPLACE")
struct LinkedRotationTests {
    @Test("A history that is full is begun anew, killed at any call or not")
    func rotation() async throws {
        var row = try FaultRow.named("rotation")
        row.standing = "renameat2:*:22"
        let undisturbed = try FaultStage(row)
        let run = try await undisturbed.run()
        #expect(run.exit == .status(0) && !run.errors.contains("cannot begin a new history"), "\(run.errors)")
        try undisturbed.expectAllFiled()
        let names = try Disk.names(in: undisturbed.stage.state)
        #expect(names.contains { "\($0)".hasPrefix("history-2") }, "\(names)")
        let first = try #require(
            run.trace.calls.firstIndex { $0.name == "fdatasync" && $0.subject.hasSuffix("/history.jsonl") })
        try await Sweep.numbers(from: first, row, "killed") { [row] number in
            let stage = try FaultStage(row)
            guard try await stage.run("*:\(number):KILL").exit == .signal(9) else { return true }
            let run = try await stage.run()
            guard run.exit == .status(0) else { throw Failure("the run after it: \(run.errors)") }
            try stage.expectAllFiled()
            return false
        }
    }
}
