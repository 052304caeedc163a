import Glibc
import InboxTestSupport
import Testing

/// A kill before any call that changes something while documents are filed that markers release.
@Suite("Markers when the daemon is killed")
struct MarkerSweepTests {
    /// How many targets of a sweep are a part of it.
    private static let part = 10

    private static let rows = [
        FaultRow(
            name: "a marker each", settings: ["Inbox.Ready={name}.done"],
            drops: [FaultRow.drop("letter.txt"), FaultRow.drop("sub/letter.txt")]),
        FaultRow(
            name: "a marker for two", settings: ["Inbox.Ready=READY"],
            drops: [FaultRow.drop("sub/a.txt"), FaultRow.drop("sub/b.txt")]),
        FaultRow(
            name: "a marker of what is claimed", settings: ["Inbox.Ready={stem}.ok"], standing: "renameat2:*:22",
            drops: [FaultRow.drop("letter.txt")]),
    ]

    private static func stage(_ row: FaultRow) throws -> FaultStage {
        let stage = try FaultStage(row)
        for drop in row.drops {
            let path = stage.stage.inbox / drop.source
            switch row.name {
            case "a marker each": try Disk.put([], at: TestPath("\(path).done"))
            case "a marker for two": try Disk.put([], at: path.parent / "READY")
            default: try Disk.put([], at: path.parent / "letter.ok")
            }
        }
        return stage
    }

    @Test("Whatever change the kill strikes, each document is filed once, and no marker stays", arguments: rows)
    func killed(_ row: FaultRow) async throws {
        let undisturbed = try Self.stage(row)
        let run = try await undisturbed.run()
        #expect(run.exit == .status(0), "\(run.errors)")
        try Self.expectFiled(undisturbed, row)
        let calls = run.trace.calls
        let record = try #require(
            calls.firstIndex { $0.name == "write" && $0.mentions("/history.jsonl") }, "nothing was recorded")
        let changes = run.trace.targets((calls.count / 3...calls.count).filter { calls[$0 - 1].isChange })
        // Every one after the record: there the marker is what is left.
        let late = run.trace.targets((record + 2...calls.count).filter { calls[$0 - 1].isChange })
        #expect(late.count >= 2)
        try await Sweep.each(Extent.some(Self.part, of: changes, for: row.name) + late) { target in
            let stage = try Self.stage(row)
            let killed = try await stage.run(target.plan("KILL"))
            if killed.exit != .signal(9) { #expect(killed.exit == .status(0), "\(target): \(killed.errors)") }
            let next = try await stage.run()
            #expect(next.exit == .status(0), "killed at \(target): \(next.errors)")
            do { try Self.expectFiled(stage, row) } catch { Issue.record("killed at \(target): \(error)") }
        }
    }

    @Test("A marker that is written anew between a kill and the next start stays")
    func rewritten() async throws {
        let stage = try Self.stage(Self.rows[0])
        // Set aside, and not removed yet.
        let killed = try await stage.run("unlinkat@/.inboxd-removed-letter.txt.done:1:KILL")
        #expect(killed.exit == .signal(9))
        try Disk.put(Array("anew".utf8), at: stage.stage.inbox / "letter.txt.done")
        let next = try await stage.run()
        #expect(next.exit == .status(0), "\(next.errors)")
        #expect(try Disk.read(stage.stage.inbox / "letter.txt.done") == Array("anew".utf8))
        #expect(!Disk.exists(stage.stage.inbox / ".inboxd-removed-letter.txt.done"))
        #expect(try stage.stage.filedRecords().count == 2)
    }

    private static func expectFiled(_ stage: FaultStage, _ row: FaultRow) throws {
        let left = try Disk.leaves(of: stage.stage.inbox).filter { $0.bytes.last != UInt8(ascii: "/") }
        guard left.isEmpty else { throw Failure("in the Inbox is \(left)") }
        for drop in row.drops where try Disk.read(stage.stage.documents / drop.destination) != drop.content {
            throw Failure("\(drop.destination) is not what was dropped")
        }
        let records = try stage.stage.filedRecords()
        guard records.count == row.drops.count else { throw Failure("there are \(records.count) records: \(records)") }
    }
}
