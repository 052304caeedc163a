import Glibc
import InboxTestSupport
import Testing

/// Folders that are made for somebody else, as by a system service: no crash leaves a half-made one.
@Suite("Folders for another owner", .enabled(if: geteuid() == 0, "only root gives folders away"))
struct FolderMakingTests {
    private static let owner: uid_t = 4242

    /// A stage whose Documents belong to somebody else.
    private func stage(standing: String? = nil) throws -> FaultStage {
        let drops = ["a/letter.txt", "c/d/e.txt"].map { FaultRow.drop($0) }
        let stage = try FaultStage(FaultRow(name: "folders for another", standing: standing, drops: drops))
        let documents = stage.stage.documents
        // The Inbox too: an Inbox in a folder of another owner, who could exchange it, is unsafe.
        for folder in [documents, documents / "Inbox"] {
            guard folder.withCString({ chown($0, Self.owner, Self.owner) }) == 0 else {
                throw Failure("chown: \(errno)")
            }
        }
        return stage
    }

    /// The folders that were made, with their owners.
    private func made(on stage: FaultStage) throws -> [(path: TestPath, owner: uid_t)] {
        var found: [(TestPath, uid_t)] = []
        func walk(_ folder: TestPath) throws {
            for name in try Disk.names(in: folder) where Disk.kind(folder / name) == .folder && name != "Inbox" {
                var reported = stat()
                guard (folder / name).withCString({ lstat($0, &reported) }) == 0 else {
                    throw Failure("lstat: \(errno)")
                }
                found.append((folder / name, reported.st_uid))
                try walk(folder / name)
            }
        }
        try walk(stage.stage.documents)
        return found
    }

    @Test("Killed at any call, no folder is used before it has its owner, and the next run gives it that")
    func killed() async throws {
        let probe = try stage()
        let run = try await probe.run()
        #expect(run.exit == .status(0))
        try probe.expectAllFiled()
        let first = try #require(
            run.trace.calls.firstIndex { $0.name == "mkdirat" && $0.mentions("/Documents/") })
        let last = try #require(
            run.trace.calls.lastIndex { $0.name == "mkdirat" && $0.mentions("/Documents/") })
        try await Sweep.play(run.trace.targets(first...last + 12), probe.row, "killed") { target in
            let stage = try self.stage()
            guard try await stage.run(target.plan("KILL")).exit == .signal(9) else { return true }
            for (path, owner) in try self.made(on: stage) where owner != Self.owner {
                guard try Disk.names(in: path).isEmpty else { throw Failure("\(path) of \(owner) is in use") }
            }
            let run = try await stage.run()
            guard run.exit == .status(0) else { throw Failure("the run after it: \(run.errors)") }
            try stage.expectAllFiled()
            for (path, owner) in try self.made(on: stage) {
                guard owner == Self.owner else { throw Failure("\(path) of \(owner) is left") }
            }
            return false
        }
    }

    @Test("One that could not be written down once more gets its owner all the same")
    func unnoted() async throws {
        let stage = try stage()
        // The first line announces the folder; the second says which one it is, before it is given away.
        _ = try await stage.run("write@/journal:2:28")
        let folders = try made(on: stage)
        #expect(!folders.isEmpty && folders.allSatisfy { $0.owner == Self.owner }, "\(folders)")
    }
}

@Suite("A folder that was about to be made")
struct AnnouncedFolderTests {
    @Test("A private folder that somebody makes under its name after a kill keeps its mode")
    func others() async throws {
        let stage = try FaultStage(FaultRow(name: "announced folder", drops: [FaultRow.drop("a/letter.txt")]))
        #expect(try await stage.run("mkdirat@/Documents/a:1:KILL").exit == .signal(9))
        let folder = stage.stage.documents / "a"
        try Disk.makeFolder(folder)
        try Disk.check("chmod", folder, folder.withCString { chmod($0, 0o700) })
        _ = try await stage.run()
        #expect(try Disk.mode(folder) == 0o700)
    }
}
