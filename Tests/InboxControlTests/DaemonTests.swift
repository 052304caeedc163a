import InboxConfiguration
import InboxFiling
import Glibc
import InboxLinux
import InboxVarlink
import Testing

@testable import inboxctl

@Suite("Talking to the daemon")
struct DaemonTests {
    private static let listed = [
        ArrivalReport(
            path: "/home/ann/Documents/Inbox/caf\\xe9\\\\x", state: .waiting, reason: "writing", size: 12,
            since: "2026-11-20T22:50:55Z", next: "2026-11-20T22:51:09Z"),
        ArrivalReport(
            path: "/home/ann/Documents/Inbox/a\nb\u{1B}[31m", state: .held, reason: "symlink",
            detail: "it points to \u{7}elsewhere", size: 3, since: "2026-11-18T22:51:07Z"),
    ]

    private func answered(_ words: [String], size: (Int, Int)? = nil, term: String? = nil) throws -> Run {
        var report = StatusReport.quiet
        report.counters.seen = 1206
        report.counters.filed = 1204
        report.counters.bytesFiled = 3_420_000_000
        report.counters.waiting = 1
        report.counters.held = 1
        let daemon = try StandIn(FixedInbox(report: report, listed: Self.listed))
        var environment = ["INBOXD_SOCKET": daemon.path]
        environment["TERM"] = term
        let run = inboxctl(words, environment: environment, size: size)
        #expect(try daemon.stop())
        return run
    }

    @Test("The status is one screen of plain text")
    func status() throws {
        let expected = """
            inboxd 1.2.3 is watching  (process 4711, for 2 h)

              Documents  /home/ann/Documents
              Inbox      /home/ann/Documents/Inbox  (watched, 1 folder)

              Seen       1,206
              Filed      1,204  3.4 GB
              Waiting        1
              Held           1
              Ignored        0

            Held
              Inbox/a\\x0ab\\x1b[31m  symlink for 2 d: it points to \\x07elsewhere

            Waiting
              Inbox/caf\\xe9\\\\x  writing for 12 s, next try in 2 s

            """
        #expect(try answered(["status"]) == Run(status: 0, output: expected, errors: ""))
    }

    @Test("The status as JSON is the daemon's object in one line")
    func statusAsJSON() throws {
        let run = try answered(["--json", "status"])
        #expect(run.status == 0)
        #expect(run.output.hasSuffix("}\n"))
        #expect(run.output.filter { $0 == "\n" }.count == 1)
        let object = try JSONValue(parsing: run.output.utf8)
        #expect(try object.decoded(as: StatusReport.self).counters.bytesFiled == 3_420_000_000)
        #expect(run.output.contains("\"/home/ann/Documents/Inbox\""))
    }

    @Test("The list is a line for each arrival, aligned and without control characters")
    func list() throws {
        let expected = """
            STATE    REASON         SINCE  NEXT       PATH
            held     symlink          2 d  -          /home/ann/Documents/Inbox/a\\x0ab\\x1b[31m  it points to \\x07elsewhere
            waiting  writing         12 s  in 2 s     /home/ann/Documents/Inbox/caf\\xe9\\\\x

            """
        #expect(try answered(["list"]) == Run(status: 0, output: expected, errors: ""))
        #expect(try answered(["list", "held"]).output.split(separator: "\n").count == 2)
        #expect(try answered(["list", "ignored"]) == Run(status: 0, output: "", errors: ""))
        #expect(try answered(["list", "ignored"], size: (80, 24)).output == "Nothing is ignored.\n")
    }

    @Test("The list as JSON is an object a line, each path as it was on the wire")
    func listAsJSON() throws {
        let lines = try answered(["list", "--json"]).output.split(separator: "\n")
        let arrivals = try lines.map { try JSONValue(parsing: $0.utf8).decoded(as: ArrivalReport.self) }
        #expect(arrivals == Self.listed.reversed())
    }

