import Glibc
import InboxTestSupport
import Testing

/// A folder of another project, for whose quota what is in it counts: link(2) and rename(2) say EXDEV there.
@Suite("A folder into which no rename leads, on the same filesystem")
struct ProjectFolderTests {
    @Test("A document is copied into it, and a package is held")
    func project() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            stage.variables = ["INBOXD_FAULT=renameat2@/Documents/project/:*:\(EXDEV)"]
            try Disk.makeFolders(stage.documents / "project")
            try Disk.makeFolders(stage.root / "outside/project/note.rtfd")
            try Disk.put([65], at: stage.root / "outside/project/letter.txt")
            try Disk.put(Array("{\\rtf1}".utf8), at: stage.root / "outside/project/note.rtfd/TXT.rtf")
            try await stage.start()
            try Disk.move(stage.root / "outside/project", to: stage.inbox / "project")
            try await stage.expectCounters(["filed": 1, "held": 1, "waiting": 0])
            #expect(try Disk.read(stage.documents / "project/letter.txt") == [65])
            try await stage.expectListed("note.rtfd", state: "held", reasons: ["permission"])
            #expect(Disk.exists(stage.inbox / "project/note.rtfd/TXT.rtf"))
        }
    }
}
