import Testing

@testable import InboxConfiguration
import InboxLinux
@testable import InboxFiling

@Suite("Settings")
struct ConfigurationSettingsTests {
    @Test("Every key of every section takes its value")
    func everyKey() throws {
        let configuration = try ConfigurationFixture(
            """
            [Inbox]
            Documents=/srv/My Docs
            Inbox=
            Inbox=In "Second One" /other
            Settle=250ms
            EmptySettle=0
            StallAfter=infinity
            IgnoreHidden=off
            Ignore=
            Ignore=*.bak "a b"
            Folders=whole
            RemoveEmptyFolders=no
            FolderSettle=2h
            RemoveInbox=1
            OnConflict=skip-identical
            Symlinks=move
            Mismatch=hold
            Durability=relaxed
            Poll=30s
            Rescan=0
            RetryMax=1h
            [History]
            MaxAge=1y
            MaxSize=1G
            [Control]
            Socket=~/s
            SocketMode=660
            AllowUsers=a b
            AllowGroups=c
            PutAllowUsers=d
            PutAllowGroups=e
            """
        ).configuration()
        #expect(configuration.documents == BytePath("/srv/My Docs"))
        #expect(
            configuration.inboxes.map(\.path.displayText) == ["/srv/My Docs/In", "/srv/My Docs/Second One", "/other"])
        var inbox = InboxSettings()
        inbox.settle = .milliseconds(250)
        inbox.emptySettle = .zero
        inbox.stallAfter = TimeSpan.infinity
        inbox.ignoreHidden = false
        inbox.ignore = [raw("*.bak"), raw("a b")]
        inbox.folders = .whole
        inbox.removeEmptyFolders = false
        inbox.folderSettle = .seconds(7200)
        inbox.removeInbox = true
        inbox.onConflict = .skipIdentical
        inbox.symlinks = .move
        inbox.mismatch = .hold
        inbox.durability = .relaxed
        inbox.poll = .every(.seconds(30))
        inbox.rescan = TimeSpan.infinity
        inbox.retryMax = .seconds(3600)
        #expect(configuration.inboxDefaults == inbox)
        #expect(configuration.inboxes.allSatisfy { $0.settings == inbox })
        #expect(configuration.history.maxAge == .seconds(31_557_600))
        #expect(configuration.history.maxSize == 1 << 30)
        var control = ControlSettings()
        control.socket = BytePath("/home/u/s")
        control.socketMode = 0o660
        control.allowUsers = [raw("a"), raw("b")]
        control.allowGroups = [raw("c")]
        control.putAllowUsers = [raw("d")]
        control.putAllowGroups = [raw("e")]
        #expect(configuration.control == control)
    }

    @Test("A repeated list key appends, to the default too, each word once; an empty one empties")
    func lists() throws {
        func ignore(_ text: String) throws -> [String] {
            texts(try ConfigurationFixture("[Inbox]\n" + text).configuration().inboxDefaults.ignore)
        }
        let usual = texts(InboxSettings.defaultIgnore)
        #expect(try ignore("Ignore=a\nIgnore=b c") == usual + ["a", "b", "c"])
        #expect(try ignore("Ignore=a *.part a") == usual + ["a"])
        #expect(try ignore("Ignore=a\nIgnore=\nIgnore=b") == ["b"])
        #expect(try ignore("Ignore=") == [])
    }

    @Test("An empty assignment takes any other key back to its default")
    func emptyScalars() throws {
        let fixture = ConfigurationFixture(
            "[Inbox]\nSettle=9s\nSettle=\nPoll=off\nPoll=\nDocuments=/x\nDocuments=\n[Control]\nSocketMode=0666\n"
                + "SocketMode=")
        let configuration = try fixture.configuration()
        #expect(configuration.inboxDefaults == InboxSettings())
        #expect(configuration.documents == BytePath("/home/u/Documents"))
        #expect(configuration.control.socketMode == 0o600)
    }

    @Test("A section for one Inbox overrides its keys there alone, however the path is spelled and wherever it is")
    func overrides() throws {
        let configuration = try ConfigurationFixture(
            """
            [Inbox Scans/]
            Settle=9s
            Ignore=x
            EmptySettle=
            [Inbox]
            Inbox=Inbox Scans
            Inbox="My Inbox" /other
            Settle=2s
            EmptySettle=3s
            Ignore=
            Ignore=all
            [Inbox "/home/u/Documents/My Inbox"]
            Ignore=
            [Inbox ~/Documents/./Scans]
            Poll=off
            Settle=8s
            """
        ).configuration()
        let settings = configuration.inboxes.map(\.settings)
        #expect(settings.map(\.settle) == [.seconds(2), .seconds(8), .seconds(2), .seconds(2)])
        #expect(settings.map { texts($0.ignore) } == [["all"], ["all", "x"], [], ["all"]])
        #expect(settings.map(\.emptySettle) == [.seconds(3), .seconds(3), .seconds(3), .seconds(3)])
        #expect(settings.map(\.poll) == [.auto, .off, .auto, .auto])
        #expect(configuration.inboxDefaults.settle == .seconds(2))
    }

    @Test(
        "Each mistake is reported with its place and a way out",
        arguments: [
            ("[Inbox]\nSetle=1", "conf:2: unknown key \"Setle\"; did you mean Settle?"),
            ("[Inbox]\nsettle=1", "conf:2: unknown key \"settle\"; did you mean Settle?"),
            ("[History]\nMaxSice=1", "conf:2: unknown key \"MaxSice\"; did you mean MaxSize?"),
            (
                "[Control]\nXyzzyXyzzyXyzzy=1",
                "conf:2: unknown key \"XyzzyXyzzyXyzzy\"; the nearest known one is Socket"
            ),
            ("[Inbox]\nDestination=x", "conf:2: unknown key \"Destination\"; it belongs into [DocumentType NAME]"),
            (
                "[DocumentType A]\nContentTypes=public.text\nSettle=1",
                "conf:3: unknown key \"Settle\"; it belongs into [Inbox]"
            ),
            ("[Inbix]\nSettle=x", "conf:1: unknown section \"Inbix\"; did you mean Inbox?"),
            ("[History x]", "conf:1: [History] takes no argument, but has \"x\""),
            (
                "[Inbox]\nSettle=soon",
                "conf:2: Settle: \"soon\" is not a time span, such as 250ms, 5min, 1h 30min or infinity"
            ),
            ("[Inbox]\nIgnoreHidden=maybe", "conf:2: IgnoreHidden: \"maybe\" is not a boolean (yes or no)"),
            ("[Inbox]\nIgnore=\"a", "conf:2: Ignore: a quote (\") is never closed"),
            ("[Inbox]\nIgnore=a ''", "conf:2: Ignore: a word of the list is empty"),
            (
                "[Inbox]\nFolders=mirrors",
                "conf:2: Folders: \"mirrors\" is none of mirror, flatten, whole; did you mean mirror?"
            ),
            ("[Inbox]\nRetryMax=0", "conf:2: RetryMax: \"0\" is out of range: at least 1ms"),
            ("[Inbox]\nRescan=1ms", "conf:2: Rescan: \"1ms\" is out of range: 0, or at least 10ms"),
            (
                "[Inbox]\nPoll=0",
                "conf:2: Poll: \"0\" is out of range: at least 10ms; auto and off are the other choices"
            ),
            ("[Control]\nSocketMode=1777", "conf:2: SocketMode: \"1777\" is out of range: 0000 to 0777"),
            (
                "[Control]\nMaxMessage=1M",
                "conf:2: MaxMessage is a constant now, which inboxd(8) states: remove this line"
            ),
            ("[DocumentType]", "conf:1: [DocumentType] needs a name: [DocumentType NAME]"),
            ("[Types x]", "conf:1: [Types] takes no argument, but has \"x\""),
            (
                "[Inbox Inbox]\nDocuments=/x",
                "conf:2: Documents belongs into [Inbox], not into the section of one Inbox"
            ),
            ("[Inbox Inbox]\nFoldes=x", "conf:2: unknown key \"Foldes\"; did you mean Folders?"),
            ("[Inbox \"a]", "conf:1: [Inbox PATH]: a quote (\") is never closed"),
            ("[Inbox]\n\u{1b}[31m=1", "conf:2: unknown key \"\\x1b[31m\"; the nearest known one is Inbox"),
        ])
    func mistakes(text: String, problem: String) {
        #expect(ConfigurationFixture(text).problems == [problem])
    }

    @Test(
        "A type that is written as an extension, as a MIME type or with commas is answered with what was meant",
        arguments: [
            ("pdf", "did you mean com.adobe.pdf?"), ("*.pdf", "did you mean com.adobe.pdf?"),
            ("image/jpeg", "did you mean public.jpeg?"), ("image/*", "did you mean public.image?"),
            ("video", "did you mean public.movie?"),
            ("public.image,public.text", "separate types with spaces, not with commas"),
            ("public.image, public.text", "separate types with spaces, not with commas"),
        ])
    func types(word: String, advice: String) {
        let problems = ConfigurationFixture("[DocumentType A]\nContentTypes=\(word)").problems
        #expect(problems.count == 1 && problems[0].hasPrefix("conf:2: ") && problems[0].hasSuffix("; " + advice))
    }

    @Test("A comma at the end of a pattern is noticed")
    func comma() {
        let text = "[DocumentType A]\nContentTypes=public.text\nNames=*.pdf, *.txt"
        let notices = ConfigurationFixture(text).load().notices.map { "\($0)" }
        #expect(notices.contains { $0.contains(":3: Names: \"*.pdf,\" ends with a comma") }, "\(notices)")
        let list = ConfigurationFixture("[Inbox]\nInbox=Inbox, Scans").load().notices.map { "\($0)" }
        #expect(list.contains { $0.contains(":2: Inbox: \"Inbox,\" ends with a comma") }, "\(list)")
    }

    @Test("All unknown types of a line are named, and relative paths with a blank between them are noticed")
    func wholeLine() {
        let problems = ConfigurationFixture("[DocumentType A]\nContentTypes=pdf public.text docx").problems
        #expect(problems.count == 1 && problems[0].contains("\"pdf\"") && problems[0].contains("\"docx\""))
        let notices = ConfigurationFixture("[Inbox]\nInbox=My Inbox").load().notices.map { "\($0)" }
        #expect(notices.contains { $0.contains("is 2 paths") }, "\(notices)")
    }

    @Test("An empty assignment frees one Inbox from the check, the marker and the folder of the others")
    func cleared() throws {
        let text =
            "[Inbox]\nInbox=Inbox Plain\nReady={name}.ok\nCheck=/bin/true\nRejected=No\nSettle=9s\n"
            + "[Inbox Plain]\nReady=\nCheck=\nRejected=\nSettle="
        let fixture = ConfigurationFixture(text)
        let inboxes = try fixture.configuration().inboxes.map(\.settings)
        #expect(inboxes[0].check != nil && inboxes[0].ready != nil && inboxes[0].rejected != nil)
        #expect(inboxes[1].check == nil && inboxes[1].ready == nil && inboxes[1].rejected == nil)
        #expect(inboxes[1].settle == .seconds(9))
    }

    @Test("All mistakes are reported at once, in their order, and there is no configuration then")
    func allMistakes() {
        let fixture = ConfigurationFixture(
            "x\n[Inbox]\nA=1\nSettle=x\n[Nope]\n[Control]\nSocketMode=9\n[Inbox No]\nB=1")
        let loaded = fixture.load()
        #expect(loaded.configuration == nil)
        #expect(loaded.problems.count == 7)
        let lines = fixture.problems.compactMap { $0.split(separator: ":").dropFirst().first }
        #expect(lines == ["1", "3", "4", "5", "7", "9", "8"])
        #expect(loaded.report().split(separator: "\n").count == 7 + loaded.files.count)
    }
}
