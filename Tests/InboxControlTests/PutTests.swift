import InboxLinux
import InboxTestSupport
import InboxVarlink
import Testing

@testable import inboxctl

@Suite("Delivering files")
struct PutTests {
    @Test(
        "A command line that makes no sense is wrong usage, and says why",
        arguments: [
            (["put"], "a file is wanted"), (["put", "--name=a", "b", "c"], "--name is for one file"),
            (["put", "-", "a", "-"], "standard input is one document: give \"-\" once"),
            (["put", "--name=a/b", "c"], "cannot be the name of a file"),
            (["put", "--name=\(String(repeating: "n", count: 256))", "c"], "cannot be the name of a file"),
            (["put", "--type=no.such", "c"], "unknown type \"no.such\""),
            (["put", "--type=public.jsno", "c"], "unknown type \"public.jsno\": did you mean \"public.json\"?"),
            (["put", "--annotate=a", "c"], "--annotate needs KEY=VALUE"),
            (["put", "--annotate=a b=c", "c"], "--annotate needs KEY=VALUE"),
            (["put", "--annotate=\(String(repeating: "k", count: 65))=v", "c"], "with a key of up to 64 letters"),
            (["put", "--wait=soon", "c"], "--wait: "),
        ])
    func usage(words: [String], reason: String) {
        let run = inboxctl(words)
        #expect(run.status == 64)
        #expect(run.errors.contains(reason), "\(run.errors)")
    }

    @Test("The bar has bytes, rate and the time that is left, in as many columns as there are")
    func bar() {
        let line = ProgressBar.line("scan.pdf", done: 500_000_000, size: 2_000_000_000, after: .seconds(5), width: 80)
        #expect(line.contains("500 MB of 2.0 GB  100 MB/s  16 s left"), "\(line)")
        #expect(line.hasPrefix("scan.pdf  [###"))
        for width in 20...200 {
            for name in ["a", String(repeating: "long name ", count: 20), "漢字漢字漢字漢字漢字漢字漢字漢字"] {
                let line = ProgressBar.line(name, done: 1, size: 3, after: .seconds(2), width: width)
                #expect(line.displayWidth < width, "\(line)")
                #expect(ProgressBar.line(name, done: 1, size: nil, after: .zero, width: width).displayWidth < width)
            }
        }
    }

    /// Delivers a file through a daemon that has copied so many bytes each time it is asked, a second later each.
    private func deliver(_ copied: [Int64], size: (Int, Int)?, words: [String] = [], resizes: [(Int, Int)] = []) throws
        -> Run
    {
        let folder = try TemporaryFolder()
        try folder.write("scan.pdf", String(repeating: "x", count: 4000))
        var inbox = FixedInbox(report: .quiet)
        inbox.copied = copied
        let daemon = try StandIn(inbox)
        let run = inboxctl(
            ["--socket=\(daemon.path)", "put", folder.path + "/scan.pdf"] + words, size: size, resizes: resizes)
        #expect(try daemon.stop())
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        return run
    }

    @Test("Of a document that nobody will file because of its name, standard error says so")
    func ignored() throws {
        let folder = try TemporaryFolder()
        var inbox = FixedInbox(report: .quiet)
        // As the daemon prints it.
        inbox.configured = "[Inbox]\nDocuments=/home/ann/Documents\nInbox=/home/ann/Documents/Inbox\nIgnore=*.zzz\n"
        inbox.delivered = "/home/ann/Documents/Inbox/"
        let daemon = try StandIn(inbox)
        for (name, isIgnored) in [("a.zzz", true), ("Thumbs.db", true), (".hidden", true), ("a.txt", false)] {
            try folder.write(name, "x")
            let run = inboxctl(["--socket=\(daemon.path)", "put", folder.path + "/" + name])
            #expect(run.status == 0 && run.output == "/home/ann/Documents/Inbox/\(name)\n")
            #expect(run.errors.contains("is not filed: its name matches Ignore=") == isIgnored, "\(run.errors)")
        }
        #expect(try daemon.stop())
    }

