import Glibc
import InboxTestSupport
import Testing

/// A document and the files that belong to it, when a call between their renames fails or is the last one.
@Suite("Files that belong together, and are apart")
struct DocumentUnitTests {
    private static func stage() throws -> FaultStage { try FaultStage(try FaultRow.named("database with its logs")) }

    @Test("Where they cannot be brought together again, they are filed as one all the same, without another start")
    func apart() async throws {
        try await Gate.daemons.pass {
            let stage = try Self.stage()
            // The document's rename, and that of the first file that is to return.
            let faults = ["renameat2@Inbox/app.db ->:1:5", "renameat2@app-2.db-:3:5"]
            stage.stage.variables = [
                "INBOXD_FAULT=\(faults.joined(separator: ";"))", "INBOXD_TRACE=\(stage.stage.root)/trace",
            ]
            try await stage.stage.start()
            try await eventually(every: .milliseconds(50)) {
                do { try stage.expectAllFiled() } catch { return "\(error)" }
                return nil
            }
            try await stage.stage.expectCounters(["seen": 1, "filed": 1, "waiting": 0, "withdrawn": 0])
            #expect(try await stage.stage.end(SIGTERM) == .status(0))
            let struck = Disk.text(stage.stage.root / "trace").split(separator: "\n").filter {
                $0.contains("\tstruck\t")
            }
            #expect(struck.count == faults.count)
        }
    }

    @Test("A document that somebody has written to since the kill does not go to its files: these return to it")
    func written() async throws {
        let stage = try Self.stage()
        let killed = try await stage.run("renameat2@Inbox/app.db ->:1:KILL")
        #expect(killed.exit == .signal(9))
        let (inbox, documents) = (stage.stage.inbox, stage.stage.documents)
        #expect(Disk.exists(documents / "app-2.db-wal") && Disk.exists(inbox / "app.db"))
        let content = try Disk.read(inbox / "app.db") + Array("more".utf8)
        try Disk.put(content, at: inbox / "app.db")
        let next = try await stage.run()
        #expect(next.exit == .status(0), "\(next.errors)")
        #expect(next.trace.calls.contains { $0.subject.contains("app-2.db-wal -> \((inbox / "app.db-wal").traced)") })
        #expect(try Disk.read(documents / "app-2.db") == content)
        #expect(Disk.exists(documents / "app-2.db-wal") && Disk.exists(documents / "app-2.db-shm"))
        #expect(try stage.stage.filedRecords().count == 1)
    }
}
