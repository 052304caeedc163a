import InboxDetection
import InboxLinux
import InboxTestSupport
import Testing
import UniformTypeIdentifiers

@testable import InboxConfiguration
@testable import InboxFiling

/// Rules made of a configuration's text, as the daemon makes them.
struct RoutingFixture {
    let configuration: Configuration
    let rules: RoutingRules
    var settings: InboxSettings { configuration.inboxes[0].settings }

    init(_ text: String, location: SourceLocation = #_sourceLocation) throws {
        let loaded = ConfigurationLoader.load(
            ConfigurationOptions(),
            environment: ConfigurationEnvironment(
                userID: 1000, variables: [Array("HOME".utf8): Array("/home/u".utf8)],
                workingDirectory: BytePath("/work")),
            files: ConfigurationFiles(
                content: { (path) throws(ConfigurationReadError) in
                    path == BytePath("/home/u/.config/inboxd/inboxd.conf") ? Array(text.utf8) : nil
                }, names: { (_) throws(ConfigurationReadError) in nil }))
        configuration = try #require(loaded.configuration, "\(loaded.report)", sourceLocation: location)
        rules = RoutingRules(configuration)
    }

    /// Where a document goes: a path, or the reason why it stays.
    func destination(
        _ name: String, _ type: UTType, in folder: [String] = [], mismatch: Bool = false,
        modified: Timestamp = Timestamp(seconds: 0, nanoseconds: 0)
    ) throws -> String {
        let document = RoutedDocument(
            detection: Detection(type: type, mime: nil, evidence: .content, mismatch: mismatch, unread: false),
            name: try #require(FileName(name)), folder: try folder.map { try #require(FileName($0)) },
            modified: modified)
        do throws(Refusal) {
            let destination = try Routing.destination(of: document, settings, rules)
            let path = destination.folderPath.appending(destination.name).displayText
            return path.replacing("/home/u/Documents/", with: "")
        } catch {
            guard case .hold(let reason, _) = error.outcome else { return "refused" }
            return reason.rawValue
        }
    }

    func winner(_ name: String, _ type: UTType) throws -> String? {
        rules.choice.winner(for: try document(name, type))?.configured.name
    }

    func document(_ name: String, _ type: UTType) throws -> RoutedDocument {
        RoutedDocument(
            detection: Detection(type: type, mime: nil, evidence: .content, mismatch: false, unread: false),
            name: try #require(FileName(name)), folder: [], modified: Timestamp(seconds: 0, nanoseconds: 0))
    }

    func standings(_ name: String, _ type: UTType) throws -> [String] {
        rules.choice.standings(for: try document(name, type)).map { "\($0.name) \($0.reason)" }
    }
}

@Suite("Which document type wins")
struct DocumentTypeChoiceTests {
    private static func entry(_ name: String, _ types: String, _ more: String = "") -> String {
        "[DocumentType \(name)]\nContentTypes=\(types)\nDestination=\(name)\n\(more)\n"
    }

    @Test("Without document types everything goes to Documents, with the folders that it was dropped in")
    func none() throws {
        let fixture = try RoutingFixture("")
        #expect(try fixture.destination("a.jpg", .jpeg) == "a.jpg")
        #expect(try fixture.destination("a.jpg", .jpeg, in: ["x", "y"]) == "x/y/a.jpg")
        #expect(try fixture.winner("a.jpg", .jpeg) == nil)
    }

    @Test("A document type accepts its types and all that conform to them, and nothing else")
    func conforming() throws {
        let fixture = try RoutingFixture(Self.entry("P", "public.image com.adobe.pdf"))
        #expect(try fixture.winner("a", .jpeg) == "P")
        #expect(try fixture.winner("a", .image) == "P")
        #expect(try fixture.winner("a", .pdf) == "P")
        #expect(try fixture.winner("a", .text) == nil)
        #expect(try fixture.winner("a", .data) == nil)
        #expect(try fixture.destination("a.txt", .plainText) == "a.txt")
    }

    @Test("A subtype beats its supertype, whatever the rank and the order")
    func subtype() throws {
        let fixture = try RoutingFixture(
            Self.entry("Everything", "public.item", "Rank=Owner") + Self.entry("Images", "public.image", "Rank=Owner")
                + Self.entry("Jpegs", "public.jpeg", "Rank=Alternate"))
        #expect(try fixture.winner("a", .jpeg) == "Jpegs")
        #expect(try fixture.winner("a", .png) == "Images")
        #expect(try fixture.winner("a", .plainText) == "Everything")
    }

