import InboxTestSupport
import Testing

@Suite("What has taken the place of a document's folder at the next start")
struct SwappedSourceTests {
    @Test("Through a link in the Inbox no name outside it is removed, though it is one of the document's")
    func link() async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0"])
            defer { stage.close() }
            let (folder, home) = (stage.inbox / "s", stage.root / "outside")
            for path in [folder, stage.documents / "s"] { try Disk.makeFolders(path) }
            try Disk.put([1], at: home / "a.txt")
            try Disk.link(home / "a.txt", to: folder / "a.txt")
            stage.variables = ["INBOXD_FAULT=renameat2@a.txt:1:KILL"]
            try await stage.runDaemon(["--once"])
            #expect(stage.lastRun?.exit == .signal(9))
            try Disk.move(folder, to: stage.inbox / "old")
            try Disk.makeLink(folder, to: home)
            // As a move without a rename leaves it: with two names, of which recovery takes the first one away.
            try Disk.link(stage.inbox / "old/a.txt", to: stage.documents / "s/a.txt")
            stage.variables = []
            try await stage.runDaemon(["--once"])
            #expect(Disk.exists(home / "a.txt"))
            #expect(try Disk.names(in: home) == ["a.txt"])
        }
    }
}
