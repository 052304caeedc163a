import Testing

@testable import InboxConfiguration

@Suite("Values that say something else than was meant")
struct SurpriseTests {
    @Test(
        "A comment behind a value, a specifier of systemd and the root as Documents are refused with their line",
        arguments: [
            ("[Inbox]\nDocuments=~/papers # mine", "2: Documents: \"~/papers # mine\" has \" #\" in it"),
            ("[Inbox]\nSettle=1s # quiet", "2: Settle: \"1s # quiet\" has \" #\" in it"),
            ("[Inbox]\nInbox=%h/in", "2: Inbox: \"%h/in\": the specifiers of systemd.unit(5) are not expanded here"),
            ("[Control]\nSocket=%t/x", "2: Socket: \"%t/x\": the specifiers"),
            ("[Inbox]\nDocuments=/", "2: Documents: it cannot be /"),
        ])
    func refused(_ text: String, _ problem: String) throws {
        let loaded = ConfigurationFixture(text).load()
        #expect(loaded.configuration == nil)
        let first = try #require(loaded.problems.first)
        #expect(first.description.contains(":" + problem), "\(first)")
    }

    @Test("Quotes say that a # or a % is meant", arguments: ["\"#*#\" *.bak", "*.bak \"#*#\"", "#*#", "a\\x20#"])
    func quoted(_ ignore: String) throws {
        _ = try ConfigurationFixture("[Inbox]\nInbox=\"%h\"\nIgnore=\(ignore)").configuration()
    }

    @Test("Two words where one path was probably meant are a notice, and a list of Inboxes is none")
    func blanks() throws {
        #expect(ConfigurationFixture("[Inbox]\nInbox=/home/ada/my scans").load().notices.count == 1)
        #expect(ConfigurationFixture("[Inbox]\nDocuments=/home/ada/my papers").load().notices.count == 1)
        #expect(ConfigurationFixture("[Inbox]\nDocuments=\"/home/ada/my papers\"").load().notices == [])
        #expect(ConfigurationFixture("[Inbox]\nInbox=Inbox /data/scans").load().notices == [])
    }

    private func notices(_ line: String) -> [String] {
        ConfigurationFixture("[DocumentType A]\nContentTypes=public.item\n\(line)").load().notices.map(\.description)
    }