    @Test("Of types that are not each other's subtypes the one with the fewest steps wins, before any rank")
    func steps() throws {
        let fixture = try RoutingFixture(
            Self.entry("Text", "public.text", "Rank=Owner") + Self.entry("3D", "public.3d-content", "Rank=Alternate"))
        // It is JSON, which is text, and 3D content.
        #expect(try fixture.winner("a", try #require(UTType("org.khronos.gltf"))) == "3D")
        #expect(try fixture.winner("a", .json) == "Text")
    }

    @Test("A subtype that accepts the name takes its supertype out, so that a third one may win")
    func cycleOfPreferences() throws {
        // From this type it is 2 steps to data, 2 to 3D content, and 3 to text, which is data.
        let type = try #require(UTType("com.pixar.universal-scene-description-utf8"))
        let fixture = try RoutingFixture(
            Self.entry("Data", "public.data", "Rank=Owner") + Self.entry("Text", "public.text", "Names=t*")
                + Self.entry("3D", "public.3d-content", "Names=*3"))
        #expect(try fixture.winner("x", type) == "Data")
        #expect(try fixture.winner("x3", type) == "Data")
        #expect(try fixture.winner("t", type) == "Text")
        #expect(try fixture.winner("t3", type) == "3D")
    }

    @Test("At equal steps the higher rank wins, then the earlier entry; None never accepts")
    func rankAndOrder() throws {
        let a = Self.entry("A", "public.jpeg", "Rank=Alternate")
        let b = Self.entry("B", "public.jpeg")
        let c = Self.entry("C", "public.jpeg")
        let owner = Self.entry("Owner", "public.jpeg", "Rank=Owner")
        let never = Self.entry("Never", "public.jpeg", "Rank=None")
        #expect(try RoutingFixture(never + a + b + c + owner).winner("x", .jpeg) == "Owner")
        #expect(try RoutingFixture(never + a + b + c).winner("x", .jpeg) == "B")
        #expect(try RoutingFixture(never + a + c + b).winner("x", .jpeg) == "C")
        #expect(try RoutingFixture(never + a).winner("x", .jpeg) == "A")
        #expect(try RoutingFixture(never).winner("x", .jpeg) == nil)
    }

    @Test("Names are globs of which one must match; where none does, the next document type is asked")
    func names() throws {
        let fixture = try RoutingFixture(
            Self.entry("Camera", "public.jpeg", "Names=IMG_* DSC*") + Self.entry("Images", "public.image"))
        #expect(try fixture.winner("IMG_1.jpg", .jpeg) == "Camera")
        #expect(try fixture.winner("DSC1.jpg", .jpeg) == "Camera")
        #expect(try fixture.winner("holiday.jpg", .jpeg) == "Images")
        #expect(try fixture.winner("IMG_1.png", .png) == "Images")
    }

    @Test("One of an entry's content types is enough, and its nearest one counts")
    func severalContentTypes() throws {
        let fixture = try RoutingFixture(
            Self.entry("Both", "public.item public.jpeg", "Rank=Alternate")
                + Self.entry("Images", "public.image", "Rank=Owner"))
        #expect(try fixture.winner("a", .jpeg) == "Both")
        #expect(try fixture.winner("a", .png) == "Images")
        #expect(try fixture.winner("a", .plainText) == "Both")
    }

    @Test("Of a hundred document types each choice is the one that the rules say, found by trying all")
    func random() throws {
        var random = SeededRandom(seed: 11)
        let types = UTType.allBuiltIn.filter { $0.conforms(to: .data) }
        for _ in 0..<4 {
            let text = (0..<100).map { number in
                let type = types[Int.random(in: 0..<types.count, using: &random)]
                let rank = ["Owner", "Default", "Alternate", "None"][Int.random(in: 0..<4, using: &random)]
                let names = Int.random(in: 0..<3, using: &random) == 0 ? "Names=a*" : ""
                return Self.entry("E\(number)", "\(type.identifier) public.data", "Rank=\(rank)\n\(names)")
            }.joined()
            let fixture = try RoutingFixture(text)
            for _ in 0..<25 {
                let type = types[Int.random(in: 0..<types.count, using: &random)]
                for name in ["abc", "xyz"] {
                    #expect(try fixture.winner(name, type) == Self.expected(fixture, type, name), "\(type) \(name)")
                    let wins = fixture.rules.choice.standings(for: try fixture.document(name, type)).first { $0.wins }
                    #expect(try wins?.name == fixture.winner(name, type))
                }
            }
        }
    }

