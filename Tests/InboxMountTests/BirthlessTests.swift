import Glibc
import InboxTestSupport
import Testing

extension MountTests {
    /// ext4 with small inodes, which have no room for the time at which a file was made.
    @Suite("A filesystem that keeps no birth times")
    struct BirthlessTests {
        @Test(
            "What was moved when the daemon was killed, and was written to before the next start, is recorded once",
            Means.loop("ext4"), arguments: [TestPath("letter.txt"), "note.rtfd/TXT.rtf"])
        func edited(_ path: TestPath) async throws {
            try await onMounts(settings: ["Inbox.Settle=0", "Inbox.FolderSettle=0"]) { stage, mounts in
                try mounts.loop("ext4", at: stage.documents, make: ["-I", "128"])
                let (made, name) = (stage.root / "outside", path.components[0])
                try Disk.makeFolders((made / path).parent)
                try Disk.put([8], at: made / path)
                try Disk.makeFolders(stage.inbox)
                try Tool.run("cp", "-r", made / name, stage.inbox / name)
                stage.variables = ["INBOXD_FAULT=write@/history.jsonl:1:KILL"]
                try await stage.runDaemon(["--once"])
                #expect(stage.lastRun?.exit == .signal(SIGKILL))
                #expect(try stage.filedRecords().isEmpty)
                stage.variables = []
                try Disk.put([9, 9, 9], at: stage.documents / path)
                try await stage.runDaemon(["--once"])
                #expect(stage.lastRun?.exit == .status(0), "\(stage.lastRun?.errors ?? "")")
                let destinations = try stage.filedRecords().map { $0["destination"]?.string }
                #expect(destinations == ["\(stage.documents / name)"])
                #expect(try Disk.read(stage.documents / path) == [9, 9, 9])
            }
        }
    }
}