    @Test("Whoever waits is told of what ended while events were lost, whatever characters its name has")
    func lostEvents() throws {
        let folder = try TemporaryFolder()
        func run(_ name: String, gone: Set<String> = [], _ change: (inout FixedInbox) -> Void) throws -> Run {
            try folder.write(name, "x")
            var inbox = FixedInbox(report: .quiet)
            inbox.eventsPerConnection = 2
            inbox.happened = [.following, .gap].enumerated().map { number, kind in
                EventReport(boot: "b", number: Int64(number + 1), time: "2026-11-20T20:51:07.042Z", kind: kind)
            }
            change(&inbox)
            let daemon = try StandIn(inbox)
            let run = inboxctl(
                ["--socket=\(daemon.path)", "put", "--wait=1min", folder.path + "/" + name], gone: gone)
            #expect(try daemon.stop())
            return run
        }
        func record(_ event: String, _ name: String, id: String = "zzzzzzzzzzzzzzzz") -> InboxVarlink.JSONValue {
            .object([
                "event": .string(event), "source": .string("/d/Inbox/\(name)"), "destination": .string("/d/b.txt"),
                "id": .string(id),
            ])
        }
        let held = try run("a.txt") { inbox in
            inbox.listed = [
                ArrivalReport(
                    path: "/d/Inbox/a.txt", state: .held, reason: "mismatch", size: 1, since: "2026-11-20T20:51:07.042Z"
                )
            ]
        }
        #expect(held.status == 75 && held.errors.contains("a.txt: it is held (mismatch)"), "\(held)")
        let duplicate = try run("b[1].txt") { inbox in
            inbox.records = [record("duplicate", "b[1].txt")]
        }
        #expect(duplicate.status == 0 && duplicate.output == "/d/b.txt\n", "\(duplicate)")
        #expect(duplicate.errors.contains("it is a duplicate of /d/b.txt"))
        // The daemon takes no pattern as long as such a path.
        let deep = String(repeating: "folder*/", count: 200)
        let long = try run("d.txt") { inbox in
            inbox.delivered = "/d/Inbox/" + deep
            inbox.records = [record("filed", deep + "d.txt")]
        }
        #expect(long.status == 0 && long.output == "/d/b.txt\n", "\(long)")
        // Recovery records meanwhile what had that path before.
        let earlier = record("filed", "c.txt", id: "0123456789abcdef")
        for records in [[], [record("filed", "c.txt"), record("undone", "c.txt")], [earlier]] {
            let withdrawn = try run("c.txt", gone: ["/d/Inbox/c.txt"]) { $0.records = records }
            #expect(withdrawn.status == 75 && withdrawn.errors.contains("somebody has taken it back"), "\(withdrawn)")
        }
    }

    @Test("Where the daemon ends meanwhile, each document that is not known to be filed is named")
    func daemonEnds() throws {
        let folder = try TemporaryFolder()
        for name in ["a.txt", "b\n.txt"] { try folder.write(name, "x") }
        var inbox = FixedInbox(report: .quiet)
        inbox.eventsPerConnection = 1
        inbox.happened = [EventReport(boot: "b", number: 1, time: "2026-11-20T20:51:07.042Z", kind: .following)]
        let daemon = try StandIn(inbox)
        func put(_ names: [String]) -> Run {
            inboxctl(["--socket=\(daemon.path)", "put", "--wait"] + names.map { folder.path + "/" + $0 })
        }
        let words = "the daemon has ended, and it is not known to be filed: once one runs, \"inboxctl explain\" tells\n"
        let lines = ["a.txt", "b\\x0a.txt"].map { "inboxctl: /d/Inbox/\($0): \(words)" }
        #expect(put(["a.txt", "b\n.txt"]) == Run(status: 75, output: "", errors: lines.joined()))
        // What could not be delivered at all counts for more.
        let run = put(["none", "a.txt"])
        #expect(run.status == 1 && run.errors.hasSuffix(lines[0]), "\(run)")
        #expect(try daemon.stop())
    }

    @Test("A delivery through the daemon shows how far it is, and takes the bar away before it prints the path")
    func throughDaemon() throws {
        let run = try deliver([1000, 2000], size: (80, 24))
        let lines = run.output.split(separator: "\r").map { $0.replacing("\u{1B}[K", with: "") }
        let ends = ["1.0 kB of 4.0 kB  1.0 kB/s  4 s left", "2.0 kB of 4.0 kB  1.0 kB/s  3 s left"]
        #expect(lines.count == 3 && lines.last == "/d/Inbox/scan.pdf\n")
        for (line, end) in zip(lines, ends) { #expect(line.hasPrefix("scan.pdf  [#") && line.hasSuffix(end)) }
    }

    @Test("The bar follows the terminal's width")
    func resized() throws {
        let run = try deliver([1000, 2000], size: (80, 24), resizes: [(40, 24)])
        let widths = run.output.split(separator: "\r").map { $0.replacing("\u{1B}[K", with: "").displayWidth }
        try #require(widths.count == 3)
        #expect(widths[0] > 40 && widths[1] < 40, "\(widths)")
    }

    @Test("No bar is shown where nobody looks, for JSON, and of a delivery that takes less than a second")
    func noBar() throws {
        #expect(try deliver([1000, 2000], size: nil).output == "/d/Inbox/scan.pdf\n")
        #expect(try deliver([1000], size: (80, 24), words: ["--json"]).output == "{\"path\":\"/d/Inbox/scan.pdf\"}\n")
        #expect(try deliver([], size: (80, 24)).output == "/d/Inbox/scan.pdf\n")
    }

    @Test("An option whose argument may be left out takes it after an equals sign alone")
    func optional() {
        #expect(inboxctl(["put", "--wait", "--name=a", "b", "c"]).errors.contains("--name is for one file"))
        #expect(inboxctl(["help", "put"]).output.contains("--wait[=TIME]"))
    }
}
