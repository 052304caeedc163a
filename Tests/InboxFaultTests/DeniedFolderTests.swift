import InboxTestSupport
import Testing

@Suite("A package with a folder that the daemon may not enter")
struct DeniedFolderTests {
    @Test(
        "It is held for the permission, the folder is named, and a retry files it",
        arguments: [("openat2", "", ""), ("openat2", "/private", ""), ("statx", "/private", "/a")])
    func held(call: String, folder: String, name: String) async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0"])
            defer { stage.close() }
            let package = "note.rtfd"
            try Disk.makeFolders(stage.root / "outside" / TestPath("\(package)/private"))
            try Disk.put([1], at: stage.root / "outside" / TestPath("\(package)/private/a"))
            stage.variables = ["INBOXD_FAULT=\(call)@/\(package)\(folder)\(name):1:13", "INBOXD_PACKAGE_QUIET=50"]
            try await stage.start()
            try Disk.move(stage.root / "outside" / TestPath(package), to: stage.inbox / TestPath(package))
            try await stage.expectListed(TestPath(package), state: "held", reasons: ["permission"])
            let deed = call == "statx" ? "inspect" : "read"
            let words = "cannot \(deed) \(stage.inbox)/\(package)\(folder): Permission denied: give the daemon's user"
            #expect(Disk.text(stage.daemonLog).contains(words), "\(Disk.text(stage.daemonLog))")
            let run = try await stage.control(["retry"])
            #expect(run.exit == .status(0), "\(run.errors)")
            try await stage.expectFiledRecords(1)
            #expect(try Disk.read(stage.documents / TestPath("\(package)/private/a")) == [1])
        }
    }
}
