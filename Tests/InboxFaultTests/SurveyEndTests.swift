import Glibc
import InboxTestSupport
import Testing

/// Whoever ends the daemon does not wait until it has looked through a large package, or a slow disk has a large document.
@Suite("The end of the daemon while a document takes long")
struct SurveyEndTests {
    /// So many that a thread which is kept waiting for a moment does not miss the end of the pass.
    private static let files = 2_000

    @Test("A survey is not waited for: the daemon ends while a call of it still hangs, and the next run files it whole")
    func survey() async throws {
        try await onPackage(at: "statx@/Inbox/note.rtfd/:3") { stage, daemon, _ in
            daemon.signal(SIGTERM)
            let exit = try await daemon.ended()
            #expect(exit == .status(0))
            #expect(try Disk.names(in: stage.inbox / "note.rtfd").count == Self.files)
        }
    }

    @Test("The proof that nobody writes in it is given up, and the next run files the package whole")
    func proof() async throws {
        try await onPackage(at: "openat2@/Inbox/note.rtfd/:3") { stage, daemon, barrier in
            try await daemon.signalAndWait(SIGTERM)
            barrier.open()
            #expect(try await daemon.ended() == .status(0))
            let opened = try CallTrace(reading: stage.root / "trace").happened("openat2").filter {
                $0.mentions("note.rtfd/")
            }
            #expect(opened.count < Self.files / 2, "\(opened.count) files were opened")
            #expect(try Disk.names(in: stage.inbox / "note.rtfd").count == Self.files)
            #expect(try Disk.leaves(of: stage.documents, except: [stage.inbox]).isEmpty)
        }
    }

    @Test("Nor is it waited for until all of a large document is on the disk")
    func sync() async throws {
        let parts = 4
        try await onStage(stoppedAt: "sync_file_range@/Inbox/large.bin:1", settings: ["Inbox.Settle=0"]) {
            stage, barrier in
            let made = stage.root / "outside/large.bin"
            try Disk.put([], at: made)
            try Disk.check("truncate", made, made.withCString { truncate($0, off_t(parts) << 26) })
            try Disk.move(made, to: stage.inbox / "large.bin")
            try await barrier.reached()
            guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
            try await daemon.signalAndWait(SIGTERM)
            barrier.open()
            #expect(try await daemon.ended() == .status(0))
            let calls = try CallTrace(reading: stage.root / "trace")
            #expect(calls.happened("sync_file_range", "/large.bin").count < parts - 1)
            #expect(calls.happened("fsync", "/large.bin").isEmpty)
            #expect(Disk.kind(stage.inbox / "large.bin") == .file)
        }
    }

    /// Moves a package in, hands over once the daemon is at this call, and expects of the next run that it files all of it.
    private func onPackage(at call: String, _ body: (Stage, Program, Barrier) async throws -> Void) async throws {
        // Its files need not be brought to the disk, which takes far longer than to look through them.
        try await onStage(
            stoppedAt: call, settings: ["Inbox.Settle=0", "Inbox.Durability=relaxed"],
            variables: ["INBOXD_PACKAGE_QUIET=50"]
        ) { stage, barrier in
            let made = stage.root / "outside/note.rtfd"
            try Disk.makeFolders(made)
            for number in 0..<Self.files { try Disk.put(Array("\(number)".utf8), at: made / TestPath("\(number)")) }
            try Disk.move(made, to: stage.inbox / "note.rtfd")
            try await barrier.reached()
            guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
            try await body(stage, daemon, barrier)

            stage.variables = ["INBOXD_PACKAGE_QUIET=50"]
            try await stage.runDaemon(["--once"])
            #expect(stage.lastRun?.exit == .status(0), "\(stage.lastRun?.errors ?? "")")
            try await stage.expectFiledRecords(1)
            for number in 0..<Self.files {
                #expect(Disk.text(stage.documents / TestPath("note.rtfd/\(number)")) == "\(number)")
            }
            #expect(!Disk.exists(stage.inbox / "note.rtfd"))
        }
    }
}
