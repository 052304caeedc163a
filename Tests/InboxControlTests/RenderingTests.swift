import InboxConfiguration
import InboxFiling
import InboxLinux
import InboxVarlink
import Testing

@testable import inboxctl

@Suite("What people see")
struct RenderingTests {
    @Test(
        "Colour is for terminals, unless someone objects",
        arguments: [
            (true, nil, "xterm", true), (true, "", "xterm", true), (true, "1", "xterm", false),
            (true, "0", "xterm", false),
            (true, nil, "dumb", false), (true, nil, nil, false), (false, nil, "xterm", false),
        ] as [(Bool, String?, String?, Bool)])
    func colour(isTerminal: Bool, noColor: String?, term: String?, isColoured: Bool) {
        let screen = Screen(
            size: isTerminal ? (80, 24) : nil, noColor: noColor.map { Array($0.utf8) },
            term: term.map { Array($0.utf8) })
        #expect(screen.isColoured == isColoured)
        #expect(screen.styled("x", .red) == (isColoured ? "\u{1B}[31mx\u{1B}[0m" : "x"))
    }

    @Test(
        "Sizes are short",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9949, "9.9 kB"), (12_345, "12 kB"), (999_999, "999 kB"),
            (1_000_000, "1.0 MB"), (3_420_000_000, "3.4 GB"), (Int64.max, "9.2 EB"), (-1, "0 B"),
        ] as [(Int64, String)])
    func sizes(bytes: Int64, words: String) {
        #expect(sizeInWords(bytes) == words)
    }

    @Test(
        "Numbers have their thousands apart",
        arguments: [
            (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
            (Int64.min, "-9,223,372,036,854,775,808"),
        ] as [(Int64, String)])
    func numbers(number: Int64, words: String) {
        #expect(grouped(number) == words)
    }

    @Test(
        "Times of the wire are read to the second",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-20T22:51:07.042Z", 1_795_215_067),
            ("2000-02-29T12:00:00Z", 951_825_600),
            ("1969-12-31T23:59:59Z", -1), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("", nil), ("2026-11-20", nil), ("2026-11-20T22:51:07+01:00", nil), ("2026-13-20T22:51:07Z", nil),
            ("2026x11-20T22:51:07Z", nil), ("+026-11-20T22:51:07Z", nil),
            ("2026-11-20T22:51:07soonZ", nil), ("2026-11-20T22:51:07.Z", nil), ("2026-11-20T22:51:07.0x2Z", nil),
            ("2026-11-20T24:00:00Z", nil), ("2026-11-20T22:60:07Z", nil), ("2026-11-20T22:51:61Z", nil),
            ("2026-02-29T12:00:00Z", nil), ("2026-11-00T22:51:07Z", nil), ("2026-11-31T22:51:07Z", nil),
            ("2028-02-29T00:00:00Z", 1_835_395_200), ("2026-12-31T23:59:60Z", 1_798_761_600),
        ] as [(String, Int64?)])
    func times(text: String, seconds: Int64?) {
        #expect(WireTime.seconds(text) == seconds)
    }

    @Test(
        "A fraction of a second counts as far as a nanosecond, however many digits it has",
        arguments: [
            ("", 0), (".5", 500_000_000), (".042", 42_000_000), (".123456", 123_456_000),
            (".999999999999", 999_999_999),
        ] as [(String, UInt32)])
    func fractions(digits: String, nanoseconds: UInt32) {
        let time = Timestamp(wireTime: "2026-11-20T22:51:07\(digits)Z")
        #expect(time == Timestamp(seconds: 1_795_215_067, nanoseconds: nanoseconds))
    }

    @Test("What the clock of this program writes is what it reads", arguments: 0..<200)
    func timesBothWays(step: Int) {
        let moment = Timestamp(seconds: -40_000_000_000 + Int64(step) * 1_456_789_123, nanoseconds: 0)
        #expect(WireTime.seconds(moment.text) == moment.seconds)
    }

    @Test(
        "Ages are in one unit, and a clock that went back is no trouble",
        arguments: [
            ("2026-11-20T22:51:07Z", "0 s"), ("2026-11-20T22:50:08Z", "59 s"), ("2026-11-20T22:50:07Z", "1 min"),
            ("2026-11-20T21:51:08Z", "59 min"), ("2026-11-19T22:51:08Z", "23 h"), ("2026-11-18T22:51:07Z", "2 d"),
            ("2027-01-01T00:00:00Z", "0 s"), ("nonsense\u{1B}", "nonsense\\x1b"),
        ])
    func ages(time: String, words: String) {
        #expect(ageInWords(time, now: someMoment) == words)
    }

    @Test(
        "Paths are printed without control characters, and broken ones are printed too",
        arguments: [
            ("/a/b", "/a/b"), ("/a\\xff", "/a\\xff"), ("/a\\\\b", "/a\\\\b"), ("/a\n", "/a\\x0a"),
            ("/\u{202E}x", "/\\xe2\\x80\\xaex"),
            ("/a\\q", "/a\\\\q"), ("/é", "/é"), ("/\\xc3\\xa9", "/é"), ("/\\x1b[2J", "/\\x1b[2J"),
        ])
    func paths(wire: String, printed: String) {
        #expect(printablePath(wire) == printed)
    }

    @Test("Long paths lose their beginning on a narrow terminal, and nothing elsewhere")
    func width() throws {
        var status = StatusReport.quiet
        status.counters.held = 20
        let path = "/home/ann/Documents/Inbox/" + String(repeating: "folder/", count: 30) + "end.pdf"
        let arrival = ArrivalReport(path: path, state: .held, reason: "name", size: 1, since: "2026-11-20T22:51:00Z")
        func lines(_ size: (width: Int, height: Int)?) -> [String] {
            let screen = Screen(size: size, noColor: [1], term: nil)
            let groups = [StatusScreen.Group(state: .held, shown: [arrival])]
            return StatusScreen(status: status, groups: groups, screen: screen, now: someMoment).lines
        }
        let narrow = try #require(lines((width: 60, height: 24)).first { $0.contains("end.pdf") })
        #expect(narrow.count <= 60)
        #expect(narrow.contains("…") && narrow.hasSuffix("end.pdf  name for 7 s"))
        let wide = try #require(lines(nil).first { $0.contains("end.pdf") })
        #expect(wide.contains("  Inbox/folder/") && !wide.contains("…"))
        #expect(lines(nil).last == "  … 19 more: inboxctl list held")
    }

    @Test("On a narrow terminal the reasons go on in further lines, and nothing of them is lost")
    func wrapping() {
        let detail = "it is a symbolic link: Symlinks=move files the link, or put its target here"
        var arrival = ArrivalReport(
            path: "/d/Inbox/Letter from the tax office.txt", state: .held, reason: "symlink", size: 1,
            since: "2026-11-20T22:51:00Z")
        arrival.detail = detail
        var status = StatusReport.quiet
        status.documents = "/d"
        status.counters.held = 1
        for width in [60, 80, 200] {
            let screen = Screen(size: (width, 24), noColor: [1], term: nil)
            let group = StatusScreen.Group(state: .held, shown: [arrival])
            let lines = StatusScreen(status: status, groups: [group], screen: screen, now: someMoment).lines
            let row = ArrivalTable(screen: screen, now: someMoment, documents: "/d").row(arrival)
            #expect((lines + row.split(separator: "\n").map(String.init)).allSatisfy { $0.count <= width })
            func words(_ text: some StringProtocol) -> String {
                text.split { " \n".contains($0) }.joined(separator: " ")
            }
            #expect(words(row).hasSuffix("Inbox/Letter from the tax office.txt " + detail))
            #expect(words(lines.joined(separator: "\n")).hasSuffix("put its target here"))
        }
        let plain = ArrivalTable(screen: Screen(size: nil, noColor: nil, term: nil), now: someMoment).row(arrival)
        #expect(plain.hasSuffix("  /d/Inbox/Letter from the tax office.txt  \(detail)\n"))
    }

    @Test("Every reason fits into its column of the list", arguments: ["empty-folder", "sync-failed", "empty"])
    func columns(reason: String) throws {
        let table = ArrivalTable(screen: Screen(size: nil, noColor: nil, term: nil), now: someMoment)
        let arrival = ArrivalReport(
            path: "/d", state: .ignored, reason: reason, size: 1, since: "2026-11-20T22:51:00Z")
        let column = try #require(table.heading.split(separator: "PATH").first).count
        #expect(table.row(arrival).dropFirst(column) == "/d\n")
    }

    @Test("A path that is explained is whole on any terminal")
    func explainedPath() {
        let path = "/home/ann/" + String(repeating: "folder/", count: 30)
        var rows = LabelledRows(width: 40)
        rows.add("went to", path: path)
        rows.add("when", "a b")
        #expect(rows.text == "went to: \(path)\n   when: a b\n")
    }

    @Test(
        "Where there is room for few lines both groups show some of theirs, and where there is enough all",
        arguments: [(18, 2), (23, 6), (32, 11)])
    func fewLines(room: Int, arrivals: Int) {
        func group(_ state: ArrivalReport.State, _ count: Int) -> StatusScreen.Group {
            let arrivals = (0..<min(count, StatusScreen.longestGroup)).map { number in
                ArrivalReport(
                    path: "/d/Inbox/\(state)-\(number)", state: state, reason: "name", size: 1,
                    since: "2026-11-20T22:51:00Z")
            }
            return StatusScreen.Group(state: state, shown: arrivals)
        }
        var status = StatusReport.quiet
        (status.counters.held, status.counters.waiting) = (20, 3)
        let screen = StatusScreen(
            status: status, groups: [group(.held, 20), group(.waiting, 3)],
            screen: Screen(size: (80, room + 1), noColor: [1], term: nil), now: someMoment, room: room)
        let lines = screen.lines
        #expect(lines.count <= room)
        for word in ["held-0", "more: inboxctl list held", "waiting-0"] {
            #expect(lines.contains { $0.contains(word) }, "\(word) of\n\(lines.joined(separator: "\n"))")
        }
        #expect(lines.count { $0.contains("/held-") || $0.contains("/waiting-") } == arrivals)
    }

    @Test("Problems, missing Inboxes and rare counters are shown where there are any")
    func problems() {
        var status = StatusReport.quiet
        status.state = .degraded
        status.problems = ["the Inbox is gone\nfor good"]
        status.inboxes[0].watching = .missing
        status.counters.overflows = 2
        let screen = Screen(size: nil, noColor: nil, term: nil)
        let text = StatusScreen(status: status, groups: [], screen: screen, now: someMoment).lines.joined(
            separator: "\n")
        for part in ["is degraded", "(missing)", "Overflows  2", "\n\nProblems\n  the Inbox is gone\\x0afor good"] {
            #expect(text.contains(part), "\(part) is missing in \(text)")
        }
        #expect(!text.contains("Withdrawn"))
    }
}