    /// The rules of the contract, word by word.
    private static func expected(_ fixture: RoutingFixture, _ type: UTType, _ name: String) -> String? {
        struct Pair {
            let entry: Int
            let contentType: UTType
        }
        let entries = fixture.configuration.documentTypes
        var pairs: [Pair] = []
        for (index, entry) in entries.enumerated() where entry.settings.rank != .none {
            if !entry.settings.names.isEmpty, !name.hasPrefix("a") { continue }
            for identifier in entry.settings.contentTypes {
                guard let contentType = UTType(String(decoding: identifier, as: UTF8.self)),
                    type.conforms(to: contentType)
                else { continue }
                pairs.append(Pair(entry: index, contentType: contentType))
            }
        }
        let unbeaten = pairs.filter { pair in !pairs.contains { $0.contentType.isSubtype(of: pair.contentType) } }
        func distance(_ type: UTType, _ goal: UTType) -> Int {
            type == goal
                ? 0
                : 1 + (type.directSupertypes.filter { $0.conforms(to: goal) }.map { distance($0, goal) }.min() ?? 99)
        }
        let ranks: [DocumentTypeSettings.Rank] = [.owner, .default, .alternate]
        return unbeaten.min { left, right in
            func key(_ pair: Pair) -> (Int, Int, Int) {
                (
                    distance(type, pair.contentType), ranks.firstIndex(of: entries[pair.entry].settings.rank) ?? 9,
                    pair.entry
                )
            }
            return key(left) < key(right)
        }.map { entries[$0.entry].name }
    }

    @Test("Every entry is named, with why it gets the document or does not")
    func standings() throws {
        let fixture = try RoutingFixture(
            Self.entry("Items", "public.item") + Self.entry("Never", "public.jpeg", "Rank=None")
                + Self.entry("Camera", "public.jpeg", "Names=IMG_*") + Self.entry("Late", "public.jpeg")
                + Self.entry("Owner", "public.jpeg", "Rank=Owner") + Self.entry("Text", "public.text"))
        #expect(
            try fixture.standings("a.jpg", .jpeg) == [
                "Owner wins", "Camera does not accept the name (Names=IMG_*)",
                "Late loses to Owner, which ranks higher (Owner before Default)",
                "Items loses to Owner, whose public.jpeg is a subtype of public.item",
                "Never never accepts (Rank=None)", "Text does not accept the type (ContentTypes=public.text)",
            ])
        #expect(try fixture.standings("a.txt", .plainText).first == "Text wins")
        let two = try RoutingFixture(Self.entry("A", "public.jpeg") + Self.entry("B", "public.jpeg"))
        #expect(try two.standings("a", .jpeg) == ["A wins", "B loses to A, which is configured earlier"])
        #expect(
            try RoutingFixture(Self.entry("A", "public.jpeg")).standings("a", .jpeg) == ["A wins: no other accepts it"])
        let steps = try RoutingFixture(
            Self.entry("Text", "public.text", "Rank=Owner") + Self.entry("3D", "public.3d-content"))
        #expect(
            try steps.standings("a", try #require(UTType("org.khronos.gltf"))) == [
                "3D wins", "Text loses to 3D, which is 1 step nearer to the type",
            ])
    }
}

@Suite("Destinations of document types")
struct DestinationTemplateTests {
    private static func fixture(
        _ destination: String, types: String = "public.item", inbox: String = "", more: String = ""
    ) throws -> RoutingFixture {
        try RoutingFixture(
            "[Inbox]\n\(inbox)\n[DocumentType My Type]\nContentTypes=\(types)\nDestination=\(destination)\n\(more)")
    }

    @Test(
        "Each placeholder becomes what it says, and empty components are dropped",
        arguments: [
            ("Pictures/{type}", "a.jpg", "Pictures/public.jpeg/a.jpg"),
            ("{documentType}", "a.jpg", "My Type/a.jpg"),
            ("By/{extension}", "a.JPG", "By/JPG/a.JPG"),
            ("{extension}/x", "README", "x/README"),
            ("{extension}/x", ".profile", "x/.profile"),
            ("{extension}/x", "a.tar.gz", "gz/x/a.tar.gz"),
            ("{extension}/x", "a.with space", "x/a.with space"),
            ("{extension}", "README", "README"),
            ("a-{extension}-b", "README", "a--b/README"),
            ("a//b/", "x", "a/b/x"),
            ("\"with blank/{extension}\"", "a.x", "with blank/x/a.x"),
        ])
    func placeholders(template: String, name: String, expected: String) throws {
        #expect(try Self.fixture(template).destination(name, .jpeg) == expected)
    }

    @Test("Year, month, day and hour come from the modification time in local time, with leading zeros")
    func time() throws {
        let fixture = try Self.fixture("{year}/{month}/{day}/{hour}")
        let moment = try #require(Timestamp(localYear: 2024, month: 3, day: 9, hour: 7, minute: 59))
        #expect(try fixture.destination("a", .jpeg, modified: moment) == "2024/03/09/07/a")
        let old = try #require(Timestamp(localYear: 1971, month: 12, day: 31, hour: 23))
        #expect(try fixture.destination("a", .jpeg, modified: old) == "1971/12/31/23/a")
        for seconds in [Int64.min, .max] {
            let path = try fixture.destination("a", .jpeg, modified: Timestamp(seconds: seconds, nanoseconds: 0))
            #expect(path.split(separator: "/").map(\.count) == [4, 2, 2, 2, 1])
        }
    }

