import InboxLinux
import InboxVarlink
import Testing

@testable import inboxctl

@Suite("Who writes to an arrival")
struct ArrivalWritersTests {
    private static let path = "/d/Inbox/caf\\xe9.pdf"
    private static let words = "a process has it open for writing"
    /// An escape sequence, a line feed, a byte that is not UTF-8, and a backslash.
    private static let hostile = WritingProcess(number: 12, name: Array("\u{1B}[31m\nx".utf8) + [0xFF, 0x5C])

    private func answered(
        _ words: [String], reason: String = "writing", detail: String? = words, by writers: [WritingProcess]
    ) throws -> Run {
        let arrival = ArrivalReport(
            path: Self.path, state: .waiting, reason: reason, detail: detail, size: 1, since: "2026-11-20T22:51:05Z")
        var inbox = FixedInbox(report: .quiet, listed: [arrival])
        inbox.explained[Self.path] = ExplanationReport(
            path: Self.path, type: "com.adobe.pdf", mime: nil, evidence: "name", mismatch: false, unread: false,
            conformsTo: [], destination: nil, arrival: arrival)
        let daemon = try StandIn(inbox)
        let run = inboxctl(
            bytes: words.map { BytePath(escapedText: $0)?.bytes ?? [] }, environment: ["INBOXD_SOCKET": daemon.path],
            writers: writers.isEmpty ? [:] : [Self.path: writers])
        #expect(try daemon.stop())
        return run
    }

    @Test("One is named with its number, and of several the first and how many others there are")
    func words() throws {
        let (scp, cp) = (WritingProcess(number: 4711, name: Array("scp".utf8)), WritingProcess(number: 7, name: []))
        for (writers, words) in [
            ([scp], "\(Self.words): scp (4711)"), ([cp], "\(Self.words): process (7)"),
            ([scp, cp], "\(Self.words): scp (4711) and 1 other"),
            ([cp, scp, cp], "\(Self.words): process (7) and 2 others"), ([], Self.words),
        ] {
            #expect(try answered(["list"], by: writers).output.hasSuffix("/caf\\xe9.pdf  \(words)\n"))
            let explained = try answered(["explain", Self.path], by: writers)
            #expect(explained.output.contains("state: waiting (writing): \(words)\n"), "\(explained)")
        }
        #expect(try answered(["list"], detail: nil, by: [scp]).output.hasSuffix("/caf\\xe9.pdf  scp (4711)\n"))
    }

    @Test("A hostile name is printed with its control characters escaped")
    func hostile() throws {
        let shown = "\(Self.words): \\x1b[31m\\x0ax\\xff\\\\ (12)\n"
        #expect(try answered(["list"], by: [Self.hostile]).output.hasSuffix(shown))
        #expect(try answered(["explain", Self.path], by: [Self.hostile]).output.contains(shown))
    }

    @Test("An object has all of them, each with its number and its name as text that can be turned back into bytes")
    func objects() throws {
        let writers = [Self.hostile, WritingProcess(number: 13, name: Array("cp".utf8))]
        let listed = try JSONValue(parsing: try answered(["list", "--json"], by: writers).output.utf8)
        let explained = try JSONValue(parsing: try answered(["explain", "--json", Self.path], by: writers).output.utf8)
        let expected = JSONValue.array([
            .object(["pid": .integer(12), "name": .string("\u{1B}[31m\nx\\xff\\\\")]),
            .object(["pid": .integer(13), "name": .string("cp")]),
        ])
        #expect(listed["writers"] == expected && explained["arrival"]?["writers"] == expected)
        let unknown = try JSONValue(parsing: try answered(["list", "--json"], by: []).output.utf8)
        #expect(unknown["writers"] == nil && unknown["reason"] == .string("writing"))
    }

    @Test("Nobody is searched for where it is not a writer that is waited for")
    func others() throws {
        let run = try answered(["list"], reason: "settling", detail: nil, by: [Self.hostile])
        #expect(run.output.hasSuffix("/caf\\xe9.pdf\n"), "\(run)")
    }
}
