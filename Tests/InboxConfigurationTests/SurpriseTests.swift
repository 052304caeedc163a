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

    @Test("What was read is listed last")
    func files() {
        let report = ConfigurationFixture("[Inbox]\nSettle=x").load().report
        #expect(report.split(separator: "\n").last == "read /home/u/.config/inboxd/inboxd.conf")
    }
}