    @Test(
        "Folders of the Inbox are recreated below the destination, unless it names them or they are dropped",
        arguments: [
            ("x", "mirror", "x/one/two/a.jpg"), ("x", "flatten", "x/a.jpg"),
            ("{folder}/x", "mirror", "one/two/x/a.jpg"), ("{folder}/x", "flatten", "one/two/x/a.jpg"),
            ("p-{folder}-q", "mirror", "p-one/two-q/a.jpg"),
        ])
    func folders(template: String, folders: String, expected: String) throws {
        let fixture = try Self.fixture(template, inbox: "Folders=\(folders)")
        #expect(try fixture.destination("a.jpg", .jpeg, in: ["one", "two"]) == expected)
    }

    @Test("Without a folder {folder} is empty")
    func noFolder() throws {
        #expect(try Self.fixture("{folder}/x").destination("a.jpg", .jpeg) == "x/a.jpg")
    }

    @Test(
        "A component that no folder can have holds the document", arguments: [".{extension}", "{folder}{extension}."])
    func refused(template: String) throws {
        #expect(try Self.fixture(template).destination("README", .jpeg) == "name")
    }

    @Test("A component that becomes too long holds the document")
    func tooLong() throws {
        let fixture = try Self.fixture(String(repeating: "x", count: 250) + "{extension}")
        #expect(try fixture.destination("a.pages", .jpeg) == String(repeating: "x", count: 250) + "pages/a.pages")
        #expect(try fixture.destination("a.numbers", .jpeg) == "name")
        let named = try Self.fixture(String(repeating: "x", count: 254) + "{documentType}")
        #expect(try named.destination("a.pages", .jpeg) == "name")
    }

    @Test("A document whose destination becomes an Inbox, or lies in one, is held")
    func loops() throws {
        let fixture = try Self.fixture("{extension}")
        #expect(try fixture.destination("a.Inbox", .jpeg) == "loops")
        #expect(try fixture.destination("a.inbox", .jpeg) == "inbox/a.inbox")
        #expect(try fixture.destination("a.Inbox", .jpeg, in: ["x"]) == "loops")
        #expect(try RoutingFixture("").destination("a", .jpeg, in: ["Inbox"]) == "loops")
        let deep = try Self.fixture("{extension}/b", inbox: "Inbox=\nInbox=a/b /srv/b")
        #expect(try deep.destination("x.a", .jpeg) == "loops")
        #expect(try deep.destination("x.b", .jpeg) == "b/b/x.b")
        let absolute = try Self.fixture("/srv/{extension}", inbox: "Inbox=\nInbox=a/b /srv/b")
        #expect(try absolute.destination("x.b", .jpeg) == "loops")
        #expect(try absolute.destination("x.c", .jpeg) == "/srv/c/x.c")
    }

    @Test("An absolute destination has its literal beginning as a root of its own")
    func absolute() throws {
        let fixture = try Self.fixture("/srv/scans/{year}/x")
        #expect(fixture.rules.outerRoots == [BytePath("/srv/scans")])
        #expect(try fixture.destination("a", .jpeg, in: ["f"]).hasPrefix("/srv/scans/19") == true)
        #expect(try Self.fixture("~/Documents/x/{year}").rules.outerRoots == [])
    }

    @Test(
        "Mismatch of the document type goes before that of the Inbox",
        arguments: [
            ("", "", "a"), ("Mismatch=hold", "", "mismatch"), ("", "Mismatch=hold", "mismatch"),
            ("Mismatch=hold", "Mismatch=accept", "a"), ("Mismatch=accept", "Mismatch=hold", "mismatch"),
        ])
    func mismatch(inbox: String, entry: String, expected: String) throws {
        let fixture = try Self.fixture("", inbox: inbox, more: entry)
        #expect(try fixture.destination("a", .jpeg, mismatch: true) == expected)
        #expect(try fixture.destination("a", .jpeg, mismatch: false) == "a")
    }

    @Test("A document type that does not get the document has no say about its mismatch")
    func mismatchOfLoser() throws {
        let fixture = try RoutingFixture(
            "[DocumentType A]\nContentTypes=public.item\nMismatch=hold\n[DocumentType B]\nContentTypes=public.jpeg")
        #expect(try fixture.destination("a", .jpeg, mismatch: true) == "a")
        #expect(try fixture.destination("a", .png, mismatch: true) == "mismatch")
    }
}
