import InboxLinux
import InboxVarlink
import Testing

@testable import inboxctl

@Suite("Events")
struct EventsTests {
    /// One of each kind, numbered from 1.
    private static let happened: [EventReport] = {
        func event(_ kind: EventReport.Kind, _ change: (inout EventReport) -> Void = { _ in }) -> EventReport {
            var report = EventReport(boot: "b00t", number: 0, time: "2026-11-20T22:51:07.042Z", kind: kind)
            let pathless: [EventReport.Kind] = [.following, .gap, .problem, .problemOver, .paused, .resumed]
            if !pathless.contains(kind) { report.path = "/d/Inbox/a\nb" }
            change(&report)
            return report
        }
        var events = [
            event(.following),
            event(.gap) {
                $0.lost = 3
                $0.detail = "3 events are lost"
            },
            event(.arrived) { $0.size = 4_200 },
            event(.waiting) {
                $0.reason = "writing"
                $0.detail = "somebody\u{7} writes"
            },
            event(.held) { $0.reason = "symlink" },
            event(.ignored) {
                $0.reason = "pattern"
                $0.detail = "its name matches *.part of Ignore="
            },
            event(.renamed) { $0.from = "/d/Inbox/caf\\xe9" }, event(.withdrawn),
            event(.copying) {
                $0.copied = 3_000_000
                $0.size = 8_000_000
            },
            event(.filed) {
                $0.destination = "/d/a\u{1B}[31m"
                $0.type = "public.data"
                $0.size = 12
            },
            event(.problem) { $0.detail = "the Inbox is missing" },
            event(.problemOver) { $0.detail = "the Inbox is missing" },
            event(.paused), event(.resumed), event(.contentAdded), event(.contentRemoved),
            event(.contentRenamed) { $0.from = "/d/caf\\xe9" }, event(.contentChanged),
        ]
        for index in events.indices { events[index].number = Int64(index + 1) }
        return events
    }()

    /// Output that takes so many writes: one a line, else it would go on for ever.
    private func reported(_ words: [String], writes: Int, size: (Int, Int)? = nil) throws -> Run {
        let daemon = try StandIn(FixedInbox(report: .quiet, happened: Self.happened))
        let run = inboxctl(
            words, environment: ["INBOXD_SOCKET": daemon.path, "TERM": "xterm"], size: size, writes: writes)
        #expect(try daemon.stop())
        return run
    }

    @Test("Each is a line, aligned and without control characters, until nobody reads any more")
    func lines() throws {
        let time = try #require(Timestamp(wireTime: "2026-11-20T22:51:07.042Z")).localText
        let expected = """
            TIME                   NUMBER  EVENT      PATH
            \(time)         2  gap        3 events are lost
            \(time)         3  arrived    /d/Inbox/a\\x0ab  4.2 kB
            \(time)         4  waiting    /d/Inbox/a\\x0ab  writing: somebody\\x07 writes
            \(time)         5  held       /d/Inbox/a\\x0ab  symlink
            \(time)         6  ignored    /d/Inbox/a\\x0ab  pattern: its name matches *.part of Ignore=
            \(time)         7  renamed    /d/Inbox/a\\x0ab  from /d/Inbox/caf\\xe9
            \(time)         8  withdrawn  /d/Inbox/a\\x0ab
            \(time)         9  copying    /d/Inbox/a\\x0ab  3.0 MB of 8.0 MB (37 %)
            \(time)        10  filed      /d/Inbox/a\\x0ab  as /d/a\\x1b[31m (public.data, 12 B)
            \(time)        11  problem    the Inbox is missing

            """
        #expect(try reported(["events"], writes: 11) == Run(status: 0, output: expected, errors: ""))
    }

    @Test("On a terminal a daemon that ends is waited for, and the list goes on after the last event")
    func reconnects() throws {
        let inbox = FixedInbox(report: .quiet, happened: Array(Self.happened.prefix(12)), eventsPerConnection: 4)
        let daemon = try StandIn(inbox)
        let environment = ["INBOXD_SOCKET": daemon.path, "TERM": "dumb"]
        let run = inboxctl(["events"], environment: environment, size: (200, 24), writes: 20)
        let lines = run.output.split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("2026") }
        #expect(rows.map { $0.dropFirst(19).prefix(10).drop { $0 == " " } } == (2...12).map { "\($0)" })
        #expect(lines.filter { $0.hasPrefix("TIME") }.count == 1)
        #expect(lines.filter { $0 == "-- the daemon has ended: waiting for the next one" }.count >= 2)
        #expect(try daemon.stop())
    }

    @Test("Elsewhere a daemon that ends is a failure")
    func ends() throws {
        let daemon = try StandIn(FixedInbox(report: .quiet, happened: Self.happened, eventsPerConnection: 4))
        let run = inboxctl(["events"], environment: ["INBOXD_SOCKET": daemon.path])
        #expect(run.status == 1 && run.errors == "inboxctl: the daemon has ended\n")
        #expect(run.output.split(separator: "\n").count == 4)
        #expect(try daemon.stop())
    }

    @Test("Colour shows on a terminal alone")
    func colour() throws {
        #expect(try reported(["events"], writes: 11, size: (80, 24)).output.contains("\u{1B}[33m2026"))
        #expect(try !reported(["events"], writes: 11).output.contains("\u{1B}"))
    }

    @Test("As JSON each is an object a line, as it was on the wire")
    func objects() throws {
        let lines = try reported(["events", "--json", "--since=3"], writes: 8).output.split(separator: "\n")
        let events = try lines.map { try JSONValue(parsing: $0.utf8).decoded(as: EventReport.self) }
        #expect(events == Array(Self.happened[3..<11]))
        #expect(lines.allSatisfy { !$0.contains("null") })
    }

    @Test("Every kind has a line of its own")
    func kinds() {
        var duplicate = EventReport(boot: "b00t", number: 1, time: "2026-11-20T22:51:07.042Z", kind: .duplicate)
        duplicate.path = "/d/Inbox/a"
        duplicate.destination = "/d/a"
        var handler = EventReport(boot: "b00t", number: 2, time: "2026-11-20T22:51:07.042Z", kind: .handler)
        (handler.path, handler.outcome, handler.detail) = ("/d/a", "retrying", "it ended with status 3")
        var rejected = EventReport(boot: "b00t", number: 3, time: "2026-11-20T22:51:07.042Z", kind: .rejected)
        (rejected.path, rejected.destination, rejected.detail) = ("/d/Inbox/a", "/d/Rejected/a", "no invoice")
        let happened = Self.happened + [duplicate, handler, rejected]
        #expect(Set(happened.map(\.kind)) == Set(EventReport.Kind.allCases))
        let lines = EventLine(screen: Screen(size: nil, noColor: nil, term: nil))
        #expect(lines.row(duplicate).hasSuffix("/d/Inbox/a  same as /d/a\n"))
        #expect(lines.row(handler).hasSuffix("  handler    /d/a  retrying: it ended with status 3\n"))
        for event in happened {
            let row = lines.row(event)
            #expect(row.filter { $0 == "\n" }.count == 1 && row.hasSuffix("\n"))
        }
    }

    @Test(
        "A number that is none is wrong usage",
        arguments: [["--since", "x"], ["--since=-1"], ["--since", ""], ["--boot", "b"], ["a"]])
    func usage(words: [String]) {
        #expect(inboxctl(["events", "--socket=/tmp/no-such-socket"] + words).status == 64)
    }
}
