import Glibc
import InboxTestSupport
import Testing

/// A folder has to be made while the journal, which comes first, cannot be written.
@Suite("A full state folder, and a folder that has to be made")
struct UnjournalledFolderTests {
    private static let drops = [FaultRow.drop("c/letter.txt")]
    private static let rows =
        [FaultRow(name: "new folder", drops: drops)]
        + (FaultStage.hasOtherFilesystem ? [FaultRow(name: "new folder across", isAcross: true, drops: drops)] : [])

    @Test("The state folder is reported, once, and not the folder that has room", arguments: rows)
    func blame(_ row: FaultRow) async throws {
        let stage = try FaultStage(row)
        let run = try await stage.run("write@/journal:*:28")
        #expect(run.exit == .status(75))
        #expect(Disk.exists(stage.stage.inbox / "c/letter.txt"))
        let complaints = run.errors.split(separator: "\n").filter { $0.contains("cannot write the journal, so") }
        #expect(complaints.count == 1, "\(run.errors)")
        #expect(!run.errors.contains("nothing more can be written"), "\(run.errors)")
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test("A document that cannot be put back for it says so, and is put back when there is room")
    func undo() async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(Self.rows[0])
            #expect(try await stage.run().exit == .status(0))
            let id = try #require(try stage.stage.filedRecords().last?["id"]?.string)
            if Disk.exists(stage.stage.inbox / "c") { try Disk.removeTree(stage.stage.inbox / "c") }
            stage.stage.variables = ["INBOXD_FAULT=write@/state/journal:1:28"]
            try await stage.stage.start()
            let refused = try await stage.stage.control(["undo", TestPath(id)])
            #expect(refused.exit == .status(1))
            #expect(refused.errors.contains("cannot write the journal: No space left on device"), "\(refused.errors)")
            #expect("\(try await stage.stage.status())".contains("cannot write the journal, so nothing is filed"))
            try await eventually {
                let again = try await stage.stage.control(["undo", TestPath(id)])
                return again.exit == .status(0) ? nil : again.errors
            }
            #expect(Disk.exists(stage.stage.inbox / "c/letter.txt"))
            #expect(try await stage.stage.status()["state"]?.string == "watching")
        }
    }

    @Test("An Inbox that cannot be made for it is a problem that says so, and is made when there is room")
    func inbox() async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(FaultRow(name: "no Inbox", drops: []))
            stage.stage.variables = ["INBOXD_FAULT=write@/state/journal:1:28"]
            try await stage.stage.start()
            try Disk.removeTree(stage.stage.inbox)
            try await eventually { Disk.exists(stage.stage.inbox) ? nil : "no Inbox is made" }
            let log = Disk.text(stage.stage.daemonLog)
            #expect(log.contains("cannot make the Inbox \(stage.stage.inbox): cannot write the journal"), "\(log)")
            try await eventually {
                try await stage.stage.status()["state"]?.string == "watching" ? nil : "it is not watching"
            }
        }
    }

    @Test("Documents that are missing at the start are made all the same, so that somebody can be told")
    func documents() async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(FaultRow(name: "no Documents", drops: []))
            try Disk.removeTree(stage.stage.documents)
            stage.stage.variables = ["INBOXD_FAULT=write@/state/journal:*:28"]
            try await stage.stage.start()
            #expect(Disk.kind(stage.stage.inbox) == .folder)
            #expect(try await stage.stage.status()["state"]?.string == "watching")
        }
    }
}
