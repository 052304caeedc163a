import InboxTestSupport
import Testing

/// How often a document is opened that goes to another filesystem, counted and not timed.
@Suite(
    "What is prepared for another filesystem", .enabled(if: FaultStage.hasOtherFilesystem, "needs two filesystems"))
struct PreparedOnceTests {
    @Test("A file is opened once in the Inbox and once where it is claimed", arguments: ["full", "relaxed"])
    func opens(durability: String) async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(
                settings: ["Inbox.Settle=0", TestPath("Inbox.Durability=\(durability)")], below: FaultStage.folder,
                inboxOn: try OtherFilesystem(than: FaultStage.folder))
            defer { stage.close() }
            try Disk.put(Array("Dear".utf8), at: stage.inbox / "letter.txt")
            let path = stage.root / "trace"
            stage.variables = ["INBOXD_TRACE=\(path)"]
            try await stage.runDaemon(["--once"])
            #expect(try stage.filedRecords().count == 1)
            let calls = try CallTrace(reading: path).calls
            let opens = calls.filter { ["openat", "openat2"].contains($0.name) && $0.mentions("letter.txt") }
            #expect(opens.count == 2, "\(opens)")
        }
    }
}