    @Test("Colour shows on a terminal alone")
    func colour() throws {
        #expect(try answered(["status"], size: (80, 24), term: "xterm").output.contains("\u{1B}[32mwatching\u{1B}[0m"))
        #expect(try !answered(["status"], size: (80, 24), term: "dumb").output.contains("\u{1B}"))
        #expect(try !answered(["status"], term: "xterm").output.contains("\u{1B}"))
        #expect(try answered(["list"], size: (80, 24), term: "xterm").output.contains("\u{1B}[33mheld"))
    }

    @Test("Watching prints a line a second until nobody reads it, and on a terminal draws no more than fits")
    func watch() throws {
        let daemon = try StandIn(FixedInbox(report: .quiet))
        let environment = ["INBOXD_SOCKET": daemon.path, "TERM": "xterm"]
        let line = "2026-11-20T22:51:07.000Z watching filed=0 waiting=0 held=0 problems=0\n"
        let plain = inboxctl(["status", "--watch"], environment: environment, writes: 2)
        #expect(plain == Run(status: 1, output: line + line, errors: "inboxctl: standard output: Broken pipe\n"))
        let json = inboxctl(["status", "--watch", "--json"], environment: environment, size: (80, 24), writes: 2)
        #expect(json.output.split(separator: "\n").count == 2)
        #expect(!json.output.contains("\u{1B}"))
        let drawn = inboxctl(["status", "--watch"], environment: environment, size: (80, 5), writes: 3)
        #expect(drawn.output.split(separator: "\u{1B}[H", omittingEmptySubsequences: false).count == 4)
        #expect(drawn.output.filter { $0 == "\n" }.count == 3 * 4)
        #expect(try daemon.stop())
    }

    @Test("Watching on a terminal draws each frame for the size that it has by then")
    func resize() throws {
        let daemon = try StandIn(FixedInbox(report: .quiet))
        let run = inboxctl(
            ["status", "--watch"], environment: ["INBOXD_SOCKET": daemon.path, "TERM": "xterm"], size: (80, 5),
            writes: 3,
            resizes: [(80, 3), (80, 8)])
        let frames = run.output.split(separator: "\u{1B}[H").dropFirst()
        #expect(frames.map { frame in frame.filter { $0 == "\n" }.count } == [4, 2, 7])
        // An interrupt between two frames leaves a terminal behind that wraps its lines.
        #expect(frames.allSatisfy { $0.hasSuffix("\u{1B}[?7h\u{1B}[J") })
        #expect(try daemon.stop())
    }

    @Test("Watching on a terminal waits for a daemon that is not there, elsewhere it ends")
    func watchNobody() {
        let words = ["status", "--watch", "--socket=/tmp/no-such-socket"]
        let drawn = inboxctl(words, size: (80, 24), writes: 3)
        #expect(drawn.output.split(separator: "no daemon answers").count == 4)
        let plain = inboxctl(words)
        #expect(plain.status == 1 && plain.output.isEmpty && plain.errors.contains("no daemon answers"))
    }

