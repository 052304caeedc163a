import Glibc
import InboxTestSupport
import Testing

/// The examples of checks with the programs that they are written for. Scenarios run them everywhere with stand-ins.
@Suite("Examples with the programs that they are written for")
struct ExampleProgramsTests {
    private static func installed(_ name: TestPath) -> TestPath? {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin"].map { $0 / name }.first { Disk.kind($0) != nil }
    }

    private static let examples = BuiltPrograms.packageRoot / "config/examples"

    private func onStage(_ example: TestPath, _ body: (Stage) async throws -> Void) async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0"])
            defer { stage.close() }
            do { try await body(stage) } catch { Issue.record("\(example): \(error)\n\(await stage.report())") }
        }
    }

    private func start(_ stage: Stage, _ example: TestPath, in folder: TestPath) async throws {
        stage.variables.append("PATH=\(folder):/usr/bin:/bin")
        try await stage.start(["--config", Self.examples / example])
    }

    @Test(
        "Letters are sorted by the text that pdftotext finds in them",
        .enabled(if: Extent.isFull, Comment(rawValue: Extent.reason)),
        .enabled(if: installed("pdftotext") != nil, "pdftotext is not installed"))
    func letters() async throws {
        try await onStage("letters.conf") { stage in
            let folder = stage.root / "home/.local/bin"
            try Disk.makeFolders(folder)
            try Disk.put(try Disk.read(Self.examples / "letters"), at: folder / "letters")
            chmod("\(folder / "letters")", 0o755)
            try await start(stage, "letters.conf", in: folder)
            let letter = Self.letter("Your Electricity invoice of 2021-05-06")
            try Disk.put(letter, at: stage.inbox / "a.pdf")
            try await stage.expectCounters(["filed": 1])
            #expect(try Disk.read(stage.documents / "Letters/Power/Invoices/2021-05-06 Power.pdf") == letter)
        }
    }

    /// A document of one page with one line on it.
    private static func letter(_ text: String) -> [UInt8] {
        let page = "BT /F 12 Tf 50 400 Td (\(text)) Tj ET"
        return Array(
            """
            %PDF-1.4
            1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
            2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
            3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 500 500]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>> endobj
            4 0 obj <</Length \(page.utf8.count)>> stream
            \(page)
            endstream endobj
            5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
            trailer <</Root 1 0 R>>
            %%EOF

            """.utf8)
    }

    @Test(
        "A document that clamd finds infected is set aside, a clean one is filed, and without clamd documents wait",
        .enabled(if: Extent.isFull, Comment(rawValue: Extent.reason)),
        .enabled(if: installed("clamdscan") != nil && installed("clamd") != nil, "clamdscan or clamd is not installed"))
    func viruses() async throws {
        let (scan, server) = (try #require(Self.installed("clamdscan")), try #require(Self.installed("clamd")))
        try await onStage("virus-scan.conf") { stage in
            // The one signature is `a virus in a test`: nothing is downloaded.
            let signature = "a virus in a test".utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            let folder = stage.root / "clamav"
            try Disk.makeFolders(folder / "signatures")
            try Disk.put(Array("Test:0:*:\(signature.joined())\n".utf8), at: folder / "signatures/test.ndb")
            let settings = "LocalSocket \(folder)/socket\nDatabaseDirectory \(folder)/signatures\nForeground yes\n"
            try Disk.put(Array(settings.utf8), at: folder / "clamd.conf")
            try Disk.put(
                Array("#!/bin/sh\nexec \(scan) --config-file=\(folder)/clamd.conf \"$@\"\n".utf8),
                at: folder / "clamdscan")
            chmod("\(folder / "clamdscan")", 0o755)
            let clamd = try Program(
                server, [TestPath("--config-file=\(folder)/clamd.conf")], environment: stage.environment,
                output: stage.root / "log/clamd", errors: stage.root / "log/clamd.err")
            try await eventually {
                Disk.kind(folder / "socket") == .special ? nil : "no clamd: \(Disk.text(stage.root / "log/clamd.err"))"
            }
            try await start(stage, "virus-scan.conf", in: folder)
            try Disk.put(Array("clean\n".utf8), at: stage.inbox / "a.txt")
            try Disk.put(Array("here is a virus in a test\n".utf8), at: stage.inbox / "b.txt")
            try await stage.expectCounters(["filed": 1, "rejected": 1])
            #expect(Disk.exists(stage.documents / "a.txt") && Disk.exists(stage.documents / "Quarantine/b.txt"))
            clamd.signal(SIGKILL)
            _ = try await clamd.ended()
            try Disk.put(Array("clean too\n".utf8), at: stage.inbox / "c.txt")
            try await stage.expectListed("c.txt", state: "waiting", reasons: ["retrying"])
            #expect(!Disk.exists(stage.documents / "c.txt"))
        }
    }
}
