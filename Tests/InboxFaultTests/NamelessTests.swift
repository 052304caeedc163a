import Glibc
import InboxTestSupport
import Testing

/// Filesystems that can neither rename without replacing nor give a file a second name: a copy is made under its own
/// name, and is unfinished there for a while.
@Suite("A fault at every system call, without safe ways to give a name")
struct NamelessTests {
    static let standing = "renameat2:*:22;linkat:*:1"

    static let rows: [FaultRow] = [
        FaultRow(
            name: "same filesystem without links", standing: standing, taken: ["letter.txt"],
            drops: [FaultRow.Drop(source: "letter.txt", destination: "letter-1.txt")]),
        FaultRow(
            name: "across without links", standing: standing, isAcross: true, taken: ["letter.txt"],
            drops: [FaultRow.Drop(source: "letter.txt", destination: "letter-1.txt"), FaultRow.drop("a/b.txt")]),
    ]

    @Test(
        "After a kill before any call that changes something, the next run leaves one copy, one name and one record",
        arguments: rows)
    func killed(_ row: FaultRow) async throws {
        try await Sweep.play(try await Sweep.kills(of: row), row, "killed") { target in
            let stage = try FaultStage(row)
            let killed = try await stage.run(target.plan("KILL"))
            guard killed.exit == .signal(9) else {
                try stage.expectAllFiled()
                return true
            }
            try expectNothingLost(stage)
            #expect(try await stage.run().exit == .status(0))
            try stage.expectAllFiled()
            return false
        }
    }

    @Test(
        "An older document that begins like the new one is not taken for its unfinished copy, whatever the kill strikes"
    )
    func older() async throws {
        let row = Self.rows[1]
        let older = Array(row.drops[0].content.prefix(10))
        try await Sweep.play(try await Sweep.kills(of: row), row, "killed beside an older document") { target in
            let stage = try FaultStage(row)
            let path = stage.stage.documents / "letter.txt"
            try Disk.put(older, at: path)
            let killed = try await stage.run(target.plan("KILL"))
            #expect(try await stage.run().exit == .status(0))
            #expect(try Disk.read(path) == older, "killed at \(target)")
            #expect(try stage.stage.filedRecords().count == row.drops.count, "killed at \(target)")
            return killed.exit != .signal(9)
        }
    }

    @Test("The journal is not synced for each of many names that are taken")
    func taken() async throws {
        let names = (0..<100).map { TestPath($0 == 0 ? "letter.txt" : "letter-\($0).txt") }
        let row = FaultRow(
            name: "many names", standing: Self.standing, isAcross: true, taken: names,
            drops: [FaultRow.Drop(source: "letter.txt", destination: "letter-100.txt")])
        let stage = try FaultStage(row)
        let run = try await stage.run()
        #expect(run.exit == .status(0), "\(run.errors)")
        try stage.expectAllFiled()
        #expect(run.trace.happened("fdatasync", "/journal").count < 12)
    }

    /// What somebody makes under a name between a kill and the next start, beneath the root of the stage.
    private static let places: [(row: String, TestPath, isFolder: Bool)] = [
        (rows[0].name, "Inbox/letter.txt", false), (rows[0].name, "letter-1.txt", false),
        (rows[1].name, "letter-1.txt", false), ("package without RENAME_NOREPLACE", "note-1.rtfd", true),
        ("package without RENAME_NOREPLACE", "Inbox/note.rtfd", true),
    ]

    @Test(
        "What somebody makes under a name after a kill is theirs, though it is as empty and as young as a placeholder",
        arguments: places)
    func others(_ name: String, _ place: TestPath, isFolder: Bool) async throws {
        var row = try Self.rows.first { $0.name == name } ?? FaultRow.named(name)
        row.settings.append("Inbox.EmptySettle=0")
        let kills = try await Sweep.kills(of: row)
        try await Sweep.play(kills, row, "killed before somebody makes \(place)") { [row] target in
            let stage = try FaultStage(row)
            let killed = try await stage.run(target.plan("KILL"))
            let path = stage.stage.documents / place
            guard killed.exit == .signal(9), !Disk.exists(path) else { return killed.exit != .signal(9) }
            if isFolder { try Disk.makeFolder(path) } else { try Disk.put([], at: path) }
            if isFolder { try Disk.check("chmod", path, path.withCString { chmod($0, 0o700) }) }
            let inode = try Disk.inode(path)
            let run = try await stage.run()
            // What is in the Inbox is a document, and may be filed; it is then the empty one. While it is copied the claim that
            // was interrupted may return under its name, so that it has to return under another.
            let lines = run.errors.split(separator: "\n")
            let renamed = lines.first { $0.contains("\(path) is named ") }?.split(separator: " is named ").last
            let other = renamed?.split(separator: " ").first.map { path.parent / TestPath(String($0)) }
            let isThere = try [path, other].compactMap { $0 }.contains { path in
                let isFiled = lines.contains { $0.contains("filed \(path) as ") && $0.hasSuffix(", 0 bytes)") }
                return try isFiled || (Disk.exists(path) && Disk.inode(path) == inode)
            }
            guard isThere else { throw Failure("\(place) is gone: \(run.errors)") }
            return false
        }
    }

    @Test("When any call of a copy says that the disk is full, nothing is lost, and the next run ends what was begun")
    func full() async throws {
        let row = Self.rows[1]
        try await Sweep.play(try await Sweep.failures(of: row), row, "ENOSPC") { target in
            let stage = try FaultStage(row)
            let failed = try await stage.run(target.plan("28"))
            try expectNothingLost(stage)
            for _ in 0..<3 { if try await stage.run().exit == .status(0) { break } }
            try stage.expectAllFiled(allowsUnsynced: true)
            if stage.waitsForBoot {
                // The disk has failed to say that it keeps the name of a copy.
                try stage.startMachineAnew()
                #expect(try await stage.run().exit == .status(0))
                try stage.expectAllFiled()
            }
            return !target.isReached(in: failed.trace)
        }
    }

    /// Each document is complete in the Inbox, in a staging folder or at its destination, and what was there before is
    /// untouched.
    private func expectNothingLost(_ stage: FaultStage) throws {
        let staged = try stage.staged().compactMap { $0.drop?.source }
        for drop in stage.row.drops {
            let places = [stage.stage.inbox / drop.source, stage.stage.documents / drop.destination]
            let isThere = places.contains { (try? Disk.read($0)) == drop.content }
            guard isThere || staged.contains(drop.source) else { throw Failure("\(drop.source) is lost") }
        }
        for path in stage.row.taken {
            let content = try Disk.read(stage.stage.documents / path)
            guard content == path.bytes else { throw Failure("\(path) was overwritten") }
        }
    }
}