    @Test("Where nobody answers one line says which sockets were tried, why, and what to do")
    func nobody() throws {
        let environment = ["XDG_RUNTIME_DIR": "/tmp/no-such-runtime", "XDG_STATE_HOME": "/tmp/no-such-state"]
        let start = "start one with \"systemctl --user start inboxd\" or \"inboxd\"\n"
        #expect(
            inboxctl(["status", "--socket", "/tmp/no-such-\n/socket"]).errors
                == "inboxctl: no daemon answers at /tmp/no-such-\\x0a/socket (no such socket): if that is its socket, "
                + start)
        #expect(
            inboxctl(["list", "--instance=scan"], environment: environment).errors
                == "inboxctl: no daemon answers at /run/inboxd-scan/io.inboxd.Inbox (no such socket): start it with "
                + "\"systemctl start inboxd@scan\"\n")
        let long = "/tmp/" + String(repeating: "x", count: 200)
        #expect(
            inboxctl(["status"], environment: ["INBOXD_SOCKET": long]).errors
                == "inboxctl: no daemon answers at \(long) (the path is too long for a socket): "
                + "if that is its socket, " + start)
        #expect(inboxctl(["status", "--socket=/tmp/no-such-socket"]).status == 1)
    }

    @Test(
        "Root, and whoever has no unit where the machine has one, is told to start the machine's service",
        arguments: [
            (0, [], true), (1000, ["/usr/local/lib/systemd/system/inboxd.service"], true), (1000, [], false),
            (
                1000,
                [
                    "/home/ann/.local/share/systemd/user/inboxd.service",
                    "/usr/local/lib/systemd/system/inboxd.service",
                ], false
            ),
        ] as [(UInt32, Set<String>, Bool)])
    func start(userID: UInt32, units: Set<String>, isOfMachine: Bool) {
        let run = inboxctl(
            ["status", "--socket=/tmp/no-such-socket"], environment: ["HOME": "/home/ann"], userID: userID, units: units
        )
        #expect(run.errors.contains("start it with \"systemctl start inboxd\"\n") == isOfMachine, "\(run.errors)")
        #expect(run.errors.contains("systemctl --user start inboxd") == !isOfMachine, "\(run.errors)")
    }

    @Test("A daemon that gave no answer was waited for as long as is said")
    func silent() {
        for (span, words) in [(10, "10 s"), (60, "1 min"), (3700, "1 h")] {
            #expect(Daemon.words(for: .timedOut(.seconds(span))) == "it is there, but gave no answer in \(words)")
        }
    }

    @Test("Who asks for more than the daemon reads of one request is told the limit")
    func tooLong() throws {
        let daemon = try StandIn(FixedInbox(report: .quiet))
        let environment = ["INBOXD_SOCKET": daemon.path]
        let run = inboxctl(["undo", String(repeating: "0", count: 70_000)], environment: environment)
        let words = "the request is longer than it reads, which is 64 KiB"
        #expect(run == Run(status: 1, output: "", errors: "inboxctl: the daemon: \(words)\n"))
        #expect(try daemon.stop())
    }

    @Test("Who may not open a socket is told which: its mode, or the group")
    func denied() throws {
        let daemon = try StandIn(FixedInbox(report: .quiet))
        #expect(Daemon.remedy(forDenied: BytePath(daemon.path)).contains("ask for SocketMode=0660"))
        chmod(daemon.path, 0o660)
        #expect(Daemon.remedy(forDenied: BytePath(daemon.path)) == "ask to become a member of the socket's group")
        #expect(Daemon.remedy(forDenied: BytePath("/no/such")) == "ask to become a member of the socket's group")
        #expect(try daemon.stop())
    }

    @Test("What there is no room for is explained with the reason in place of a state")
    func unlisted() throws {
        var inbox = FixedInbox(report: .quiet)
        let path = "/d/Inbox/a.pdf"
        var report = ExplanationReport(
            path: path, type: "com.adobe.pdf", mime: nil, evidence: "name\u{1B}", mismatch: false, unread: false,
            conformsTo: [], destination: nil, arrival: nil)
        report.unlisted = "at most 9 arrivals are kept\u{1B}"
        inbox.explained[path] = report
        let daemon = try StandIn(inbox)
        let run = inboxctl(["explain", path], environment: ["INBOXD_SOCKET": daemon.path])
        #expect(run.output.contains("\n   evidence: name\\x1b\n"), "\(run)")
        #expect(run.output.contains("\n      state: not listed: at most 9 arrivals are kept\\x1b\n"), "\(run)")
        #expect(try daemon.stop())
    }

    @Test("A socket that nobody listens at any more, and one that may not be opened, are distinguished")
    func refused() throws {
        let daemon = try StandIn(FixedInbox(report: .quiet))
        let folder = String(daemon.path.dropLast("io.inboxd.Inbox".count)) + "plain"
        let file = open(folder, O_CREAT | O_WRONLY, 0o600)
        close(file)
        #expect(inboxctl(["status", "--socket", folder]).errors.contains("(nobody listens there)"))
        unlink(folder)
        if geteuid() != 0 {
            chmod(daemon.path, 0)
            #expect(
                inboxctl(["status", "--socket", daemon.path]).errors.contains("(permission denied): its mode is 00, "))
        }
        #expect(try daemon.stop())
    }
}
