import Glibc
import InboxTestSupport
import Testing

@Suite("A daemon that is started with a umask that closes what it makes to itself")
struct CreationMaskTests {
    @Test("Its folders look like those around them, and a handler has the umask", arguments: ["0777", "0277", "0177"])
    func masks(mask: String) async throws {
        try await Gate.daemons.pass {
            let programs = try PreparedDaemon("umask \(mask); exec")
            let settings: [TestPath] = [
                "Inbox.Settle=0", "DocumentType Texts.ContentTypes=public.plain-text",
                "DocumentType Texts.Destination=Texts/{year}", "DocumentType Texts.Run=/bin/sh -c umask",
            ]
            let stage = try Stage(settings: settings, programs: programs.folder)
            defer { stage.close() }
            do {
                try Disk.check("chmod", stage.documents, stage.documents.withCString { chmod($0, 0o750) })
                try await stage.start()
                try stage.moveIn(Array("text".utf8), as: "letter.txt")
                try await stage.expectFiledRecords(1)
                for folder in try Disk.names(in: stage.documents / "Texts").map({ "Texts" / $0 }) + ["Texts"] {
                    #expect(try Disk.mode(stage.documents / folder) == 0o750, "\(folder)")
                }
                #expect(try Disk.mode(stage.state) == 0o700)
                try await eventually {
                    let log = Disk.text(stage.daemonLog)
                    return log.split(separator: "\n").contains { $0.hasSuffix(": \(mask)") } ? nil : log
                }
            } catch {
                Issue.record("\(error)\n\(await stage.report())")
            }
            withExtendedLifetime(programs) {}
        }
    }
}
