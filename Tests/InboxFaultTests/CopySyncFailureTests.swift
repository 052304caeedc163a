import Glibc
import InboxTestSupport
import Testing

/// Disks that fail to say that they keep a copy: it is discarded then, and made anew from its source.
@Suite(
    "Failed syncs of copies", .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem to write to"))
struct CopySyncFailureTests {
    /// A copy that has no name yet, as the kernel shows it.
    private static let unnamed = " (deleted)"

    @Test("A copy whose sync fails is discarded, and only a new one that was synced itself gets the name")
    func discarded() async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(try FaultRow.named("across"))
            let path = stage.stage.root / "trace"
            stage.stage.variables = ["INBOXD_TRACE=\(path)", "INBOXD_FAULT=fsync@\(Self.unnamed):1:5"]
            try await stage.stage.start()
            try await stage.stage.expectFiledRecords(1)
            try await stage.stage.expectCounters(["filed": 1, "waiting": 0])
            #expect(try await stage.stage.end(SIGTERM) == .status(0))
            try stage.expectAllFiled()
            let trace = try CallTrace(reading: path)
            let syncs = trace.calls.filter { $0.name == "fsync" && $0.subject.hasSuffix(Self.unnamed) }
            #expect(syncs.map(\.result) == [.struck, .ok])
            #expect(Set(syncs.map(\.subject)).count == 2, "\(syncs)")
            let published = try #require(trace.happened("linkat", "/Documents/letter.txt").first)
            #expect(syncs.last?.isBefore(published) == true)
            #expect(trace.happened("linkat").count == 1)
        }
    }

    private static let files = FaultRow(
        name: "across, files", isAcross: true, drops: (1...9).map { FaultRow.drop(TestPath("\($0).txt")) })

    @Test("Each copy is synced by itself, before any gets its name, and nothing waits for the whole filesystem")
    func alone() async throws {
        let stage = try FaultStage(Self.files)
        let run = try await stage.run()
        #expect(run.exit == .status(0), "\(run.errors)")
        try stage.expectAllFiled()
        #expect(run.trace.happened("syncfs").isEmpty)
        let published = try #require(run.trace.happened("linkat").first)
        let synced = run.trace.happened("fsync", Self.unnamed).filter { $0.isBefore(published) }
        #expect(Set(synced.map(\.subject)).count == stage.row.drops.count)
    }

    @Test("Of many copies only the one that the disk does not keep is discarded")
    func one() async throws {
        let stage = try FaultStage(Self.files)
        let run = try await stage.run("fsync@\(Self.unnamed):3:5")
        #expect(run.exit == .status(75))
        try stage.expectNothingLost(isKilled: false)
        #expect(try stage.stage.filedRecords().count == stage.row.drops.count - 1)
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test(
        "A package of which one file or folder cannot be synced, or a link whose folder cannot, is discarded",
        arguments: [("package", 1), ("package", 3), ("package", 5), ("link", 1)])
    func package(_ kind: String, _ number: Int) async throws {
        let stage = try FaultStage(try FaultRow.named("across, \(kind)"))
        let run = try await stage.run("fsync@/making-:\(number):5")
        #expect(run.exit == .status(75))
        try stage.expectNothingLost(isKilled: false)
        let left = stage.row.drops.filter { kind == "package" || $0.isLink }
        for drop in left { #expect(!Disk.exists(stage.stage.documents / drop.destination)) }
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    /// The first sync beneath Documents is that of the copy, the next one that of the folder that has its name.
    private static let folderFails = "fsync@/Documents:2:5"

    @Test(
        "A copy whose name may not be on the disk is recorded, and its source is kept until the next boot has shown it",
        arguments: ["across", "across without O_TMPFILE"])
    func folder(_ name: String) async throws {
        let stage = try FaultStage(try FaultRow.named(name))
        // One copy more has its name in another folder.
        let plan = name == "across" ? Self.folderFails : "fsync@/Documents:3:5"
        let run = try await stage.run(plan)
        #expect(run.struck?.subject.hasSuffix("/Documents") == true, "\(String(describing: run.struck))")
        #expect(run.errors.contains("may not be on the disk"), "\(run.errors)")
        try stage.expectNothingLost(isKilled: false)
        try stage.expectAllFiled(allowsUnsynced: true)
        let waiting = try stage.staged().compactMap(\.drop)
        #expect(waiting.contains { $0.source == "letter.txt" }, "a synced folder proves nothing of the names in it")
        // In the same boot nothing shows what the disk has kept: a sync that is repeated is no proof.
        let again = try await stage.run()
        #expect(again.exit == .status(75), "\(again.exit): \(again.errors)")
        #expect(again.errors.contains("which only a restart of the machine shows: until then"), "\(again.errors)")
        #expect(stage.waitsForBoot)
        try stage.expectAllFiled(allowsUnsynced: true)
        #expect(try stage.staged().compactMap(\.drop).count == waiting.count)
        try stage.startMachineAnew()
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    /// ENOTCONN: what a filesystem says whose server is away.
    private static let away = 107

    @Test(
        "A name that a server may not have brought to its disk, since it was away or had forgotten the folder, is looked for when it is back",
        arguments: ["fsync@/Documents:2:\(away)", "fsync@/Documents:2:\(ESTALE)"])
    func server(_ plan: String) async throws {
        try await expectRetried(plan, in: try FaultStage(try FaultRow.named("across")))
    }

    @Test("A document to which a server that is away has given no name is in the Inbox again before the run ends")
    func nameless() async throws {
        let stage = try FaultStage(try FaultRow.named("across"))
        let run = try await stage.run("linkat:1:\(Self.away)")
        #expect(run.struck != nil, "\(run.errors)")
        try stage.expectNothingLost(isKilled: false)
        #expect(try stage.staged().isEmpty)
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test("A name is brought to the disk by another try where its folder could not even be inspected for the first one")
    func uninspected() async throws {
        let row = try FaultRow.named("across")
        let trace = try await Sweep.undisturbed(row)
        let calls = trace.calls
        let sync = try #require(calls.lastIndex { $0.name == "fsync" && $0.subject.hasSuffix("/Documents") })
        let inspection = calls[..<sync].lastIndex { $0.name == "statx" && $0.subject.hasSuffix("/Documents") }
        let plan = Target(try #require(inspection) + 1, of: trace).plan("5")
        for _ in 0..<5 {
            let stage = try FaultStage(row)
            let run = try await stage.run(plan)
            // On a busy machine the roots are inspected once more or less before, and another call is struck.
            guard try !stage.staged().isEmpty else { continue }
            return try await expectRetried(run, in: stage)
        }
        Issue.record("the inspection before the sync was never struck")
    }

    private func expectRetried(_ plan: String, in stage: FaultStage) async throws {
        try await expectRetried(try await stage.run(plan), in: stage)
    }

    private func expectRetried(_ run: FaultStage.Run, in stage: FaultStage) async throws {
        #expect(run.struck != nil, "\(run.errors)")
        // As after a kill: the source waits for recovery.
        try stage.expectNothingLost(isKilled: true)
        #expect(try stage.staged().compactMap(\.drop).contains { $0.source == "letter.txt" })
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test(
        "What a server has done, though its reply was lost, is found: nothing is there twice, or beside its folder",
        arguments: ["linkat:1:DONE=\(away)", "linkat:1:DONE=\(ETIMEDOUT)", "renameat@/source-:1:DONE=\(away)"])
    func lostReply(_ plan: String) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage(plan)
            try await across.start()
            try Disk.makeFolders(across.inbox / "inner")
            try Disk.put([65], at: across.outside / "letter.txt")
            try Disk.move(across.outside / "letter.txt", to: across.inbox / "inner/letter.txt")
            try await across.stage.expectFiledRecords(1)
            let names = try Disk.leaves(of: across.stage.documents).filter { $0.ends(with: "letter.txt") }
            #expect(names == ["inner/letter.txt"])
            #expect(!Disk.exists(across.inbox / "inner/letter.txt"))
        }
    }

    @Test("A document whose copy the disk has not kept is filed anew from its source")
    func lost() async throws {
        let stage = try FaultStage(try FaultRow.named("across"))
        _ = try await stage.run(Self.folderFails)
        let copy = stage.stage.documents / "letter.txt"
        let content = try Disk.read(copy)
        try Disk.remove(copy)
        try stage.startMachineAnew()
        let run = try await stage.run()
        #expect(run.exit == .status(0), "\(run.errors)")
        let names = try Disk.leaves(of: stage.stage.inbox) + Disk.leaves(of: stage.stage.documents)
        #expect(names.contains { $0.ends(with: "letter.txt") }, "the document is lost: \(run.errors)")
        #expect(Disk.kind(copy) == .file)
        #expect(try Disk.read(copy) == content)
        #expect(try stage.stagingFolders().isEmpty)
        #expect(Disk.text(stage.journal) == "")
        let filed = try stage.stage.filedRecords()
        #expect(filed.count == 2, "\(filed)")
    }

    @Test("A sync that fails when a killed run is ended is never followed by one that is taken for a proof")
    func recovered() async throws {
        let stage = try FaultStage(try FaultRow.named("across"))
        let copy = stage.stage.documents / "letter.txt"
        #expect(try await stage.run("fsync@/Documents:2:KILL").exit == .signal(9))
        let content = try Disk.read(copy)
        // The kernel reports the failure once.
        let struck = try await stage.run("fsync@/Documents:1:5")
        #expect(struck.struck?.subject.hasSuffix("/Documents") == true, "\(struck.errors)")
        for _ in 0..<2 {
            let run = try await stage.run()
            #expect(run.exit == .status(75), "\(run.exit): \(run.errors)")
            #expect(run.errors.contains("which only a restart of the machine shows"), "\(run.errors)")
            #expect(try stage.staged().compactMap(\.drop).count == 1)
            #expect(try stage.stage.filedRecords().count == 1)
        }
        try Disk.remove(copy)
        try stage.startMachineAnew()
        #expect(try await stage.run().exit == .status(0))
        #expect(try Disk.read(copy) == content)
        #expect(try stage.stagingFolders().isEmpty)
    }

    @Test("Another daemon that ends what a killed one has left takes no later sync for a proof either")
    func recoveredByOther() async throws {
        let stage = try FaultStage(try FaultRow.named("across"))
        #expect(try await stage.run("fsync@/Documents:2:KILL").exit == .signal(9))
        let struck = try await stage.run("fsync@/Documents:1:5", isOther: true)
        #expect(struck.struck?.subject.hasSuffix("/Documents") == true, "\(struck.errors)")
        let run = try await stage.run(isOther: true)
        #expect(run.exit == .status(75), "\(run.exit): \(run.errors)")
        #expect(try stage.staged().compactMap(\.drop).count == 1)
    }

    @Test("Where the journal cannot say that the disk may lose a copy, the history does not say that it is filed")
    func unnoted() async throws {
        let stage = try FaultStage(try FaultRow.named("across"))
        let copy = stage.stage.documents / "letter.txt"
        // The first two lines announce the claim and its copy.
        let run = try await stage.run("\(Self.folderFails);write@/journal:3+:28")
        #expect(run.exit == .status(75), "\(run.exit): \(run.errors)")
        let content = try Disk.read(copy)
        // A power cut takes the copy.
        try Disk.remove(copy)
        #expect(try await stage.run().exit == .status(0))
        #expect(try Disk.read(copy) == content)
        #expect(try stage.stage.filedRecords().count == 1)
    }

    @Test("Where somebody moves a copy before it can be recorded, it is recorded, and its source is not filed again")
    func moved() async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(try FaultRow.named("across"))
            let copy = stage.stage.documents / "letter.txt"
            stage.stage.variables = ["INBOXD_FAULT=write@/history.jsonl:1:28;write@/history.jsonl:2:28"]
            try await stage.stage.start()
            try await eventually { Disk.exists(copy) ? nil : "there is no copy" }
            try Disk.move(copy, to: stage.stage.root / "moved")
            try await stage.stage.expectCounters(["seen": 1, "filed": 1, "waiting": 0, "withdrawn": 0])
            #expect(try await stage.stage.end(SIGTERM) == .status(0))
            #expect(try !Disk.exists(copy) && stage.stage.filedRecords().count == 1)
            #expect(try stage.staged().isEmpty)
        }
    }

    @Test("A document whose copy the disk has not kept is filed by another daemon that starts first")
    func other() async throws {
        let stage = try FaultStage(try FaultRow.named("across"))
        _ = try await stage.run(Self.folderFails)
        #expect(try stage.stage.filedRecords().count == 1)
        let copy = stage.stage.documents / "letter.txt"
        let content = try Disk.read(copy)
        // In the same boot the other one knows no more than this one.
        #expect(try await stage.run(isOther: true).exit == .status(75))
        #expect(try stage.staged().compactMap(\.drop).count == 1)
        try Disk.remove(copy)
        // Nor would it help if the note that the name may be lost had failed.
        let notes = try stage.notes().map { Disk.text($0) }
        #expect(notes.count == 1 && notes[0].contains("unsyncedBoot") && !notes[0].contains("recorded\":[\""))
        try stage.startMachineAnew()
        let run = try await stage.run(isOther: true)
        #expect(run.exit == .status(0), "\(run.errors)")
        #expect(Disk.kind(copy) == .file)
        #expect(try Disk.read(copy) == content)
        #expect(try stage.stagingFolders().isEmpty)
    }
}
