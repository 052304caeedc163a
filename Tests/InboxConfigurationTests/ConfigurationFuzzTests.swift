import InboxTestSupport
import Testing

@testable import InboxConfiguration
import InboxLinux
@testable import InboxFiling

@Suite("The configuration under random input")
struct ConfigurationFuzzTests {
    private static let pieces: [[UInt8]] =
        [
            "[", "]", "[Inbox]\n", "[Inbox Inbox]\n", "[Inbox \"a b\"]\n", "[History]\n", "[Control]\n", "[Types]\n",
            "[DocumentType x]\n", "=", "\n", "\\\n", "\\", "\"", "'", " ", "\t", "#", ";", "\r\n", "~", "~/", "/", "..",
            "a", "é", "infinity", "5min", "0", "99999999999999999999", "1.5", "64K", "-1", "yes", "\\x41", "\\777",
            "\\u", "{", "mirror", "auto", "0600",
        ].map { Array($0.utf8) } + [[0xff], [0], [0xc3], [0x1b]]
        + (InboxPlaces.keys + InboxSettings.fields.map(\.name) + HistorySettings.fields.map(\.name)
        + ControlSettings.fields.map(\.name)).map { Array("\n\($0)=".utf8) }

    private func randomText(_ random: inout SeededRandom) -> [UInt8] {
        (0..<Int.random(in: 0...24, using: &random)).flatMap { _ in
            Self.pieces.randomElement(using: &random) ?? []
        }
    }

    private func isOneLine(_ text: String) -> Bool {
        !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
    }

    @Test("Random text never traps, every problem is one printable line, and what is accepted survives printing")
    func randomText() throws {
        var random = Extent.generator(for: "texts")
        var accepted = 0
        var wrong: [String] = []
        let rounds = Extent.times(5_000, part: 600)
        for round in 0..<rounds {
            var fixture = ConfigurationFixture()
            fixture.files["/home/u/.config/inboxd/inboxd.conf"] = randomText(&random)
            let loaded = fixture.load()
            if !(loaded.problems + loaded.notices).allSatisfy({ isOneLine($0.description) }) {
                wrong.append("round \(round): a problem is not one line")
            }
            if (loaded.configuration == nil) != !loaded.problems.isEmpty {
                wrong.append("round \(round): a configuration beside problems, or neither")
            }
            guard let configuration = loaded.configuration else { continue }
            accepted += 1
            try expectRoundTrip(configuration, "round \(round)")
        }
        #expect(wrong == [])
        // One in twenty is.
        #expect(accepted > rounds / 50)
    }

    @Test("A file that is cut off anywhere, or has any byte changed, never traps")
    func cutOff() {
        var random = Extent.generator(for: "changed files")
        let whole = raw(
            "[Inbox]\nDocuments=~/D\nInbox=\"a b\" c\nIgnore=\\x41 'b\\\"'\nSettle=1h 30min\\\n# c\n 2s\nPoll=auto\n"
                + "[Inbox c]\nSettle=0\n[History]\nMaxSize=1.5G\n[Control]\nSocket=/s\nSocketMode=0660\n")
        for length in Extent.some(40, of: Array(whole.indices)) {
            var fixture = ConfigurationFixture()
            fixture.files["/home/u/.config/inboxd/inboxd.conf"] = Array(whole[..<length])
            _ = fixture.load()
        }
        var wrong: [[UInt8]] = []
        for _ in 0..<Extent.times(2_000, part: 200) {
            var changed = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var fixture = ConfigurationFixture()
            fixture.files["/home/u/.config/inboxd/inboxd.conf"] = changed
            let loaded = fixture.load()
            if (loaded.configuration == nil) != !loaded.problems.isEmpty { wrong.append(changed) }
        }
        #expect(wrong == [])
    }

    @Test("The parser reads any bytes, and each section and assignment that it gives is at a line of the text")
    func randomBytes() {
        var random = Extent.generator(for: "bytes")
        var wrong: [[UInt8]] = []
        for _ in 0..<Extent.times(25_000, part: 4_000) {
            let text = randomText(&random)
            let lines = text.count { $0 == 0x0a } + 1
            let parsed = ConfigurationParser.parse(text, label: "f")
            let origins = parsed.sections.flatMap { [$0.origin] + $0.entries.map(\.origin) }
            let isSound = (origins + parsed.problems.map(\.origin)).allSatisfy {
                if case .file("f", let line) = $0 { (1...lines).contains(line) } else { false }
            }
            if !isSound { wrong.append(text) }
        }
        #expect(wrong == [])
    }

    @Test("Random values and options never trap")
    func randomValues() {
        var random = Extent.generator(for: "values")
        for _ in 0..<Extent.times(12_000, part: 3_000) {
            let text = randomText(&random)
            _ = try? WordList.split(text)
            _ = try? TimeSpan.parse(text)
            _ = try? ValueFormat<Int64>.size.parse(text)
            _ = UserDirectories.documents(in: raw("XDG_DOCUMENTS_DIR=") + text, home: BytePath("/h"))
        }
        for _ in 0..<Extent.times(2_000, part: 200) {
            var fixture = ConfigurationFixture()
            fixture.options.assignments = [randomText(&random)]
            fixture.options.documents = randomText(&random)
            fixture.options.inboxes = [randomText(&random)]
            fixture.options.socket = randomText(&random)
            fixture.options.state = randomText(&random)
            let loaded = fixture.load()
            #expect((loaded.problems + loaded.notices).allSatisfy { isOneLine($0.description) })
        }
    }

