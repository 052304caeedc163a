import Testing

@testable import InboxConfiguration
import InboxLinux
@testable import InboxFiling

@Suite("Where the configuration comes from")
struct ConfigurationSourcesTests {
    private let own = "/home/u/.config/inboxd/inboxd.conf"

    @Test("Drop-ins follow the file in the order of their names, other names are passed over, the command line wins")
    func layers() throws {
        var fixture = ConfigurationFixture("[Inbox]\nSettle=1ms\nEmptySettle=1ms\nStallAfter=1ms\nFolderSettle=1ms")
        fixture.files[own + ".d/20.conf"] = raw("[Inbox]\nStallAfter=3ms\nFolderSettle=3ms")
        fixture.files[own + ".d/10.conf"] = raw("[Inbox]\nEmptySettle=2ms\nStallAfter=2ms\nFolderSettle=2ms")
        fixture.files[own + ".d/30.conf~"] = raw("[Inbox]\nSettle=9ms")
        fixture.files[own + ".d/.40.conf"] = raw("[Inbox]\nSettle=9ms")
        fixture.files["/etc/inboxd/inboxd.conf"] = raw("[Inbox]\nSettle=9ms")
        fixture.options.assignments = [raw("Inbox.FolderSettle=4ms")]
        let configuration = try fixture.configuration()
        let settings = configuration.inboxDefaults
        #expect(
            [settings.settle, settings.emptySettle, settings.stallAfter, settings.folderSettle]
                == (1...4).map { .milliseconds($0) })
        #expect(
            fixture.load().files.map(\.lastComponent).map { texts([$0])[0] } == ["inboxd.conf", "10.conf", "20.conf"])
        let text = configuration.text
        #expect(text.contains("\n# \(own):2\nSettle=1ms\n"))
        #expect(text.contains("\n# \(own).d/10.conf:2\nEmptySettle=2ms\n"))
        #expect(text.contains("\n# command line\nFolderSettle=4ms\n"))
        #expect(text.contains("\n# built-in default\nRescan=5min\n"))
    }

    @Test("A list shows every place that has a share in it")
    func listOrigins() throws {
        var fixture = ConfigurationFixture("[Inbox]\nIgnore=a\nIgnore=b")
        fixture.options.assignments = [raw("Inbox.Ignore=c"), raw("Inbox.Ignore=d")]
        let text = try fixture.configuration().text
        #expect(text.contains("\n# built-in default, \(own):2, \(own):3, command line\nIgnore=*.part "))
        #expect(text.contains(" \"#*#\" *~ a b c d\n"))
    }

    @Test("With --config that file alone is read, and must exist")
    func ownFile() throws {
        var fixture = ConfigurationFixture("[Inbox]\nSettle=7s")
        fixture.files["/work/dir/my.conf"] = raw("[Inbox]\nEmptySettle=8s")
        fixture.options.file = raw("my.conf")
        let settings = try fixture.configuration().inboxDefaults
        #expect(settings.settle == .seconds(1))
        #expect(settings.emptySettle == .seconds(8))
        fixture.options.file = raw("/none")
        #expect(fixture.problems == ["/none: there is no such file"])
    }

    @Test("A file or folder that cannot be read is a problem, not a missing one")
    func unreadable() {
        var fixture = ConfigurationFixture("")
        fixture.unreadable = [own]
        #expect(fixture.problems == ["conf: the file cannot be read: Permission denied"])
        fixture.unreadable = [own + ".d"]
        #expect(fixture.problems == ["conf.d: the folder cannot be read: Permission denied"])
        fixture.unreadable = ["/home/u/.config/user-dirs.dirs"]
        #expect(fixture.problems.isEmpty)
        #expect(fixture.notices.count == 1)
    }

    @Test(
        "Root and services read the machine's files, a person the own ones",
        arguments: [
            (UInt32(0), nil, nil, "/etc/inboxd/inboxd.conf"), (999, nil, nil, "/etc/inboxd/inboxd.conf"),
            (1000, nil, nil, "/home/u/.config/inboxd/inboxd.conf"), (1000, "/x", nil, "/x/inboxd/inboxd.conf"),
            (1000, "relative", nil, "/home/u/.config/inboxd/inboxd.conf"), (0, "/x", nil, "/x/inboxd/inboxd.conf"),
            (0, nil, "scans", "/etc/inboxd/scans.conf"), (1000, nil, "scans", "/home/u/.config/inboxd/scans.conf"),
        ] as [(UInt32, String?, String?, String)])
    func scopes(userID: UInt32, configurationHome: String?, instance: String?, expected: String) {
        var variables: EnvironmentVariables = [raw("HOME"): raw("/home/u")]
        variables[raw("XDG_CONFIG_HOME")] = configurationHome.map(raw)
        let places = StandardPlaces(
            environment: ConfigurationEnvironment(userID: userID, variables: variables), instance: instance)
        #expect(places.configurationFile == BytePath(expected))
        #expect(places.dropInFolder == BytePath(expected + ".d"))
    }

    @Test(
        "State folder and socket follow systemd, then XDG, then the home",
        arguments: [
            (["HOME": "/h"], UInt32(1000), "/h/.local/state/inboxd", "/h/.local/state/inboxd/io.inboxd.Inbox"),
            (
                ["HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/1", "XDG_STATE_HOME": "/s"], 1000, "/s/inboxd",
                "/run/user/1/inboxd/io.inboxd.Inbox"
            ),
            (
                [
                    "STATE_DIRECTORY": "/var/lib/i:/b", "RUNTIME_DIRECTORY": "/run/i:/b", "HOME": "/h",
                    "XDG_RUNTIME_DIR": "/r",
                ], 1000, "/var/lib/i", "/run/i/io.inboxd.Inbox"
            ),
            ([:], 0, "/var/lib/inboxd", "/run/inboxd/io.inboxd.Inbox"),
            ([:], 1000, nil, nil),
        ] as [([String: String], UInt32, String?, String?)])
    func places(variables: [String: String], userID: UInt32, state: String?, socket: String?) {
        let places = StandardPlaces(
            environment: ConfigurationEnvironment(userID: userID, variables: bytes(of: variables)))
        #expect(places.stateFolder == state.map { BytePath($0) })
        #expect(places.controlSocket(stateFolder: places.stateFolder) == socket.map { BytePath($0) })
    }

    @Test("Variables can be set, set again and removed, and what was never set is nil")
    func variables() {
        var variables: EnvironmentVariables = [raw("A"): raw("1"), raw("B"): raw("2"), raw("A"): raw("3")]
        #expect(variables[raw("A")] == raw("3"))
        #expect(variables[raw("B")] == raw("2"))
        #expect(variables[raw("C")] == nil)
        variables[raw("B")] = nil
        variables[raw("C")] = []
        #expect(variables[raw("B")] == nil)
        #expect(variables[raw("C")] == [])
    }

    private func bytes(of variables: [String: String]) -> EnvironmentVariables {
        var bytes: EnvironmentVariables = [:]
        for (name, value) in variables { bytes[raw(name)] = raw(value) }
        return bytes
    }

    @Test("A client looks where the daemon would be: named, else the person's, else the machine's")
    func clientSockets() {
        func sockets(_ variables: [String: String], instance: String? = nil) -> [String] {
            let environment = ConfigurationEnvironment(
                userID: 1000, variables: bytes(of: variables), workingDirectory: BytePath("/w"))
            return StandardPlaces(environment: environment, instance: instance).clientSockets.map(\.displayText)
        }
        #expect(
            sockets(["HOME": "/h", "XDG_RUNTIME_DIR": "/r"]) == [
                "/r/inboxd/io.inboxd.Inbox", "/h/.local/state/inboxd/io.inboxd.Inbox", "/run/inboxd/io.inboxd.Inbox",
            ])
        #expect(sockets(["INBOXD_SOCKET": "s", "XDG_RUNTIME_DIR": "/r"]) == ["/w/s"])
        #expect(sockets(["INBOXD_SOCKET": "/s"], instance: "x") == ["/run/inboxd-x/io.inboxd.Inbox"])
        #expect(sockets([:]) == ["/run/user/1000/inboxd/io.inboxd.Inbox", "/run/inboxd/io.inboxd.Inbox"])
    }

    @Test("The name of an instance cannot lead elsewhere")
    func instances() {
        for name in ["", ".", "..", "../x", "a/b", ".hidden", "a\nb", String(repeating: "x", count: 201)] {
            #expect(!StandardPlaces.isValidInstance(name))
            var fixture = ConfigurationFixture()
            fixture.instance = name
            #expect(fixture.problems.count == 1)
        }
        #expect(StandardPlaces.isValidInstance("scans-2 é"))
    }

    @Test("Options for places replace what files say")
    func options() throws {
        var fixture = ConfigurationFixture(
            "[Inbox]\nDocuments=/no\nInbox=no\n[Inbox no]\nSettle=0\n[Control]\nSocket=/no")
        fixture.options.documents = raw("docs")
        fixture.options.inboxes = [raw("~a b"), [0x2f, 0xe9]]
        fixture.options.state = raw("/state")
        fixture.options.socket = raw("the socket")
        let configuration = try fixture.configuration()
        #expect(configuration.documents == BytePath("/work/dir/docs"))
        #expect(configuration.inboxes.map(\.path) == [BytePath("/work/dir/docs/~a b"), BytePath(bytes: [0x2f, 0xe9])])
        #expect(configuration.stateFolder == BytePath("/state"))
        #expect(configuration.control.socket == BytePath("/work/dir/the socket"))
        #expect(
            fixture.notices == [
                "conf:2: Documents= has no effect: --documents overrides it",
                "conf:3: Inbox= has no effect: --inbox overrides it",
                "conf:7: Socket= has no effect: --socket overrides it",
                "conf:4: [Inbox /work/dir/docs/no]: there is no such Inbox this time",
            ])
    }

    @Test(
        "A setting of the command line is read like a line of its section",
        arguments: [
            ("Inbox.Settle=0", nil), ("Inbox Inbox.Settle=0", nil), ("Inbox /home/u/Documents/Inbox.Settle=0", nil),
            ("Inbox.Ignore=a=b.c=d", nil), (" Inbox . Settle = 0 ", nil),
            ("Inbox.Setle=0", "command line: unknown key \"Setle\"; did you mean Settle?"),
            ("Inbix.Settle=0", "command line: unknown section \"Inbix\"; did you mean Inbox?"),
            (
                "Inbox.Settle=x",
                "command line: Settle: \"x\" is not a time span, such as 250ms, 5min, 1h 30min or infinity"
            ),
            ("Settle=0", "command line: --set: \"Settle=0\" is not SECTION.KEY=VALUE, such as Inbox.Settle=0"),
            ("Inbox.Settle", "command line: --set: \"Inbox.Settle\" is not SECTION.KEY=VALUE, such as Inbox.Settle=0"),
            (".Settle=0", "command line: --set: \".Settle=0\" is not SECTION.KEY=VALUE, such as Inbox.Settle=0"),
            ("Inbox.=0", "command line: --set: \"Inbox.=0\" is not SECTION.KEY=VALUE, such as Inbox.Settle=0"),
            ("", "command line: --set: \"\" is not SECTION.KEY=VALUE, such as Inbox.Settle=0"),
        ])
    func assignments(text: String, problem: String?) {
        var fixture = ConfigurationFixture()
        fixture.options.assignments = [raw(text)]
        #expect(fixture.problems == (problem.map { [$0] } ?? []))
    }

    @Test("Documents is that of user-dirs.dirs, with its line, unless somebody sets it")
    func documents() throws {
        var fixture = ConfigurationFixture()
        fixture.files["/home/u/.config/user-dirs.dirs"] = raw("\nXDG_DOCUMENTS_DIR=\"$HOME/Papers\"")
        #expect(try fixture.configuration().documents == BytePath("/home/u/Papers"))
        #expect(
            try fixture.configuration().text.contains(
                "# /home/u/.config/user-dirs.dirs:2\nDocuments=/home/u/Papers\n"))
        fixture.options.assignments = [raw("Inbox.Documents=~/Mine")]
        #expect(try fixture.configuration().documents == BytePath("/home/u/Mine"))
    }
}
