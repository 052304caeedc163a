import InboxDetection
import InboxLinux
import InboxProperties
import InboxTestSupport
import Testing
import UniformTypeIdentifiers

@testable import InboxConfiguration
@testable import InboxFiling

@Suite("What a document type asks of a document")
struct ConditionTests {
    private static let text = """
        [DocumentType Big]
        ContentTypes=public.data
        MinSize=1M
        [DocumentType Bank]
        Rank=First
        Names=*konto* !*entwurf*
        Pattern={bank}-{number:digits}*
        Destination=Bank/{bank:lower}/{number}
        [DocumentType Camera]
        ContentTypes=public.image
        Paths=camera/**
        [DocumentType Shop]
        ContentTypes=public.data
        Rank=Owner
        Origins=*.example.com
        Annotations=project=a*
        """

    private static func load(_ text: String) -> LoadedConfiguration {
        ConfigurationLoader.load(
            ConfigurationOptions(),
            environment: ConfigurationEnvironment(
                userID: 1000, variables: [Array("HOME".utf8): Array("/home/u".utf8)],
                workingDirectory: BytePath("/work")),
            files: ConfigurationFiles(
                content: { (path) throws(ConfigurationReadError) in
                    path == BytePath("/home/u/.config/inboxd/inboxd.conf") ? Array(text.utf8) : nil
                }, names: { (_) throws(ConfigurationReadError) in nil }))
    }

    private static func document(
        _ name: String, _ type: UTType = .pdf, in folder: [String] = [], size: UInt64 = 1,
        _ attributes: DocumentAttributes = DocumentAttributes()
    ) throws -> RoutedDocument {
        RoutedDocument(
            detection: Detection(type: type, mime: nil, evidence: .content, mismatch: false, unread: false),
            name: try #require(FileName(name)), in: BytePath("/home/u/Documents/Inbox"),
            folder: try folder.map { try #require(FileName($0)) }, size: size,
            modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 0), attributes: attributes)
    }

    @Test("All conditions must hold, and Rank=First goes before a narrower type")
    func conditions() throws {
        let choice = try RoutingFixture(Self.text).rules.choice
        func winner(_ document: RoutedDocument) -> String? { choice.winner(for: document)?.configured.name }
        let shop = DocumentAttributes(annotations: ["project": "Abc"], origin: "https://shop.example.com/x")
        #expect(winner(try Self.document("GLS KONTO-12.pdf")) == "Bank")
        #expect(winner(try Self.document("GLS konto-12 Entwurf.pdf")) == nil)
        #expect(winner(try Self.document("konto.pdf")) == nil)
        #expect(winner(try Self.document("a.jpg", .jpeg, in: ["Camera", "x"])) == "Camera")
        #expect(winner(try Self.document("a.jpg", .jpeg)) == nil)
        #expect(winner(try Self.document("a.pdf", size: 1 << 20)) == "Big")
        #expect(winner(try Self.document("a.pdf", size: 1 << 20, shop)) == "Shop")
        #expect(winner(try Self.document("a.pdf", .pdf, DocumentAttributes(annotations: shop.annotations))) == nil)
    }

    @Test("What a document type asks for in vain is named with what it saw")
    func reasons() throws {
        let choice = try RoutingFixture(Self.text).rules.choice
        let reasons = choice.standings(for: try Self.document("b.png", .png, size: 100)).map(\.reason)
        #expect(reasons.contains("MinSize=1M: it has 100 bytes"))
        #expect(reasons.contains("Paths=camera/**: its path is \"b.png\""))
        #expect(reasons.contains("Annotations=project=a*: it has none of that key"))
    }

    @Test(
        "A pattern for paths spans folders with ** alone",
        arguments: [
            ("camera/**", "camera/a/b.jpg", true), ("camera/**", "x/camera/b", false), ("*/b", "a/b", true),
            ("*/b", "a/c/b", false), ("**/b", "b", true), ("**/b", "a/c/b", true), ("a/**/b", "a/b", true),
            ("a/**/b*", "A/x/y/bc", true), ("**.jpg", "a/b.JPG", true), ("a?b", "a/b", false), ("*", "a/b", false),
        ])
    func paths(_ pattern: String, _ path: String, _ isMatch: Bool) {
        let glob = Glob(Array(pattern.utf8), ignoringCase: true, isPath: true)
        #expect(glob.matches(FoldedName(Array(path.utf8)[...])) == isMatch)
    }