    @Test("What --print-config prints gives the same configuration, and each key has its origin above it")
    func roundTrip() throws {
        var fixture = ConfigurationFixture(
            "[Inbox]\nInbox=\nInbox=\"a b\" \\xe9\\x0a\\\"\\' /c\nIgnore=\nIgnore=x *.part\nDocuments=/d e\nPoll=90s\n"
                + "[Inbox \"a b\"]\nIgnore=\nFolders=whole\n[Inbox /c]\nIgnore=y\nSettle=0\n[Control]\nAllowUsers=a b")
        try expectRoundTrip(try fixture.configuration(), "all")
        fixture.options.inboxes = [[0xe9, 0x0a]]
        try expectRoundTrip(try fixture.configuration(), "command line")
        var key: Substring?
        var origins = 0
        for line in try fixture.configuration().text.split(separator: "\n") {
            if line.hasPrefix("# ") {
                origins += 1
                key = nil
            } else if !line.hasPrefix("[") {
                // A list that replaces its default takes two assignments, which share one origin.
                let own = line.prefix { $0 != "=" }
                #expect(key == own || origins == 1, "\(line)")
                key = own
                origins = 0
            }
        }
    }

    private static let typePieces: [[UInt8]] =
        [
            "=", "\n", "\\", "\"", " ", "[Type a.b]\n", "[Type c.d]\n", "[Type \"a.\\xe2\\x80\\x8f.é\"]\n", "0:00",
            " 12:abcd", "4095:00", "99999999999999999999:", "a.b", "c.d", "public.data", "x/y", "https://x/", "yes",
            "7",
            "\n[Types]\nDeclarations=/t\n", ".pdf", "pdf",
        ].map { Array($0.utf8) } + [[0xff], [0x1b]]
        + TypeSettings.fields.map { Array("\n\($0.name)=".utf8) }

    @Test("Random sections of types, cut off and changed ones too, never trap, and what is accepted survives printing")
    func randomTypes() throws {
        var random = SeededRandom(seed: 8)
        let whole = raw(
            "[Types]\nDeclarations=/t\n[Type a.b]\nDescription=\"x \\\" y\"\nConformsTo=c.d public.data\n"
                + "Extensions=é\nMIMETypes=a/b;c\nMagic=0:00 12:ABcd\nReferenceURL=https://x/\nVersion=1\n")
        var texts = (0..<400).map { _ in
            raw("[Type a.b]\n")
                + (0..<Int.random(in: 0...24, using: &random)).flatMap { _ in
                    Self.typePieces.randomElement(using: &random) ?? []
                }
        }
        texts += stride(from: 0, to: whole.count, by: 2).map { Array(whole[..<$0]) }
        texts += (0..<300).map { _ in
            var changed = whole
            changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            return changed
        }
        var accepted = 0
        var wrong: [[UInt8]] = []
        for text in texts {
            var fixture = ConfigurationFixture()
            fixture.files["/home/u/.config/inboxd/inboxd.conf"] = text
            let loaded = fixture.load()
            let areLines = (loaded.problems + loaded.notices).allSatisfy { isOneLine($0.description) }
            if !areLines || (loaded.configuration == nil) != !loaded.problems.isEmpty { wrong.append(text) }
            guard let configuration = loaded.configuration else { continue }
            accepted += 1
            try expectRoundTrip(configuration, String(decoding: text, as: UTF8.self))
        }
        #expect(wrong == [])
        #expect(accepted > 40)
    }

    @Test("Property lists that are cut off or changed anywhere never trap, and give printable lines")
    func randomLists() {
        var random = SeededRandom(seed: 9)
        let whole = raw(
            "<?xml version=\"1.0\"?><plist><dict><key>UTExportedTypeDeclarations</key><array><dict>"
                + "<key>UTTypeIdentifier</key><string>a.b</string><key>UTTypeConformsTo</key><string>c.d</string>"
                + "<key>UTTypeTagSpecification</key><dict><key>public.filename-extension</key><string>x</string></dict>"
                + "</dict></array><key>CFBundleDocumentTypes</key><array><dict/></array></dict></plist>")
        var wrong: [[UInt8]] = []
        for round in 0..<1_000 {
            var text = whole
            if round < whole.count { text = Array(whole[..<round]) }
            for _ in 0..<(round < whole.count ? 0 : 2) {
                text[Int.random(in: text.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var fixture = ConfigurationFixture()
            fixture.files["/home/u/.config/inboxd/types.d/a.plist"] = text
            let loaded = fixture.load()
            let areLines = (loaded.problems + loaded.notices).allSatisfy { isOneLine($0.description) }
            if !areLines || (loaded.configuration == nil) != !loaded.problems.isEmpty { wrong.append(text) }
        }
        #expect(wrong == [])
    }

    private func expectRoundTrip(_ configuration: Configuration, _ what: String) throws {
        let again = try ConfigurationFixture(configuration.text).configuration()
        #expect(again.documents == configuration.documents, "\(what)")
        #expect(again.inboxes.map(\.path) == configuration.inboxes.map(\.path), "\(what)")
        #expect(again.inboxes.map(\.settings) == configuration.inboxes.map(\.settings), "\(what)")
        #expect(again.inboxDefaults == configuration.inboxDefaults, "\(what)")
        #expect(again.history == configuration.history, "\(what)")
        #expect(again.control == configuration.control, "\(what)")
        #expect(again.ownTypes.folders == configuration.ownTypes.folders, "\(what)")
        #expect(again.ownTypes.sections.map(\.settings) == configuration.ownTypes.sections.map(\.settings), "\(what)")
        #expect(again.types.map(\.identifier) == configuration.types.map(\.identifier), "\(what)")
    }
}
