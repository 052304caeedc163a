import InboxDetection
import Testing
import UniformTypeIdentifiers

@testable import InboxConfiguration
import InboxLinux
@testable import InboxFiling

@Suite("Folders of property lists")
struct ConfigurationPropertyListTests {
    private static let folder = "/home/u/.config/inboxd/types.d"

    private static func list(_ body: String) -> [UInt8] {
        raw("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n<dict>\n\(body)\n</dict></plist>\n")
    }

    private static func exported(_ identifiers: String..., extra: String = "") -> [UInt8] {
        let entries = identifiers.map {
            "<dict><key>UTTypeIdentifier</key><string>\($0)</string><key>UTTypeConformsTo</key>"
                + "<string>public.data</string>\(extra)</dict>"
        }
        return list("<key>UTExportedTypeDeclarations</key><array>\(entries.joined())</array>")
    }

    @Test("Lists are read by folder and name, hidden ones and other names not, after the sections")
    func order() throws {
        var fixture = ConfigurationFixture("[Types]\nDeclarations=/more ~/x/../y")
        #expect(
            fixture.problems == ["conf:2: Declarations: \"/home/u/x/../y\" has a \"..\"; write the path without it"])
        fixture = ConfigurationFixture("[Types]\nDeclarations=/more\n[Type z.z]\nConformsTo=public.data")
        fixture.files["\(Self.folder)/b.plist"] = Self.exported("b.b")
        fixture.files["\(Self.folder)/a.plist"] = Self.exported("a.a", "a.b")
        fixture.files["\(Self.folder)/._a.plist"] = raw("no list")
        fixture.files["\(Self.folder)/a.plist~"] = raw("no list")
        fixture.files["/more/0.plist"] = Self.exported("m.m")
        let loaded = fixture.load()
        #expect(loaded.configuration?.types.map(\.identifier) == ["z.z", "a.a", "a.b", "b.b", "m.m"])
        #expect(loaded.notices == [])
        #expect(
            loaded.files.map(\.displayText).suffix(3) == [
                "\(Self.folder)/a.plist", "\(Self.folder)/b.plist", "/more/0.plist",
            ])
    }

    @Test("An emptied list reads no folder, and the machine has its own")
    func folders() throws {
        var fixture = ConfigurationFixture("[Types]\nDeclarations=")
        fixture.files["\(Self.folder)/a.plist"] = raw("no list")
        #expect(try fixture.configuration().types == [])
        fixture.scope = .system
        fixture.files = ["/etc/inboxd/types.d/a.plist": Self.exported("m.m")]
        #expect(try fixture.configuration().types.map(\.identifier) == ["m.m"])
    }

    @Test("A list that is none is a problem with its line; an entry that is none is reported with its place")
    func broken() {
        var fixture = ConfigurationFixture()
        let path = "\(Self.folder)/a.plist"
        fixture.files[path] = raw("<plist>\n<dict>\n<key>x</key></dict></plist>")
        #expect(fixture.problems == ["\(path):3: the key \"x\" has no value"])
        fixture.files[path] = raw("bplist00")
        #expect(fixture.problems.count == 1 && fixture.problems[0].hasPrefix(path + ": "))
        fixture.files[path] = Self.exported("a_b.c", "public.pdf")
        #expect(
            fixture.problems == [
                "\(path):4: UTExportedTypeDeclarations[0]: a_b.c: the identifier is malformed: the character \"_\" is "
                    + "not allowed: ASCII letters, digits, \"-\", \".\" and characters above U+007F are; the entry is "
                    + "left out",
                "\(path):4: UTExportedTypeDeclarations[1]: public.pdf: an identifier that begins with \"public.\" cannot "
                    + "be exported",
            ])
        fixture.files[path] = Self.list("<key>UTExportedTypeDeclarations</key><string>x</string>")
        #expect(fixture.problems == [])
        #expect(fixture.notices == ["\(path): UTExportedTypeDeclarations: it must be an array"])
        fixture.unreadable = [path]
        #expect(fixture.problems == ["\(path): the file cannot be read: Permission denied"])
        fixture.unreadable = [Self.folder]
        #expect(fixture.problems == ["\(Self.folder): the folder cannot be read: Permission denied"])
    }

    @Test("Of two owners the section goes first, then the earlier list; the other is reported")
    func twoOwners() throws {
        var fixture = ConfigurationFixture("[Type a.a]\nConformsTo=public.image")
        fixture.files["\(Self.folder)/1.plist"] = Self.exported("A.A", "b.b")
        fixture.files["\(Self.folder)/2.plist"] = Self.exported("b.b")
        #expect(fixture.problems == [])
        #expect(
            fixture.notices == [
                "\(Self.folder)/1.plist:4: UTExportedTypeDeclarations[0]: A.A: the type is exported already "
                    + "(/home/u/.config/inboxd/inboxd.conf:1), which counts",
                "\(Self.folder)/2.plist:4: UTExportedTypeDeclarations[0]: b.b: the type is exported already "
                    + "(\(Self.folder)/1.plist: UTExportedTypeDeclarations[1]), which counts",
            ])
    }

    @Test("A hostile list gives printable, bounded messages on one line each")
    func hostileMessages() {
        var fixture = ConfigurationFixture()
        let name = "a.\u{202E}b&#27;]0;x" + String(repeating: "y", count: 10_000)
        fixture.files["\(Self.folder)/a.plist"] = Self.exported(name)
        let problems = fixture.problems
        #expect(problems.count == 1)
        for problem in problems {
            #expect(problem.count < 800)
            #expect(!problem.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
    }

    @Test("The types can be read alone, whatever the places of the documents are")
    func alone() {
        let environment = ConfigurationEnvironment(userID: 1000, variables: [:], workingDirectory: BytePath("/w"))
        var text = "[Inbox]\nInbox=a a/b\n[Type a.b]\nConformsTo=public.data"
        let files = ConfigurationFiles(
            content: { (_) throws(ConfigurationReadError) in raw(text) },
            names: { (_) throws(ConfigurationReadError) in nil })
        var options = ConfigurationOptions()
        options.file = raw("c")
        let loaded = ConfigurationLoader.loadTypes(options, environment: environment, files: files)
        #expect(loaded.problems == [])
        #expect(loaded.types?.declarations.map(\.identifier) == ["a.b"])
        text += "\n[Inbox]\nSettel=1"
        let broken = ConfigurationLoader.loadTypes(options, environment: environment, files: files)
        #expect(broken.types == nil)
        #expect(broken.problems.map(\.description) == ["/w/c:6: unknown key \"Settel\"; did you mean Settle?"])
    }
}
