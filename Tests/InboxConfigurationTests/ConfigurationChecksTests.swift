import Testing

@testable import InboxConfiguration
import InboxLinux
@testable import InboxFiling

@Suite("Checks across settings")
struct ConfigurationChecksTests {
    @Test(
        "Paths that cannot be meant are refused with their place",
        arguments: [
            (
                "[Inbox]\nDocuments=docs",
                "conf:2: Documents: \"docs\" is not an absolute path (nor one that begins with ~/)"
            ),
            ("[Inbox]\nDocuments=/a/../b", "conf:2: Documents: \"/a/../b\" has a \"..\"; write the path without it"),
            ("[Inbox]\nInbox=../x", "conf:2: Inbox: \"../x\" has a \"..\"; write the path without it"),
            ("[Inbox]\nInbox=''", "conf:2: Inbox: a word of the list is empty"),
            ("[Inbox]\nInbox=", "conf:2: Inbox: the list is empty; there is nothing to watch"),
            ("[Control]\nSocket=s", "conf:2: Socket: \"s\" is not an absolute path (nor one that begins with ~/)"),
            (
                "[Inbox]\nInbox=~other/x",
                "conf:2: Inbox: \"~other/x\": only ~ and ~/… are known; write it in full, or ./~… for a name"
            ),
            (
                "[Inbox]\nInbox=Inbox\nInbox=Inbox/Sub",
                "conf:3: Inbox /home/u/Documents/Inbox/Sub lies inside Inbox /home/u/Documents/Inbox (conf:2)"
            ),
            ("[Inbox]\nInbox=\nInbox=/a/b\nInbox=/a//", "conf:4: Inbox /a/b lies inside Inbox /a (conf:3)"),
            (
                "[Inbox]\nInbox=/home/u",
                "conf:2: Documents /home/u/Documents (built-in default) lies inside Inbox /home/u"
            ),
            (
                "[Inbox]\nRejected=Inbox/no",
                "conf:2: Rejected: /home/u/Documents/Inbox/no lies inside Inbox /home/u/Documents/Inbox: rejected "
                    + "documents would arrive again"
            ),
            (
                "[Inbox]\nRejected=no/{year}",
                "conf:2: Rejected: \"no/{year}\" has a placeholder: it is one folder for all documents"
            ),
            (
                "[DocumentType T]\nDestination={fact.kind}",
                "conf:2: Destination: not every document has a {fact.kind}; give another value: "
                    + "{fact.kind|\"Unknown\"}"
            ),
            (
                "[Inbox Scans]",
                "conf:1: [Inbox /home/u/Documents/Scans]: there is no such Inbox; the nearest is "
                    + "/home/u/Documents/Inbox"
            ),
        ])
    func paths(text: String, problem: String) {
        let problems = ConfigurationFixture(text).problems
            .map { $0.replacing("(/home/u/.config/inboxd/inboxd.conf:", with: "(conf:") }
        #expect(problems.first == problem)
    }

    @Test("Documents in or at an Inbox is an error at the line of the Inbox, or of Documents where that alone is set")
    func documents() {
        #expect(
            ConfigurationFixture("[Inbox]\nInbox=\nInbox=/home").problems == [
                "conf:3: Documents /home/u/Documents (built-in default) lies inside Inbox /home",
                "conf:3: the state folder /home/u/.local/state/inboxd lies inside Inbox /home",
            ])
        #expect(
            ConfigurationFixture("[Inbox]\nInbox=\nInbox=.").problems == [
                "conf:3: Documents /home/u/Documents (built-in default) is the same folder as Inbox /home/u/Documents"
            ])
        #expect(
            ConfigurationFixture("[Inbox]\nDocuments=~/D\nInbox=~").problems.first?
                .hasSuffix(
                    "conf:3: Documents /home/u/D (/home/u/.config/inboxd/inboxd.conf:2) lies inside Inbox /home/u")
                == true)
    }

    @Test("The state folder in or at an Inbox is an error, wherever it was said")
    func stateFolder() {
        var fixture = ConfigurationFixture()
        fixture.options.state = raw("/home/u/Documents/Inbox/.state")
        #expect(
            fixture.problems == [
                "built-in default: the state folder /home/u/Documents/Inbox/.state lies inside "
                    + "Inbox /home/u/Documents/Inbox"
            ])
        fixture.options.state = raw("/home/u/Documents/Inbox2")
        #expect(fixture.problems.isEmpty)
    }

    @Test("One Inbox in several spellings is one, and neighbours with a common beginning do not overlap")
    func neighbours() throws {
        let configuration = try ConfigurationFixture(
            "[Inbox]\nInbox=Inbox ./Inbox/ ~/Documents//Inbox Inbox2 In"
        ).configuration()
        #expect(configuration.inboxes.map(\.path.lastComponent).map { texts([$0])[0] } == ["Inbox", "Inbox2", "In"])
    }

    @Test("Without a home the default cannot be found, and the problem says what to do")
    func noHome() throws {
        var fixture = ConfigurationFixture()
        fixture.variables = [:]
        #expect(
            fixture.problems == [
                "built-in default: Documents: \"~/Documents\": HOME is not set; write the path in full",
                "built-in default: there is no place for the state folder: set HOME, or give --state",
            ])
        fixture.options.documents = raw("/srv")
        fixture.options.state = raw("/state")
        #expect(try fixture.configuration().socket.path == BytePath("/state/io.inboxd.Inbox"))
        #expect(try fixture.configuration().inboxes.map(\.path) == [BytePath("/srv/Inbox")])
    }

    @Test("A socket path that does not fit into an address is refused")
    func socketLength() {
        func problems(_ length: Int) -> [String] {
            ConfigurationFixture("[Control]\nSocket=/" + String(repeating: "s", count: length - 1)).problems
        }
        #expect(problems(107).isEmpty)
        #expect(problems(108).count == 1)
    }

    @Test("Lists have an end")
    func limits() {
        let many = (0...longestList).map { "w\($0)" }.joined(separator: " ")
        #expect(
            ConfigurationFixture("[Inbox]\nIgnore=\(many)").problems == [
                "conf:2: Ignore: the list has more than 4096 words"
            ])
        let inboxes = (0...InboxPlaces.longestList).map { "w\($0)" }.joined(separator: " ")
        #expect(
            ConfigurationFixture("[Inbox]\nInbox=\(inboxes)").problems == [
                "conf:2: Inbox: there are more than 256 Inboxes"
            ])
    }
}
