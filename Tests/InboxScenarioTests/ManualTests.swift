import InboxTestSupport
import Testing

/// inboxd's man page, held against what the program says of itself.
@Suite("The man page of inboxd")
struct ManualTests {
    private static func page() throws -> String {
        String(decoding: try Disk.read(BuiltPrograms.packageRoot / "Sources/inboxd/inboxd.8"), as: UTF8.self)
    }

    /// The names that follow a mark.
    private static func names(in text: some StringProtocol, after mark: String) -> Set<String> {
        Set(text.split(separator: mark).dropFirst().map { String($0.prefix { $0.isLetter || $0 == "-" }) })
    }

    @Test("It describes every option that the program knows, and of no other")
    func options() async throws {
        let stage = try Stage()
        defer { stage.close() }
        let help = try await stage.run(stage.daemonProgram, ["--help"])
        // In the help's own words an option may be named again: only the beginnings of lines count.
        let beginnings = help.output.split(separator: "\n").filter { $0.hasPrefix("  -") }.map { line in
            line.drop { $0 == " " }.split(separator: "  ")[0]
        }
        let known = Self.names(in: " " + beginnings.joined(separator: " "), after: "--")
        #expect(known.count >= 14)
        let items = try Self.page().split(separator: "\n").filter { $0.hasPrefix(".It Fl") }.joined(separator: "\n")
        #expect(Self.names(in: items, after: "Fl Fl ") == known)
    }

    /// The texts in quotes that follow a mark in the sources of a folder.
    private static func literals(in folder: TestPath, after mark: String, where fits: (String) -> Bool) throws
        -> Set<String>
    {
        let sources = BuiltPrograms.packageRoot / "Sources" / folder
        return Set(
            try Disk.leaves(of: sources).flatMap { file in
                String(decoding: try Disk.read(sources / file), as: UTF8.self)
                    .split(separator: mark).dropFirst().map { String($0.prefix { $0 != "\"" }) }.filter(fits)
            })
    }

    @Test("The pages name each field of the journal's lines, and each variable of the environment that inboxctl reads")
    func names() throws {
        let fields = try Self.literals(in: "InboxDaemon", after: "(\"") { $0.hasPrefix("INBOX_") }
        #expect(fields.count >= 9)
        let page = try Self.page()
        #expect(fields.filter { !page.contains($0) } == [])
        let variables = try Self.literals(in: "inboxctl", after: "variable(\"") { _ in true }
        #expect(variables.count >= 3)
        let control = String(
            decoding: try Disk.read(BuiltPrograms.packageRoot / "Sources/inboxctl/inboxctl.1"), as: UTF8.self)
        #expect(variables.filter { !control.contains(".It Ev \($0)\n") } == [])
    }
}
