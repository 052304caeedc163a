import InboxVarlink
import Testing

@testable import inboxctl

@Suite("Verbs that ask the daemon one thing")
struct ChangeVerbsTests {
    private func answered(_ words: [String], by inbox: FixedInbox = FixedInbox(report: .quiet)) throws -> Run {
        let daemon = try StandIn(inbox)
        let run = inboxctl(words, environment: ["INBOXD_SOCKET": daemon.path])
        #expect(try daemon.stop())
        return run
    }

    @Test(
        "Each says what it did",
        arguments: [
            ("pause", "paused: 1,200 arrivals wait\n"), ("resume", "resumed: 1 document is ready\n"),
            ("rescan", "read 3 folders, inspected 1 arrival\n"),
            ("reload", "reloaded: read /etc/inboxd/caf\\xe9.conf\nwatching /d/In\\xe9\na notice\n"),
            ("config", "[Inbox]\nSettle=1s\n"), ("metrics", "# EOF\n"),
            ("retry", "tried again: everything that is held or failed, 12 arrivals\n"),
        ])
    func words(verb: String, text: String) throws {
        #expect(try answered([verb]) == Run(status: 0, output: text, errors: ""))
        #expect(try answered([verb, "extra"]).status != 0)
    }

    @Test("Undo says where the document is, or why it was not put back")
    func undo() throws {
        #expect(
            try answered(["undo", "0123456789abcdef"])
                == Run(
                    status: 0,
                    output: "put back: /d/Inbox/caf\\xe9.txt, held until it changes or \"inboxctl retry\"\n", errors: ""
                ))
        #expect(
            try answered(["undo", "--json", "0123456789abcdef"])
                == Run(status: 0, output: "{\"path\":\"/d/Inbox/caf\\\\xe9.txt\"}\n", errors: ""))
        #expect(
            try answered(["undo", "x"])
                == Run(status: 1, output: "", errors: "inboxctl: undo x: there is no such document\n"))
        #expect(try answered(["undo"]).status == 64)
        #expect(try answered(["undo", "x", "y"]).status == 64)
    }

    @Test(
        "As JSON each is the daemon's reply", arguments: ["pause", "resume", "rescan", "reload", "config", "metrics"])
    func json(verb: String) throws {
        let run = try answered([verb, "--json"])
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 1 && run.output.hasPrefix("{"))
    }

    @Test("Who may not learns where the permission is", arguments: ["pause", "resume", "rescan", "reload", "retry"])
    func denied(verb: String) throws {
        var inbox = FixedInbox(report: .quiet)
        inbox.isPermitted = false
        let run = try answered([verb], by: inbox)
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(
            run.errors == "inboxctl: the daemon: permission denied: [Control] of its configuration does not name you\n")
    }

    @Test("A reload of a broken configuration ends with 78, and names the first problem")
    func broken() throws {
        var inbox = FixedInbox(report: .quiet)
        inbox.problems = ["/c:1: what is this?", "/c:2: and this?"]
        #expect(
            try answered(["reload"], by: inbox)
                == Run(
                    status: 78, output: "",
                    errors: "inboxctl: /c:1: what is this? (and 1 more: see \"inboxd --check\")\n"))
    }

    @Test("The list is by path, in whatever order the daemon has the arrivals")
    func sorted() throws {
        var inbox = FixedInbox(report: .quiet)
        inbox.listed = ["/d/c", "/d/a", "/d/b"].map {
            ArrivalReport(path: $0, state: .waiting, reason: "settling", size: 1, since: "2026-11-20T22:51:07Z")
        }
        let run = try answered(["list", "--json"], by: inbox)
        let paths = try run.output.split(separator: "\n").map {
            try JSONValue(parsing: $0.utf8)["path"]?.string
        }
        #expect(paths == ["/d/a", "/d/b", "/d/c"])
    }

    @Test("The history is that of the daemon, where one answers")
    func history() throws {
        var inbox = FixedInbox(report: .quiet)
        inbox.records = [.object(["id": .string("1"), "destination": .string("/d/a")])]
        let run = try answered(["history", "--json"], by: inbox)
        #expect(run == Run(status: 0, output: "{\"destination\":\"/d/a\",\"id\":\"1\"}\n", errors: ""))
        inbox.records = nil
        let failed = try answered(["history"], by: inbox)
        #expect(failed == Run(status: 1, output: "", errors: "inboxctl: the daemon: the disk is broken\n"))
    }

    @Test("A pattern that is too long for a daemon is wrong usage, and says how long it may be")
    func longPattern() throws {
        let inbox = FixedInbox(report: .quiet)
        let run = try answered(["history", String(repeating: "é", count: 513)], by: inbox)
        #expect(run.status == 64 && run.errors.contains("at most 1024 bytes"), "\(run)")
        #expect(try answered(["history", String(repeating: "é", count: 512)], by: inbox).status == 0)
    }
}