    @Test(
        "A file's name in the commands of a shell is a notice that says what to write instead",
        arguments: [
            ("/bin/sh -c 'cat {path}'", "\"$INBOX_PATH\""), ("/bin/bash -ec 'cat {path}'", "\"$INBOX_PATH\""),
            ("/bin/sh -e -c 'echo {name}'", "\"$1\""), ("/bin/sh -c 'cat \"$1\"' sh {path}", nil),
            ("/bin/sh -c 'echo {id}'", nil), ("/bin/cat -c {path}", nil), ("/bin/sh {path}", nil), ("/bin/sh -c", nil),
        ])
    func shell(_ command: String, _ advice: String?) {
        let notices = notices("Run=\(command)")
        #expect(notices.count == (advice == nil ? 0 : 1), "\(notices)")
        if let advice { #expect(notices.first?.contains(":3: Run: {") == true && notices[0].contains(advice)) }
    }

    @Test(
        "What only a shell understands is a notice in a command, unless it is quoted",
        arguments: [
            ("/bin/cat {path} | /bin/wc", "\"|\""), ("/bin/cat {path} && /bin/true", "\"&&\""),
            ("/bin/cat {path} > /tmp/x", "\">\""), ("/bin/cat {path} >>/tmp/x", "\">>/tmp/x\""),
            ("/bin/cat {path} 2>&1", "\"2>&1\""), ("/bin/cat {path} &>/dev/null", "\"&>/dev/null\""),
            ("/bin/cat < {path}", "\"<\""), ("/bin/cat $INBOX_PATH", "write {path}"),
            ("/bin/cat $_x", "write {path}"), ("/bin/sh -c cat {path} | wc", "\"|\""),
            ("/bin/cat \"|\" '>' '$HOME'", nil), ("/bin/cat a|b a&b a;b", nil),
            ("/bin/date +%Y -- $", nil), ("/bin/echo 12 $1 &x", nil), ("/bin/sh -c 'cat \"$INBOX_PATH\" | wc'", nil),
        ])
    func withoutShell(_ command: String, _ words: String?) {
        let notices = notices("Run=\(command)")
        #expect(notices.count == (words == nil ? 0 : 1), "\(notices)")
        if let words { #expect(notices.first?.contains(":3: Run: ") == true && notices[0].contains(words)) }
    }

    @Test(
        "A pattern with a slash, which no name has, is a notice",
        arguments: [("a/*.tmp", 1), ("*.tmp \"b/c\"", 1), ("*", 0)])
    func patterns(_ pattern: String, _ count: Int) {
        #expect(notices("Names=\(pattern)").count == count)
        let notices = ConfigurationFixture("[Inbox]\nIgnore=\(pattern)").notices
        #expect(notices.count == count)
        #expect(notices.allSatisfy { $0.hasPrefix("conf:2: notice: Ignore: ") || $0.hasPrefix("conf:2: Ignore: ") })
    }

    @Test(
        "A component of a destination that looks like a variable, a specifier or the daemon's own is a notice",
        arguments: [
            ("$HOME/x", 1), ("~/%u", 1), ("a/%y", 1), ("a/.inboxd-x", 1), ("\"$HOME/x\"", 0), ("a/100%", 0),
            ("US$/x", 0),
            ("{year}", 0), ("a/$", 0),
        ])
    func components(_ destination: String, _ count: Int) {
        #expect(notices("Destination=\(destination)").count == count)
    }

    @Test("An option that overrides a line says so at that line")
    func overridden() throws {
        var fixture = ConfigurationFixture("[Inbox]\nDocuments=/a\nInbox=\nInbox=/b\nSettle=2s\n[Control]\nSocket=/s")
        fixture.options.documents = raw("/c")
        fixture.options.inboxes = [raw("/d")]
        fixture.options.socket = raw("/e")
        fixture.options.assignments = [raw("Inbox.Settle=3s")]
        let lines = fixture.load().notices.map(\.description)
        for (line, key) in [(2, "Documents"), (4, "Inbox"), (5, "Settle"), (7, "Socket")] {
            #expect(lines.contains { $0.contains(":\(line): \(key)= has no effect: --") }, "\(lines)")
        }
        #expect(lines.count == 4)
    }

    @Test("What was read is listed last, in the news that all is well where no problem is")
    func files() {
        let file = "/home/u/.config/inboxd/inboxd.conf"
        let (bad, good) = (ConfigurationFixture("[Inbox]\nSettle=x").load(), ConfigurationFixture("[Inbox]").load())
        #expect(bad.report(isVerbose: true).hasSuffix("\nread \(file)\n"))
        #expect(good.report(isVerbose: true) == "read \(file)\n")
        #expect(bad.report() == bad.problems.map { "\($0)\n" }.joined() + "read \(file)\n")
        #expect(good.report() == "no problems in \(file)\n")
    }

    @Test(
        "What depends on a check that nobody has configured is a notice",
        arguments: [
            ("[DocumentType A]\nFacts=kind=invoice", "Facts: no Inbox has a Check= that could say them"),
            (
                "[DocumentType A]\nDestination={fact.kind|name}",
                "{fact.kind}: no Check= is configured that could say it"
            ),
            ("[Inbox]\nRejected=No", "Rejected: no Check= is configured that could reject anything"),
        ])
    func withoutCheck(_ text: String, _ notice: String) throws {
        let found = ConfigurationFixture(text).load().notices.map(\.description)
        #expect(found.count == 1 && found[0].contains(notice), "\(found)")
        let checked = ConfigurationFixture(text + "\n[Inbox]\nCheck=/bin/decide").load()
        #expect(checked.configuration != nil && checked.notices == [], "\(checked.report)")
    }

    @Test("The commands of a check are read as those of a handler")
    func checkCommand() throws {
        let text = "[Inbox]\nCheck=/bin/sh -c 'cat {path}'"
        #expect(ConfigurationFixture(text).load().notices.map(\.description).first?.contains("Check: {path}") == true)
        #expect(ConfigurationFixture("[Inbox]\nCheck=decide").load().configuration == nil)
        #expect(ConfigurationFixture("[Inbox]\nCheck=/bin/x | y").load().notices.count == 1)
    }
}
