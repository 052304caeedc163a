import InboxLinux
import Testing

@testable import InboxConfiguration

@Suite("Document types in the configuration")
struct DocumentTypeTests {
    private static let plists = "/home/u/.config/inboxd/types.d"

    @Test("A section says which documents it accepts, where they go, and what handles them")
    func section() throws {
        let configuration = try ConfigurationFixture(
            """
            [DocumentType My Photos]
            ContentTypes=public.image
            ContentTypes=com.adobe.pdf
            Names=IMG_* "DSC *"
            Rank=Owner
            Destination=Pictures/{year}/{month}
            Mismatch=hold
            Run=/usr/bin/handler --in {path} '' {} "a b"
            RunTimeout=1min
            RunRetries=0
            RunConcurrency=2
            """
        ).configuration()
        let entry = try #require(configuration.documentTypes.first)
        #expect(configuration.documentTypes.count == 1)
        #expect(entry.name == "My Photos")
        #expect(texts(entry.settings.contentTypes) == ["public.image", "com.adobe.pdf"])
        #expect(texts(entry.settings.names) == ["IMG_*", "DSC *"])
        #expect(entry.settings.rank == .owner)
        #expect(entry.settings.mismatch == .hold)
        #expect(
            entry.settings.destination.components == [
                [.literal(raw("Pictures"))],
                [.value([TemplatePiece.Alternative(source: .placeholder(.year), letters: nil)])],
                [.value([TemplatePiece.Alternative(source: .placeholder(.month), letters: nil)])],
            ])
        #expect(
            entry.settings.run?.arguments == [
                [.literal(raw("/usr/bin/handler"))], [.literal(raw("--in"))], [.placeholder(.path)], [],
                [.literal(raw("{}"))], [.literal(raw("a b"))],
            ])
        #expect(entry.settings.runTimeout == .seconds(60))
        #expect(entry.settings.runRetries == 0)
        #expect(entry.settings.runConcurrency == 2)
    }

    @Test("What a section does not say has its default")
    func defaults() throws {
        let configuration = try ConfigurationFixture("[DocumentType A]\nContentTypes=public.item").configuration()
        let settings = try #require(configuration.documentTypes.first?.settings)
        var usual = DocumentTypeSettings()
        usual.contentTypes = [raw("public.item")]
        #expect(settings == usual)
        #expect(usual.rank == .default)
        #expect(usual.destination.components.isEmpty)
        #expect(usual.mismatch == nil && usual.run == nil)
        #expect(usual.runTimeout == .seconds(300) && usual.runRetries == 15 && usual.runConcurrency == 1)
    }

    @Test(
        "A mistake in a document type is reported with its line",
        arguments: [
            (
                "ContentTypes=public.imgae",
                "conf:2: ContentTypes: \"public.imgae\" is no known type; did you mean public.image?"
            ),
            (
                "ContentTypes=public.image\nContentTypes=org.x",
                "conf:3: ContentTypes: \"org.x\" is no known type; the nearest known one is "
            ),
            ("ContentTypes=jpeg", "conf:2: ContentTypes: \"jpeg\" is not an identifier: "),
            (
                "ContentTypes=public.image\nRank=owner",
                "conf:3: Rank: \"owner\" is none of First, Owner, Default, Alternate, None; "
                    + "did you mean Owner?"
            ),
            (
                "ContentTypes=public.image\nDestination=a/{yaer}",
                "conf:3: Destination: {yaer} is no placeholder; did you mean {year}?"
            ),
            (
                "ContentTypes=public.image\nDestination=a/{x y z}",
                "conf:3: Destination: {x y z} is no placeholder; there are {year} "
            ),
            ("ContentTypes=public.image\nDestination={}", "conf:3: Destination: {} is no placeholder"),
            (
                "ContentTypes=public.image\nDestination=a{year",
                "conf:3: Destination: \"a{year\" has a \"{\" without its \"}\""
            ),
            (
                "ContentTypes=public.image\nDestination=year}",
                "conf:3: Destination: \"year}\" has a \"}\" without its \"{\""
            ),
            (
                "ContentTypes=public.image\nDestination=a/../b",
                "conf:3: Destination: \"a/../b\" has a \"..\"; write the path without it"
            ),
            (
                "ContentTypes=public.image\nDestination=./b",
                "conf:3: Destination: \"./b\" has a \".\"; write the path without it"
            ),
            (
                "ContentTypes=public.image\nDestination=/{year}",
                "conf:3: Destination: \"/{year}\" is absolute, so that it needs the "
                    + "name of a folder before any placeholder"
            ),
            (
                "ContentTypes=public.image\nDestination=~other/x",
                "conf:3: Destination: \"~other\": only ~ and ~/… are known; "
            ),
            (
                "ContentTypes=public.image\nDestination=Inbox",
                "conf:3: Destination: /home/u/Documents/Inbox is the Inbox itself: "
                    + "documents would never leave it"
            ),
            (
                "ContentTypes=public.image\nDestination=Inbox/{year}",
                "conf:3: Destination: /home/u/Documents/Inbox is the Inbox itself"
            ),
            (
                "ContentTypes=public.image\nDestination=/home/u/Documents//Inbox/a/{year}",
                "conf:3: Destination: /home/u/Documents/Inbox/a lies inside Inbox /home/u/Documents/Inbox"
            ),
            (
                "ContentTypes=public.image\nRun=ocr {path}",
                "conf:3: Run: \"ocr\" is not an absolute path; there is no shell"
            ),
            (
                "ContentTypes=public.image\nRun=/bin/ocr {paht}",
                "conf:3: Run: {paht} is no placeholder; did you mean {path}?"
            ),
            ("ContentTypes=public.image\nRunTimeout=0", "conf:3: RunTimeout: \"0\" is out of range"),
            ("ContentTypes=public.image\nRunConcurrency=0", "conf:3: RunConcurrency: \"0\" is out of range: 1 to 64"),
            ("ContentTypes=public.image\nMismach=hold", "conf:3: unknown key \"Mismach\"; did you mean Mismatch?"),
        ])
    func mistakes(body: String, problem: String) {
        let problems = ConfigurationFixture("[DocumentType A]\n\(body)").problems
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.hasPrefix(problem) == true, "\(problems)")
    }

    @Test(
        "A name has to be one that a folder could have",
        arguments: [
            ("[DocumentType]", "conf:1: [DocumentType] needs a name: [DocumentType NAME]"),
            ("[DocumentType a/b]", "conf:1: [DocumentType NAME]: \"a/b\" could not be the name of a folder"),
            ("[DocumentType ..]", "conf:1: [DocumentType NAME]: \"..\" could not be the name of a folder"),
        ])
    func names(header: String, problem: String) {
        let problems = ConfigurationFixture("\(header)\nContentTypes=public.image").problems
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.hasPrefix(problem) == true, "\(problems)")
    }

    @Test("Two sections of one name in a file are a mistake; a later file and an option change the entry")
    func twice() throws {
        let first = "[DocumentType A]\nContentTypes=public.image\nDestination=x\n"
        #expect(
            ConfigurationFixture(first + "[DocumentType A]\nDestination=y").problems == [
                "conf:4: [DocumentType \"A\"] is there already (/home/u/.config/inboxd/inboxd.conf:1)"
            ])
        var fixture = ConfigurationFixture(first)
        fixture.files["/home/u/.config/inboxd/inboxd.conf.d/a.conf"] = raw("[DocumentType A]\nDestination=y\n")
        fixture.options.assignments = [raw("DocumentType A.Rank=Alternate")]
        let entry = try #require(try fixture.configuration().documentTypes.first)
        #expect(entry.settings.destination.literalNames.map(\.description) == ["y"])
        #expect(entry.settings.rank == .alternate)
    }

    @Test("A destination is relative to Documents, absolute, or begins at home; one that lies in Documents is relative")
    func destinations() throws {
        func template(_ text: String) throws -> DestinationTemplate {
            let fixture = ConfigurationFixture("[DocumentType A]\nContentTypes=public.image\nDestination=\(text)")
            return try #require(try fixture.configuration().documentTypes.first).settings.destination
        }
        let relative = try template("a//b/{year}/")
        #expect(!relative.isAbsolute)
        #expect(relative.literalNames.map(\.description) == ["a", "b"])
        #expect(relative.components.count == 3)
        let absolute = try template("/srv/b/{year}")
        #expect(absolute.isAbsolute)
        #expect(absolute.literalNames.map(\.description) == ["srv", "b"])
        let home = try template("~/Pictures/{year}")
        #expect(home.isAbsolute)
        #expect(home.literalNames.map(\.description) == ["home", "u", "Pictures"])
        let inside = try template("~/Documents/Pictures/{year}")
        #expect(!inside.isAbsolute)
        #expect(inside.literalNames.map(\.description) == ["Pictures"])
        #expect(try template("{extension}/x").isAbsolute == false)
        #expect(try template("/home/u/Documents").components.isEmpty)
    }

    @Test("A type that a section or a property list declares can be accepted, in any case of letters")
    func declared() throws {
        var fixture = ConfigurationFixture(
            "[Type com.example.invoice]\nConformsTo=com.adobe.pdf\n"
                + "[DocumentType A]\nContentTypes=COM.example.invoice Public.Image b.b")
        fixture.files["\(Self.plists)/a.plist"] = raw(
            "<plist><dict><key>UTExportedTypeDeclarations</key><array><dict><key>UTTypeIdentifier</key>"
                + "<string>b.b</string><key>UTTypeConformsTo</key><string>public.data</string></dict></array></dict></plist>"
        )
        #expect(fixture.problems == [])
    }

    @Test("Property lists add document types after the sections, by file and entry; what nobody knows is left out")
    func propertyLists() throws {
        var fixture = ConfigurationFixture("[DocumentType Z]\nContentTypes=public.item")
        func list(_ entries: String) -> [UInt8] {
            raw("<plist><dict><key>CFBundleDocumentTypes</key><array>\(entries)</array></dict></plist>")
        }
        fixture.files["\(Self.plists)/b.plist"] = list(
            "<dict><key>LSItemContentTypes</key><array><string>public.image</string></array></dict>")
        fixture.files["\(Self.plists)/a.plist"] = list(
            "<dict><key>CFBundleTypeName</key><string>Scan</string><key>LSItemContentTypes</key><array>"
                + "<string>com.adobe.pdf</string><string>no.such</string></array><key>LSHandlerRank</key>"
                + "<string>None</string></dict>\n<dict><key>CFBundleTypeName</key><string>Nothing</string></dict>")
        let types = try fixture.configuration().documentTypes
        #expect(types.map(\.name) == ["Z", "Scan", "public.image"])
        #expect(types.map(\.settings.rank) == [.default, .none, .default])
        #expect(texts(types[1].settings.contentTypes) == ["com.adobe.pdf"])
        #expect(types.map(\.isFromPropertyList) == [false, true, true])
        let notices = fixture.notices
        #expect(notices.count == 2, "\(notices)")
        #expect(
            notices.first?.hasPrefix(
                "\(Self.plists)/a.plist:1: CFBundleDocumentTypes[0]: LSItemContentTypes: \"no.such\" is no known type")
                == true)
        #expect(
            notices.last
                == "\(Self.plists)/a.plist:2: CFBundleDocumentTypes[1] has no known LSItemContentTypes, so that it accepts nothing"
        )
    }

    @Test("Two document types of one name in property lists are a notice at the later one")
    func sameNames() {
        var fixture = ConfigurationFixture()
        for (file, type) in [("a", "public.image"), ("b", "public.text")] {
            fixture.files["\(Self.plists)/\(file).plist"] = raw(
                "<plist><dict><key>CFBundleDocumentTypes</key><array><dict><key>CFBundleTypeName</key><string>Scan</string>"
                    + "<key>LSItemContentTypes</key><array><string>\(type)</string></array></dict></array></dict></plist>"
            )
        }
        let words = "CFBundleDocumentTypes[0]: another document type is called \"Scan\" too (\(Self.plists)/a.plist:1)"
        #expect(fixture.notices == ["\(Self.plists)/b.plist:1: \(words)"])
    }

    @Test("What is printed can be read back as the same document types")
    func printed() throws {
        let text = """
            [DocumentType My Photos]
            ContentTypes=public.image com.adobe.pdf
            Names="a b*" c\\x20d
            Rank=None
            Destination="~/Fotos {year}/{type}"
            Run=/bin/x '' "a b" {name}
            RunTimeout=infinity
            RunRetries=7

            [DocumentType Other]
            ContentTypes=public.item
            """
        let first = try ConfigurationFixture(text).configuration()
        let second = try ConfigurationFixture(first.text).configuration()
        #expect(first.documentTypes.map(\.settings) == second.documentTypes.map(\.settings))
        #expect(first.documentTypes.map(\.name) == second.documentTypes.map(\.name))
        #expect(first.documentTypes.map(\.name) == ["My Photos", "Other"])
    }
}