    @Test("A capture takes the shortest text that lets the rest match, with the name's own letters")
    func captures() throws {
        let pattern = try NamePattern(Array("{who}-{number:digits}*".utf8))
        func captures(_ stem: String) -> [String: String]? {
            pattern.captures(in: stem.utf8)?.mapValues { String(decoding: $0, as: UTF8.self) }
        }
        #expect(captures("Müller-X-123 y") == ["who": "Müller-X", "number": "123"])
        #expect(captures("-1") == nil)
        #expect(captures("A-B-1-2") == ["who": "A-B", "number": "1"])
        #expect(pattern.captures(in: [0xFF, 0x2D, 0x31]) == ["who": [0xFF], "number": [0x31]])
    }

    @Test("A name is made of a date, a title and alternatives, and its extension stays")
    func names() throws {
        let fixture = try RoutingFixture(
            "[DocumentType A]\nName={date} {title|name}\nDestination={year}/{author|\"nobody\"}\n")
        func path(_ name: String, _ properties: DocumentProperties) throws -> String {
            let found = try Routing.destination(
                of: try Self.document(name), fixture.settings, fixture.rules, properties: { _ in properties })
            return found.folders.map(\.description).joined(separator: "/") + "/\(found.name)"
        }
        let date = try #require(DocumentDate(year: 2011, month: 3, day: 4))
        #expect(
            try path(
                "x.pdf", DocumentProperties(date: date, dateSource: .pdf, title: " .a/b\u{202E}\n c ", author: "M"))
                == "2011/M/2011-03-04 a-b- c.pdf")
        #expect(try path("x 2012-05-06.tar.gz", DocumentProperties()) == "2012/nobody/2012-05-06 x 2012-05-06.tar.gz")
    }

    @Test("Whatever a value is, it becomes one legal part of a name")
    func cleaning() {
        var random = SeededRandom(seed: 0xC1EA)
        let hostile = Array("/.\0 \t\n\u{202E}\u{301}a😀".utf8)
        for round in 0..<5_000 {
            let bytes =
                round % 2 == 0
                ? random.bytes(upTo: 300)
                : (0..<Int.random(in: 0...300, using: &random)).map { _ in hostile.randomElement(using: &random) ?? 0 }
            guard let cleaned = CleanedValue.cleaned(bytes) else { continue }
            #expect((1...CleanedValue.longest).contains(cleaned.count))
            #expect(cleaned.first != UInt8(ascii: ".") && cleaned.first != 0x20 && cleaned.last != 0x20)
            #expect(!cleaned.contains { $0 < 0x20 || $0 == UInt8(ascii: "/") || $0 == 0x7F })
            #expect(
                String(validating: bytes, as: UTF8.self) == nil || String(validating: cleaned, as: UTF8.self) != nil)
        }
    }

    @Test(
        "An origin is cut to its scheme, host and path",
        arguments: [
            ("https://u:p@Shop.Example.com:8443/a/b?token=1#x", "https://shop.example.com/a/b"),
            ("https://h?x", "https://h"), ("nothing", nil), ("https://[::1]:80/x", "https://[::1]/x"),
        ] as [(String, String?)])
    func origins(_ text: String, _ origin: String?) {
        #expect(DocumentAttributes.address(text) == origin)
    }

    @Test(
        "What an entry contradicts itself in is a mistake with its place",
        arguments: [
            ("MinSize=2K\nMaxSize=1K", "MinSize=2K is above MaxSize=1K"), ("Inboxes=Other", "is no Inbox"),
            ("Pattern={year}", "{year} is a placeholder already"), ("Pattern={a}{a}", "there are two captures {a}"),
            ("Destination={title}", "not every document has a {title}"),
            ("Destination={customer}", "is no placeholder"),
            ("Name=a/b", "belongs into Destination="), ("Annotations=x", "is not KEY=glob"),
        ])
    func mistakes(_ lines: String, _ words: String) {
        let loaded = Self.load("[DocumentType A]\n\(lines)\n")
        #expect(loaded.problems.contains { "\($0)".contains(words) }, "\(loaded.problems)")
    }
}
