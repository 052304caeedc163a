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

    @Test("After a failed syncfs each copy is synced by itself, before any gets its name")
    func alone() async throws {
        let stage = try FaultStage(try FaultRow.named("across, batch"))
        let run = try await stage.run("syncfs:*:5")
        #expect(run.exit == .status(0), "\(run.errors)")
        try stage.expectAllFiled()
        let published = try #require(run.trace.happened("linkat").first)
        let synced = run.trace.happened("fsync", Self.unnamed).filter { $0.isBefore(published) }
        #expect(Set(synced.map(\.subject)).count == stage.row.drops.count)
    }

    @Test("Of many copies only the one that the disk does not keep is discarded")
    func one() async throws {
        let stage = try FaultStage(try FaultRow.named("across, batch"))
        let run = try await stage.run("syncfs:*:5;fsync@\(Self.unnamed):3:5")
        #expect(run.exit == .status(75))
        try stage.expectNothingLost(isKilled: false)
        #expect(try stage.stage.filedRecords().count == stage.row.drops.count - 1)
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test("A package or a link whose filesystem cannot be synced is discarded", arguments: ["package", "link"])
    func package(_ kind: String) async throws {
        let stage = try FaultStage(try FaultRow.named("across, \(kind)"))
        let run = try await stage.run("syncfs:*:5")
        #expect(run.exit == .status(75))
        try stage.expectNothingLost(isKilled: false)
        let left = stage.row.drops.filter { kind == "package" || $0.isLink }
        for drop in left { #expect(!Disk.exists(stage.stage.documents / drop.destination)) }
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }
}
