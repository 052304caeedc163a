import Glibc
import InboxLinux
import InboxVarlink
import Testing

@testable import inboxctl

@Suite("Columns of a terminal")
struct WidthTests {
    @Test(
        "Wide characters take two columns, combining ones none",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("文書", 4), ("ｱ", 1), ("Ａ", 2), ("🙂", 2), ("한글", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("…", 1), ("ก็", 1), ("Grüße 文", 8),
        ])
    func widths(text: String, columns: Int) {
        #expect(text.displayWidth == columns)
    }

    /// The tables of another Unicode version may know more characters, so that the two agree almost everywhere only.
    @Test("The table agrees with the C library's")
    func agreesWithLibrary() throws {
        let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil), "the C library has no C.UTF-8")
        // The module of the C library leaves out what only X/Open demands.
        typealias Width = @convention(c) (wchar_t) -> Int32
        let wcwidth = unsafeBitCast(try #require(dlsym(nil, "wcwidth")), to: Width.self)
        let before = uselocale(locale)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        var differing: [String] = []
        var count = 0
        for value in UInt32(0x20)...0x3FFFF {
            guard let scalar = Unicode.Scalar(value), !EscapedBytes.isUnprintable(scalar) else { continue }
            let known = wcwidth(wchar_t(value))
            guard known >= 0, scalar.properties.generalCategory != .unassigned else { continue }
            count += 1
            if Int(known) != DisplayWidth.columns(of: scalar) { differing.append(String(value, radix: 16)) }
        }
        #expect(count > 100_000)
        #expect(differing.count < 400, "\(differing.count): \(differing.joined(separator: " "))")
    }

    @Test(
        "Text is shortened in its middle, never wider than asked, and no character is cut apart",
        arguments: [
            ("/home/ann/report.pdf", 30, "/home/ann/report.pdf"), ("/home/ann/report.pdf", 13, "/hom…port.pdf"),
            ("/文書/文書/文書.pdf", 12, "/文…文書.pdf"), ("abc", 1, "…"), ("abc", 0, "…"),
            ("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", 4, "e\u{301}…e\u{301}e\u{301}"),
        ])
    func shortens(text: String, width: Int, expected: String) {
        #expect(text.shortened(to: width) == expected)
        #expect(text.shortened(to: width).displayWidth <= max(1, width))
    }

    @Test("No escape is cut apart", arguments: 2...30)
    func escapes(width: Int) {
        let text = "/d/\\x1b\\x1b\\\\x1b\\n\\x1b/\\x9b\\x9b\\\\a.pdf"
        for shown in [text.shortened(to: width), text.clipped(to: width)] {
            #expect(shown.displayWidth <= width)
            var rest = shown.replacing("\\\\", with: "")
            for escape in ["\\x1b", "\\x9b", "\\n"] { rest = rest.replacing(escape, with: "") }
            #expect(!rest.contains("\\") && !rest.contains("9b"), "\(shown)")
        }
    }

    @Test("Text is broken at blanks")
    func wraps() {
        #expect("a bb ccc dddddd e".wrapped(to: 4) == ["a bb", "ccc", "dddddd", "e"])
        #expect("".wrapped(to: 4).isEmpty)
        #expect("abcdef".clipped(to: 4) == "abc…" && "abc".clipped(to: 3) == "abc" && "abc".clipped(to: 0) == "")
    }

    @Test("No row of a list is wider than the terminal, and wide names are aligned", arguments: [60, 80, 120])
    func rows(width: Int) throws {
        let listed = [
            ArrivalReport(
                path: "/home/ann/Documents/Inbox/\(String(repeating: "文書", count: 60))/end.pdf", state: .held,
                reason: "symlink", detail: "it points to \(String(repeating: "somewhere ", count: 20))", size: 3,
                since: "2026-11-18T22:51:07Z"),
            ArrivalReport(
                path: "/home/ann/Documents/Inbox/e\u{301}.pdf", state: .waiting, reason: "writing", size: 1,
                since: "2026-11-20T22:51:00Z", next: "2026-11-20T22:51:09Z"),
        ]
        var report = StatusReport.quiet
        report.counters.held = 1
        report.counters.waiting = 1
        let daemon = try StandIn(FixedInbox(report: report, listed: listed))
        for verb in ["list", "status"] {
            let run = inboxctl([verb], environment: ["INBOXD_SOCKET": daemon.path], size: (width, 40))
            #expect(run.status == 0)
            for line in run.output.split(separator: "\n") { #expect(line.displayWidth <= width, "\(line)") }
            #expect(run.output.contains("end.pdf") && run.output.contains("…"))
        }
        let piped = inboxctl(["list"], environment: ["INBOXD_SOCKET": daemon.path])
        #expect(!piped.output.contains("…"))
        #expect(try daemon.stop())
    }

    @Test(
        "What nobody sees is shown by its bytes, and by its number in JSON",
        arguments: [
            ("\u{9B}", "\\xc2\\x9b", "\\u009b"), ("\u{202E}", "\\xe2\\x80\\xae", "\\u202e"),
            ("\u{200B}", "\\xe2\\x80\\x8b", "\\u200b"), ("\u{2028}", "\\xe2\\x80\\xa8", "\\u2028"),
            ("\u{2029}", "\\xe2\\x80\\xa9", "\\u2029"), ("\u{E0041}", "\\xf3\\xa0\\x81\\x81", "\\udb40\\udc41"),
            ("\u{2067}", "\\xe2\\x81\\xa7", "\\u2067"), ("\u{FEFF}", "\\xef\\xbb\\xbf", "\\ufeff"),
        ])
    func invisible(character: String, printed: String, json: String) throws {
        let arrival = ArrivalReport(
            path: "/d/Inbox/a\(character)b", state: .held, reason: "symlink", size: 1, since: "2026-11-20T22:51:07Z")
        var report = StatusReport.quiet
        report.counters.held = 1
        let daemon = try StandIn(FixedInbox(report: report, listed: [arrival]))
        let environment = ["INBOXD_SOCKET": daemon.path]
        for verb in ["list", "status"] {
            #expect(inboxctl([verb], environment: environment).output.contains("Inbox/a\(printed)b"))
        }
        let line = inboxctl(["list", "--json"], environment: environment).output
        #expect(line.contains("Inbox/a\(json)b"))
        #expect(try JSONValue(parsing: line.utf8).decoded(as: ArrivalReport.self) == arrival)
        #expect(try daemon.stop())
    }
}
