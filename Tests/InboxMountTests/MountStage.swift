import Glibc
import InboxTestSupport
import Testing

/// Tests on filesystems that are really mounted: one after the other, so that eight loop devices are enough.
@Suite("Real mounts", .serialized)
enum MountTests {}

/// Tests on filesystems of servers that are slow, or hang: one after the other, and beside those of ``MountTests``,
/// since they do little but wait.
@Suite("Servers of mounts", .serialized)
enum ServerTests {}

/// What the tests of a suite have, one after the other. Not the gate of the other tests: each would wait there behind all
/// that came before it.
struct Row {
    static let mounts = Row()
    static let servers = Row()
    static let volumes = Row()
    static let powerCuts = Row()

    let gate = Gate(places: 1)
    let namespace = Namespace()
}

/// A test on a stage and with mounts of its own; nothing of them is left, and a failure comes with a report.
func onMounts(
    in row: Row = .mounts, settings: [TestPath] = ["Inbox.Settle=0"],
    _ body: (Stage, Mounts) async throws -> Void
) async throws {
    try await row.gate.pass {
        try await row.namespace.perform {
            let stage = try Stage(settings: settings)
            let mounts = try Mounts(in: stage.root / "images")
            do { try await body(stage, mounts) } catch { Issue.record("\(error)\n\(await stage.report())") }
            if stage.daemon != nil { _ = try? await stage.end(SIGKILL) }
            mounts.close()
            let left = Mounts.table().filter { $0.bytes.starts(with: stage.root.bytes) }
            #expect(left.isEmpty, "left mounted: \(left)")
            try await expectNoDevice(of: stage)
            stage.close()
            #expect(!Disk.exists(stage.root), "something of the stage is left")
        }
        let out = Disk.text("/proc/self/mountinfo").split(separator: "\n").filter { $0.contains("/inboxd-tests.") }
        #expect(out.isEmpty, "these came out of the namespace: \(out)")
    }
}

/// A device that is still in use is detached with its last user.
private func expectNoDevice(of stage: Stage) async throws {
    try await eventually {
        let devices = try Disk.names(in: "/sys/block").filter { device in
            Disk.text("/sys/block" / device / "loop/backing_file").contains("\(stage.root)")
        }
        return devices.isEmpty ? nil : "left attached: \(devices)"
    }
}

extension Stage {
    /// The Inbox is this folder instead of the one in Documents.
    func useInbox(_ path: TestPath) throws {
        try Disk.makeFolders(path)
        settings += ["Inbox.Inbox=", TestPath("Inbox.Inbox=\(path)")]
    }

    /// Waits until the document is there with these bytes, is gone from where it was dropped, and recorded.
    func expectFiled(_ path: TestPath, _ bytes: [UInt8], from source: TestPath) async throws {
        try await eventually {
            guard Disk.kind(path) == .file else { return "\(path) is not there" }
            return Disk.exists(source) ? "\(source) is still there" : nil
        }
        // A copy that is made under its own name is whole when it is recorded.
        try await expectRecord([("destination", path)])
        guard try Disk.read(path) == bytes else { throw Failure("\(path) has other bytes than were dropped") }
    }

    /// Drops a package with a folder in it, and waits until it is gone from there.
    func dropPackage(in inbox: TestPath) async throws {
        let made = root / "outside/note.rtfd"
        try Disk.makeFolders(made / "in")
        try Disk.put([8], at: made / "TXT.rtf")
        try Disk.put([9], at: made / "in/a.png")
        try Tool.run("cp", "-r", made, inbox / "note.rtfd")
        try await eventually {
            Disk.exists(inbox / "note.rtfd") ? "the package is still there" : nil
        }
    }

    /// One line of `inboxctl list --json`, once the arrival is listed.
    func arrival(_ name: TestPath) async throws -> JSONValue {
        let run = try await control(["list", "--json"])
        let found = try JSONValue.parseLines(run.output).first { line in
            TestPath(pathBytes(fromJSON: line["path"]?.string ?? "")).ends(with: name)
        }
        guard let found else { throw Failure("\(name) is not listed: \(run.output) \(run.errors)") }
        return found
    }

    /// Waits until an arrival that is tried again has failed once more than now.
    func expectAnotherTry(of name: TestPath) async throws {
        let next = try await arrival(name)["next"]
        try await eventually {
            let now = try await arrival(name)
            return now["reason"]?.string == "retrying" && now["next"] != next ? nil : "it was not tried again: \(now)"
        }
    }

    /// How many lines of the daemon's log hold these words.
    func logged(_ words: String) -> Int {
        Disk.text(daemonLog).split(separator: "\n").count { $0.contains(words) }
    }

    /// What beneath the folder is a staging folder, or in one.
    func staged(beneath folder: TestPath) throws -> [TestPath] {
        try Disk.leaves(of: folder).filter { leaf in
            leaf.components.contains { $0.bytes.starts(with: ".inboxd-".utf8) }
        }
    }

    /// Waits until no staging folder is left beneath the folder, which goes last.
    func expectNothingStaged(beneath folder: TestPath) async throws {
        try await eventually {
            let left = try staged(beneath: folder)
            return left.isEmpty ? nil : "\(left) are left"
        }
    }

    /// Waits until all that is beneath the folder is this.
    func expectLeaves(_ wanted: Set<TestPath>, of folder: TestPath, except hidden: Set<TestPath> = []) async throws {
        try await eventually {
            let found = Set(try Disk.leaves(of: folder, except: hidden))
            return found == wanted ? nil : "\(folder) holds \(found), not \(wanted)"
        }
    }
}
