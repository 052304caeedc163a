import Glibc
import InboxTestSupport
import Testing

@Suite(
    "What chattr(1) has made immutable or for appending only",
    .enabled(if: Immutability.obstacle == nil, "\(Immutability.obstacle ?? "")"))
struct FixedDocumentTests {
    /// What is fixed, by its path below Documents.
    struct Case: Sendable, CustomTestStringConvertible {
        let path: String
        let flag: Immutability.Flag
        var testDescription: String { "\(path), \(flag)" }
    }

    private static let cases = [
        Case(path: "Inbox/in/letter.txt", flag: .immutable), Case(path: "Inbox/in/letter.txt", flag: .appendOnly),
        Case(path: "Inbox/in", flag: .immutable), Case(path: "Inbox/in", flag: .appendOnly),
        Case(path: "Texts", flag: .immutable),
    ]

    @Test("A document that cannot be filed for that is held, and the words say what ends that", arguments: cases)
    private func held(_ row: Case) async throws {
        try await Gate.daemons.pass {
            let settings: [TestPath] = [
                "Inbox.Settle=0", "DocumentType Texts.ContentTypes=public.plain-text",
                "DocumentType Texts.Destination=Texts", "Inbox.Folders=flatten",
            ]
            let stage = try Stage(settings: settings, below: "/dev/shm")
            let path = "\(stage.documents)/\(row.path)"
            defer {
                _ = Immutability.set(path, false)
                stage.close()
            }
            do {
                for folder in [stage.documents / "Texts", stage.inbox / "in"] { try Disk.makeFolders(folder) }
                try Disk.put([1], at: stage.inbox / "in/letter.txt")
                #expect(Immutability.set(path, true, row.flag))
                try await stage.start()
                try await stage.expectListed("letter.txt", state: "held", reasons: ["permission"])
                let run = try await stage.control(["list"])
                #expect(run.output.contains("immutable or for appending only"), "\(run)")
                #expect(run.output.contains("chattr -i -a") && !run.output.contains("right to do that"), "\(run)")
                #expect(Immutability.set(path, false))
                // A file is inspected again and again, since no event reports that.
                if row.path.hasSuffix("/in") || row.path == "Texts" {
                    #expect(try await stage.control(["retry"]).exit == .status(0))
                }
                try await stage.expectFiledRecords(1)
            } catch {
                Issue.record("\(error)\n\(await stage.report())")
            }
        }
    }
}

@Suite("A document whose owner has no number where it belongs")
struct UnmappedOwnerTests {
    @Test("It is held until somebody mends that, as rename(2) fails on an idmapped mount")
    func held() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            stage.variables = ["INBOXD_FAULT=renameat2@/Inbox/letter.txt:1:\(EOVERFLOW)"]
            try await stage.start()
            try stage.moveIn([1], as: "letter.txt")
            try await stage.expectListed("letter.txt", state: "held", reasons: ["permission"])
            #expect(try await stage.control(["list"]).output.contains("idmapped mounts"))
            #expect(try await stage.control(["retry"]).exit == .status(0))
            try await stage.expectFiledRecords(1)
        }
    }
}
