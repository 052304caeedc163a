import Glibc
import InboxTestSupport
import Testing

/// What others do between the last check and the call that it was made for: the daemon is stopped right there.
@Suite("Between the check and the call")
struct BetweenCallsTests {
    /// The ways in which a name is moved: to its place, or claimed where no rename spares what exists.
    static let moves: [(plan: String, standing: String?)] = [
        ("renameat2@/Inbox/letter.txt:1:STOP", nil), ("renameat@/source-:1:STOP", "renameat2:*:22"),
    ]

    @Test("A file that takes a document's name at the last moment is not filed while it is open", arguments: moves)
    func replaced(_ plan: String, _ standing: String?) async throws {
        try await stopped(at: plan, standing) { stage in
            // Written to under a hidden name, and put over the document before it is complete.
            let hidden = stage.inbox / ".letter"
            let descriptor = try Disk.open(hidden, O_WRONLY | O_CREAT)
            defer { close(descriptor) }
            try Disk.write(Array("half".utf8), to: descriptor, hidden)
            try Disk.move(hidden, to: stage.inbox / "letter.txt")
            try stage.proceed()
            // Another document goes all the way meanwhile: by then the first one had its chance.
            try Disk.put([1], at: stage.inbox / "other.txt")
            try await eventually { Disk.exists(stage.documents / "other.txt") ? nil : "other.txt is not filed" }
            var info = stat()
            #expect(fstat(descriptor, &info) == 0)
            #expect(try Disk.inode(stage.inbox / "letter.txt") == UInt64(info.st_ino), "it is in the Inbox")
            try Disk.write(Array(" and half".utf8), to: descriptor, hidden)
        } then: { stage in
            try await eventually { Disk.text(stage.documents / "letter.txt") == "half and half" ? nil : "not filed" }
            try await stage.expectFiledRecords(2)
            #expect(try stage.filedRecords().contains { $0["size"]?.integer == 13 })
        }
    }

    @Test("A link that takes a document's name at the last moment stays in the Inbox", arguments: moves)
    func replacedByLink(_ plan: String, _ standing: String?) async throws {
        try await stopped(at: plan, standing) { stage in
            try Disk.remove(stage.inbox / "letter.txt")
            try Disk.put(Array("outside".utf8), at: stage.root / "outside/file")
            let made = (stage.inbox / "letter.txt").withCString { symlink("../../outside/file", $0) }
            #expect(made == 0)
            try stage.proceed()
        } then: { stage in
            try await stage.expectListed("letter.txt", state: "held", reasons: ["symlink"])
            try await expectNothing(in: stage)
            #expect(try Disk.linkTarget(stage.inbox / "letter.txt") == "../../outside/file")
            #expect(Disk.text(stage.root / "outside/file") == "outside")
        }
    }

    @Test("A name that is taken at the last moment is left alone", arguments: moves)
    func taken(_ plan: String, _ standing: String?) async throws {
        try await stopped(at: plan, standing) { stage in
            try Disk.put(Array("another's".utf8), at: stage.documents / "letter.txt")
            try stage.proceed()
        } then: { stage in
            try await eventually { Disk.text(stage.documents / "letter-1.txt") == "a letter" ? nil : "not filed" }
            #expect(Disk.text(stage.documents / "letter.txt") == "another's")
        }
    }

    @Test("A document that is removed at the last moment is withdrawn", arguments: moves)
    func removed(_ plan: String, _ standing: String?) async throws {
        try await stopped(at: plan, standing) { stage in
            try Disk.remove(stage.inbox / "letter.txt")
            try stage.proceed()
        } then: { stage in
            try await stage.expectCounters(["seen": 1, "withdrawn": 1, "filed": 0])
            try await expectNothing(in: stage)
        }
    }

    /// Waits until Documents holds nothing beside the Inbox: a staging folder goes last.
    private func expectNothing(in stage: Stage) async throws {
        try await eventually {
            let found = try Disk.leaves(of: stage.documents, except: [stage.inbox])
            return found.isEmpty ? nil : "Documents holds \(found)"
        }
    }

    /// Drops a letter, waits until the daemon has stopped where the plan says, and lets the two hands play.
    private func stopped(
        at plan: String, _ standing: String?, _ body: (Stage) async throws -> Void, then: (Stage) async throws -> Void
    ) async throws {
        try await onStage { stage in
            stage.variables = ["INBOXD_FAULT=\([plan, standing].compactMap { $0 }.joined(separator: ";"))"]
            try await stage.start()
            try Disk.put(Array("a letter".utf8), at: stage.root / "outside/letter.txt")
            try Disk.move(stage.root / "outside/letter.txt", to: stage.inbox / "letter.txt")
            try await eventually { try stage.isStopped ? nil : "the daemon has not come to \(plan)" }
            try await body(stage)
            try await then(stage)
        }
    }
}

extension Stage {
    /// Whether the daemon is stopped, by the third field of its stat file (proc(5)).
    var isStopped: Bool {
        get throws {
            guard let daemon, daemon.poll() == nil else { throw Failure("the daemon has ended") }
            let fields = Disk.text(TestPath("/proc/\(daemon.processID)/stat")).split(separator: " ")
            return fields.count > 2 && fields[2] == "T"
        }
    }

    /// Lets the stopped daemon go on.
    fileprivate func proceed() throws {
        guard let daemon, daemon.poll() == nil else { throw Failure("the daemon has ended") }
        daemon.signal(SIGCONT)
    }
}
