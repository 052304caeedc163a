import Glibc
import InboxTestSupport
import Testing

/// Disks that fail to say that they keep something.
@Suite("Failed syncs")
struct SyncFailureTests {
    private static func row(_ name: String, _ drops: [FaultRow.Drop]) -> FaultRow { FaultRow(name: name, drops: drops) }

    /// As many files as once made a batch wait for the whole filesystem.
    private static let files = row("files", (1...8).map { FaultRow.drop(TestPath("\($0).txt")) })

    /// Eight documents in as many folders.
    private static let folders = row("folders", (1...8).map { FaultRow.drop(TestPath("\($0)/letter.txt")) })

    @Test("Each file is synced by itself before anything moves, and nothing waits for the whole filesystem")
    func filesAlone() async throws {
        let stage = try FaultStage(Self.files)
        let run = try await stage.run()
        #expect(run.exit == .status(0), "\(run.errors)")
        try stage.expectAllFiled()
        #expect(run.trace.happened("syncfs").isEmpty)
        let moved = try #require(run.trace.happened("renameat2").first)
        for number in 1...8 {
            let synced = run.trace.happened("fsync", "/Inbox/\(number).txt")
            #expect(synced.contains { $0.isBefore(moved) }, "\(number).txt")
        }
    }

    @Test("Of many files only the one that the disk does not keep is held, and it is not moved")
    func oneFile() async throws {
        let stage = try FaultStage(Self.files)
        let run = try await stage.run("fsync@/Inbox/3.txt:*:5")
        #expect(run.exit == .status(75))
        #expect(run.errors.contains("sync-failed"))
        #expect(Disk.kind(stage.stage.inbox / "3.txt") == .file)
        #expect(try stage.stage.filedRecords().count == stage.row.drops.count - 1)
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test(
        "A document whose server is away when it is to be synced is tried again, since that says nothing about the disk"
    )
    func server() async throws {
        let stage = try FaultStage(Self.files)
        // ENOTCONN, once.
        stage.stage.variables = ["INBOXD_FAULT=fsync@/Inbox/3.txt:1:107"]
        try await stage.stage.start()
        try await stage.stage.expectCounters(["filed": stage.row.drops.count, "held": 0, "waiting": 0])
        #expect(Disk.text(stage.stage.daemonLog).contains("3.txt now, and tries again"))
        #expect(try await stage.stage.end(SIGTERM) == .status(0))
        try stage.expectAllFiled()
    }

    @Test("Each file and each folder of a package is synced by itself, before it moves")
    func packageAlone() async throws {
        let stage = try FaultStage(try FaultRow.named("package"))
        let run = try await stage.run()
        #expect(run.exit == .status(0), "\(run.errors)")
        try stage.expectAllFiled()
        for package in ["note.rtfd", "b.rtfd"] {
            let moves = run.trace.happened("renameat2").filter { $0.mentions("/Inbox/\(package)") }
            let moved = try #require(moves.first)
            for path in ["/TXT.rtf", "/a.png", "/deeper/b.png", "/deeper", ""] {
                let synced = run.trace.happened("fsync", "/Inbox/\(package)\(path)")
                #expect(synced.contains { $0.isBefore(moved) }, "\(package)\(path)")
            }
        }
    }

    @Test("A package of which the disk does not keep one file is held; another is filed")
    func onePackage() async throws {
        let stage = try FaultStage(try FaultRow.named("package"))
        let run = try await stage.run("fsync@/note.rtfd/deeper/b.png:*:5")
        #expect(run.exit == .status(75))
        #expect(run.errors.contains("sync-failed"))
        #expect(Disk.kind(stage.stage.inbox / "note.rtfd") == .folder)
        #expect(Disk.kind(stage.stage.documents / "b.rtfd") == .folder)
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test("Each folder is synced by itself, before the record")
    func foldersAlone() async throws {
        let stage = try FaultStage(Self.folders)
        let run = try await stage.run()
        #expect(run.exit == .status(0), "\(run.errors)")
        try stage.expectAllFiled()
        let record = try #require(run.trace.happened("write", "/history.jsonl").first)
        for number in 1...8 {
            for folder in ["/Inbox/\(number)", "/Documents/\(number)"] {
                let synced = run.trace.happened("fsync", folder)
                #expect(synced.contains { $0.isBefore(record) }, "\(folder)")
            }
        }
    }

    /// The first sync beneath Documents is that of the content, the next ones are those of the two folders.
    private static let folderFails = "fsync@/Documents:2:5"

    @Test("A move that may not be on the disk is recorded, and not proved by a later sync", arguments: [false, true])
    func folder(_ historyFails: Bool) async throws {
        let stage = try FaultStage(try FaultRow.named("same filesystem"))
        let more = historyFails ? ";write@/history.jsonl:1:28" : ""
        let run = try await stage.run(Self.folderFails + more)
        #expect(run.exit == .status(75))
        #expect(run.errors.contains("may not be on the disk"), "\(run.errors)")
        try stage.expectAllFiled()
        let kept = stage.stage.state / "journal"
        #expect(Disk.text(kept).contains("\"unsyncedBoot\""))
        // Until the machine has started anew nothing shows what the disk has kept.
        #expect(try await stage.run().exit == .status(0))
        #expect(Disk.text(kept).contains("\"unsyncedBoot\""))
        try stage.startMachineAnew()
        #expect(try await stage.run().exit == .status(0))
        #expect(Disk.text(kept) == "")
        try stage.expectAllFiled()
    }

    @Test("A document that is in the Inbox again after such a loss is undone in the history, and filed anew")
    func lost() async throws {
        let stage = try FaultStage(try FaultRow.named("same filesystem"))
        _ = try await stage.run(Self.folderFails)
        let (inbox, documents) = (stage.stage.inbox, stage.stage.documents)
        try Disk.move(documents / "letter.txt", to: inbox / "letter.txt")
        try stage.startMachineAnew()
        let run = try await stage.run()
        #expect(run.exit == .status(0), "\(run.errors)")
        #expect(Disk.kind(documents / "letter.txt") == .file)
        let events = try stage.stage.history().compactMap { $0["event"]?.string }
        #expect(events == ["filed", "undone", "filed"])
    }

    @Test("Without RENAME_NOREPLACE a document whose new name the disk may not keep is filed once", arguments: 1...5)
    func linked(_ number: Int) async throws {
        let stage = try FaultStage(try FaultRow.named("conflict without RENAME_NOREPLACE"))
        let run = try await stage.run("fsync@/Documents:\(number):28")
        #expect(run.struck != nil)
        try stage.expectNothingLost(isKilled: false)
        try stage.startMachineAnew()
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test("A disk that fails to keep names is a problem from its first failure until the first success")
    func problem() async throws {
        try await onStage { stage in
            stage.variables = ["INBOXD_FAULT=fsync@/Documents:2:5"]
            try await stage.start()
            try Disk.put([1], at: stage.inbox / "a.txt")
            try await eventually { try await stage.status()["state"]?.string == "degraded" ? nil : "not degraded" }
            try Disk.put([1], at: stage.inbox / "b.txt")
            try await eventually { try await stage.status()["state"]?.string == "watching" ? nil : "still degraded" }
            let words = Disk.text(stage.daemonLog).split(separator: "\n").filter {
                $0.contains("may not be on the disk")
            }
            #expect(words.count == 2 && words[1].contains("over: "), "\(words)")
        }
    }

    @Test("A document that is held because the disk did not keep it is filed when somebody asks for a retry")
    func retried() async throws {
        try await onStage { stage in
            stage.variables = ["INBOXD_FAULT=fsync@/Inbox/a.txt:1:5"]
            try await stage.start()
            try Disk.put([1], at: stage.inbox / "a.txt")
            try await stage.expectListed("a.txt", state: "held", reasons: ["sync-failed"])
            let run = try await stage.control(["retry", stage.inbox / "a.txt"])
            #expect(run.exit == .status(0), "\(run.errors)")
            try await eventually { Disk.exists(stage.documents / "a.txt") ? nil : "a.txt is not filed" }
        }
    }
}
