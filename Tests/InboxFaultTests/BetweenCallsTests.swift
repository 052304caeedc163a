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

    @Test("What somebody saves over a document right after its move stays where they saved it")
    func savedOver() async throws {
        try await stopped(at: "statx@/Documents/letter.txt:1:STOP", nil) { stage in
            #expect(Disk.text(stage.documents / "letter.txt") == "a letter", "it has moved")
            try Disk.put(Array("somebody's own".utf8), at: stage.root / "saved")
            try Disk.move(stage.root / "saved", to: stage.documents / "letter.txt")
            try stage.proceed()
        } then: { stage in
            try await stage.expectFiledRecords(1)
            #expect(try stage.filedRecords().first?["size"]?.integer == 8, "what was filed is the letter")
            #expect(Disk.text(stage.documents / "letter.txt") == "somebody's own")
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

    @Test("A package of which a file is opened for writing while it is brought to the disk stays until that is closed")
    func packageOpened() async throws {
        try await onPackage(before: 1) { stage, barrier in
            let path = stage.inbox / "note.rtfd/1.txt"
            let descriptor = try Disk.open(path, O_WRONLY | O_APPEND)
            barrier.open()
            do {
                defer { close(descriptor) }
                try await stage.expectListed("note.rtfd", state: "waiting", reasons: ["writing"])
                try await expectNothing(in: stage)
                try Disk.write(Array(" and more".utf8), to: descriptor, path)
            }
            try await stage.expectFiledRecords(1)
            #expect(Disk.text(stage.documents / "note.rtfd/1.txt") == "1 and more")
        }
    }

    @Test("SIGTERM ends the syncs of a package, which stays in the Inbox")
    func packageTerminated() async throws {
        try await onPackage(before: 3) { stage, barrier in
            let trace = stage.root / "trace"
            guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
            try await daemon.signalAndWait(SIGTERM)
            barrier.open()
            #expect(try await daemon.ended() == .status(0))
            let syncs = try CallTrace(reading: trace).happened("fsync").filter {
                $0.mentions("/Inbox/note.rtfd")
            }
            #expect(syncs.count == 3, "\(syncs)")
            #expect(try Disk.names(in: stage.inbox / "note.rtfd").count == Self.packageFiles)
            try await expectNothing(in: stage)
        }
    }

    private static let packageFiles = 20

    /// Drops a package, and hands over once the daemon is about to bring this one of its files to the disk.
    private func onPackage(before number: Int, _ body: (Stage, Barrier) async throws -> Void) async throws {
        try await onStage(
            stoppedAt: "fsync@/Inbox/note.rtfd/:\(number)", variables: ["INBOXD_PACKAGE_QUIET=50"]
        ) { stage, barrier in
            let made = stage.root / "outside/note.rtfd"
            try Disk.makeFolders(made)
            for number in 1...Self.packageFiles {
                try Disk.put(Array("\(number)".utf8), at: made / TestPath("\(number).txt"))
            }
            try Disk.move(made, to: stage.inbox / "note.rtfd")
            try await barrier.reached()
            try await body(stage, barrier)
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
            guard let daemon, daemon.exit == nil else { throw Failure("the daemon has ended") }
            let fields = Disk.text(TestPath("/proc/\(daemon.processID)/stat")).split(separator: " ")
            return fields.count > 2 && fields[2] == "T"
        }
    }

    /// Lets the stopped daemon go on.
    fileprivate func proceed() throws {
        guard let daemon, daemon.exit == nil else { throw Failure("the daemon has ended") }
        daemon.signal(SIGCONT)
    }
}
