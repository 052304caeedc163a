import InboxTestSupport

/// Documents on disks whose power is cut, and what has to hold then.
final class PowerCutTrial {
    /// Dropped, by the name beneath the Inbox, and where each belongs beneath Documents.
    private static let drops: [TestPath: TestPath] = [
        "letter.txt": "letter-1.txt", "a/b.txt": "a/b.txt", "note.rtfd/TXT.rtf": "note.rtfd/TXT.rtf",
        "note.rtfd/a.png": "note.rtfd/a.png",
    ]
    private static let taken: TestPath = "letter.txt"
    private static let records = 3

    private let stage: Stage
    private let isAcross: Bool
    private var disks: [CuttableDisk] = []
    private let drive: TestPath
    private let images: TestPath

    private var documents: TestPath { drive / "Documents" }
    private var state: TestPath { drive / "state" }

    /// - Parameter isAcross: whether the Inbox is on a disk of its own.
    init(_ kind: String, _ size: String, isAcross: Bool, _ stage: Stage, _ mounts: Mounts) throws {
        (self.stage, self.isAcross) = (stage, isAcross)
        drive = stage.root / "drive"
        // In memory where that is possible: the images are copied twice for each cut.
        images = try TestRun.current.makeFolder(in: Disk.kind("/dev/shm") == .folder ? "/dev/shm" : nil)
        let inbox = isAcross ? stage.root / "scans/Inbox" : drive / "Documents/Inbox"
        func drop() throws {
            for name in Self.drops.keys { try put(Self.content(name), at: inbox / name) }
        }
        disks.append(
            try CuttableDisk(kind, size: size, at: drive, in: images / "1", mounts) {
                try put(Self.taken.bytes, at: documents / Self.taken)
                try Disk.makeFolders(state)
                if !isAcross { try drop() }
            })
        if isAcross {
            disks.append(
                try CuttableDisk(kind, size: size, at: stage.root / "scans", in: images / "2", mounts) { try drop() })
        }
        stage.settings += ["Inbox.Inbox=", TestPath("Inbox.Inbox=\(inbox)")]
    }

    deinit { try? Disk.removeTree(images) }

    /// The changes of a run that nothing disturbs, each of which a cut may come before. Of three runs it is the one with the
    /// fewest calls: a busy machine files in two batches what it files in one later, and a cut would strike nothing then.
    func changes() async throws -> [Target] {
        var fewest = try await trace()
        for _ in 1...2 {
            let other = try await trace()
            if other.calls.count < fewest.calls.count { fewest = other }
        }
        guard let first = fewest.calls.firstIndex(where: { $0.isChange && $0.mentions("/state/journal") }) else {
            throw Failure("the trace has no journal")
        }
        // A cut before a sync and one after it are different states.
        return fewest.targets(
            (first + 1...fewest.calls.count).filter {
                fewest.calls[$0 - 1].isChange || fewest.calls[$0 - 1].name.contains("sync")
            })
    }

    private func trace() async throws -> CallTrace {
        let path = stage.root / "trace"
        if Disk.kind(path) != nil { try Disk.remove(path) }
        let devices = try disks.map { try $0.begin() }
        try await run(variables: ["INBOXD_TRACE=\(path)"])
        try expectAllFiled()
        for (disk, device) in zip(disks, devices) { try disk.end(device) }
        return try CallTrace(reading: path)
    }

    /// Cuts the power before this change, and starts the daemon again; whether the run had got there.
    func play(_ target: Target, beside plans: [String] = []) async throws -> Bool {
        var devices = try disks.map { try $0.begin() }
        defer { for (disk, device) in zip(disks, devices) { try? disk.end(device) } }
        let plan = ([target.plan("KILL")] + plans).joined(separator: ";")
        let exit = try await run(variables: ["INBOXD_FAULT=\(plan)"], expecting: nil)
        // By turns, so that each of two disks is ahead of the other now and then.
        let isReversed = target.index % 2 == 1
        if isAcross, target.index % 4 > 1 { try Tool.run("sync", "--file-system", disks[isReversed ? 1 : 0].point) }
        for index in disks.indices { devices[index] = try disks[index].cutPower(of: devices[index]) }
        do {
            try expectNothingLost()
            try await run()
            try expectAllFiled()
        } catch {
            throw Failure("cut before \(target): \(error)")
        }
        return exit == .signal(9)
    }

    @discardableResult
    private func run(
        variables: [String] = [], expecting wanted: Program.Exit? = .status(0)
    ) async throws -> Program.Exit {
        stage.variables = ["XDG_DATA_DIRS=\(stage.root)/home", "INBOXD_PACKAGE_QUIET=0"] + variables
        try await stage.runDaemon(["--once", "--documents", documents, "--state", state])
        guard let run = stage.lastRun else { throw Failure("inboxd did not run") }
        guard wanted == nil || run.exit == wanted else { throw Failure("inboxd: \(run.exit): \(run.errors)") }
        return run.exit
    }

    /// Each file that was dropped is somewhere with all its bytes.
    private func expectNothingLost() throws {
        let found = Set(try disks.flatMap { disk in try contents(beneath: disk.point).values })
        for name in Self.drops.keys where !found.contains(Self.content(name)) { throw Failure("\(name) is lost") }
    }

    /// Each document is in its place, once, with one record, and nothing else is there.
    private func expectAllFiled() throws {
        var wanted = [Self.taken: Self.taken.bytes]
        for (name, place) in Self.drops { wanted[place] = Self.content(name) }
        var found = try contents(beneath: documents)
        if isAcross { found.merge(try contents(beneath: disks[1].point)) { one, _ in one } }
        let surplus = found.keys.filter { wanted[$0] != found[$0] }
        let missing = wanted.keys.filter { found[$0] != wanted[$0] }
        guard surplus.isEmpty, missing.isEmpty else { throw Failure("missing: \(missing), surplus: \(surplus)") }
        let records = try JSONValue.parseLines(Disk.text(state / "history.jsonl")).filter {
            $0["event"]?.string == "filed"
        }
        guard records.count == Self.records else { throw Failure("\(records.count) records: \(records)") }
        let staged = try disks.flatMap { try stage.staged(beneath: $0.point) }
        guard staged.isEmpty else { throw Failure("these stay staged: \(staged)") }
        guard Disk.text(state / "journal").isEmpty else { throw Failure("the journal is not empty") }
    }

    private func contents(beneath folder: TestPath) throws -> [TestPath: [UInt8]] {
        let files = try Disk.leaves(of: folder).filter { Disk.kind(folder / $0) == .file }
        return Dictionary(uniqueKeysWithValues: try files.map { ($0, try Disk.read(folder / $0)) })
    }

    /// More than btrfs keeps beside a file's other data.
    private static func content(_ name: TestPath) -> [UInt8] {
        Array("The content of \(name).\n".utf8) + [UInt8](repeating: 65, count: 9_000)
    }

    private func put(_ bytes: [UInt8], at path: TestPath) throws {
        try Disk.makeFolders(path.parent)
        try Disk.put(bytes, at: path)
    }
}
