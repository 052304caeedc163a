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
}
