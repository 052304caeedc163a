import FoundationEssentials
import Testing

@testable import UniformTypeIdentifiers

@Suite("Property lists")
struct PropertyListTests {
    /// As an application has it: with a DOCTYPE, a comment, entities, a single string for a list, and keys of other matters.
    static let infoPlist = #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <!-- not <looked> at -->
            <key>CFBundleVersion</key><string>12</string>
            <key>LSRequiresCarbon</key><true/>
            <key>NSDate</key><date>2020-01-01T00:00:00Z</date>
            <key>UTExportedTypeDeclarations</key>
            <array>
                <dict>
                    <key>UTTypeIdentifier</key><string>com.example.recipe</string>
                    <key>UTTypeConformsTo</key>
                    <array><string>public.json</string><string>public.content</string></array>
                    <key>UTTypeDescription</key><string>Bread &amp; <![CDATA[<cakes>]]> &#x263A;</string>
                    <key>UTTypeReferenceURL</key><string>https://example.com/recipe</string>
                    <key>UTTypeVersion</key><integer>0x2</integer>
                    <key>UTTypeTagSpecification</key>
                    <dict>
                        <key>public.filename-extension</key><array><string>recipe</string><string>rcp</string></array>
                        <key>public.mime-type</key><string>application/vnd.example.recipe</string>
                    </dict>
                </dict>
            </array>
            <key>UTImportedTypeDeclarations</key>
            <array>
                <dict>
                    <key>UTTypeIdentifier</key><string>com.example.other</string>
                    <key>UTTypeConformsTo</key><string>public.data</string>
                    <key>UTTypeVersion</key><string>1.5</string>
                </dict>
            </array>
            <key>CFBundleDocumentTypes</key>
            <array>
                <dict>
                    <key>CFBundleTypeName</key><string>Recipes</string>
                    <key>LSHandlerRank</key><string>Owner</string>
                    <key>LSItemContentTypes</key><array><string>com.example.recipe</string></array>
                </dict>
                <dict>
                    <key>CFBundleTypeExtensions</key><array><string>*</string></array>
                    <key>CFBundleTypeMIMETypes</key><array><string>text/plain</string></array>
                </dict>
            </array>
        </dict>
        </plist>
        """#

    private func check(_ declarations: PropertyListDeclarations, label: String) {
        #expect(declarations.problems.isEmpty)
        #expect(
            declarations.types == [
                UTTypeDeclaration(
                    identifier: "com.example.recipe", conformsTo: ["public.json", "public.content"],
                    description: "Bread & <cakes> ☺",
                    tags: [
                        .filenameExtension: ["recipe", "rcp"], .mimeType: ["application/vnd.example.recipe"],
                    ],
                    version: 2, referenceURL: URL(string: "https://example.com/recipe"), kind: .exported,
                    origin: "\(label): UTExportedTypeDeclarations[0]"),
                UTTypeDeclaration(
                    identifier: "com.example.other", conformsTo: ["public.data"], version: 1, kind: .imported,
                    origin: "\(label): UTImportedTypeDeclarations[0]"),
            ])
        #expect(
            declarations.documentTypes == [
                DocumentTypeDeclaration(
                    name: "Recipes", contentTypes: ["com.example.recipe"], rank: .owner,
                    origin: "\(label): CFBundleDocumentTypes[0]"),
                DocumentTypeDeclaration(
                    filenameExtensions: ["*"], mimeTypes: ["text/plain"], rank: .default,
                    origin: "\(label): CFBundleDocumentTypes[1]"),
            ])
    }

    @Test("An application's Info.plist is read as it is")
    func xml() throws {
        check(try PropertyListDeclarations(Array(Self.infoPlist.utf8), label: "Info.plist"), label: "Info.plist")
        let marked = [0xEF, 0xBB, 0xBF] + Array(Self.infoPlist.utf8)
        check(try PropertyListDeclarations(marked, label: "a"), label: "a")
    }

    @Test("The binary form says the same")
    func binary() throws {
        check(try PropertyListDeclarations(try Self.binaryPlist(), label: "b.plist"), label: "b.plist")
    }

    static func binaryPlist() throws -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return Array(try encoder.encode(Encoded(try PropertyList(Array(infoPlist.utf8)))))
    }

    @Test("Both forms of every kind of value agree with the system's encoder")
    func values() throws {
        let long = String(repeating: "long ", count: 100)
        let value = PropertyList.dictionary([
            "": .string(""), "ascii": .string(long), "unicode": .string("文書 🙂 \(long)"), "zero": .integer(0),
            "negative": .integer(-5), "byte": .integer(200), "word": .integer(40_000), "large": .integer(1 << 40),
            "least": .integer(.min), "yes": .boolean(true), "no": .boolean(false), "empty": .array([]),
            "none": .dictionary([:]), "many": .array((0..<300).map { .integer($0) }),
        ])
        for format in [PropertyListDecoder.PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            #expect(try PropertyList(Array(encoder.encode(Encoded(value)))) == value)
        }
    }

    @Test("An entry of the wrong form is left out; the message names file, entry and rule")
    func malformedEntries() throws {
        let plist = """
            <plist><dict>
            <key>UTExportedTypeDeclarations</key><array>
              <string>x</string>
              <dict><key>UTTypeConformsTo</key><string>public.data</string></dict>
              <dict><key>UTTypeIdentifier</key><string>com.exam_ple.x</string></dict>
              <dict><key>UTTypeIdentifier</key><string>com.example.kept</string>
                <key>UTTypeConformsTo</key><array><integer>1</integer><string>public.data</string></array>
                <key>UTTypeTagSpecification</key><string>x</string>
                <key>UTTypeDescription</key><array/></dict>
            </array>
            <key>UTImportedTypeDeclarations</key><dict/>
            <key>CFBundleDocumentTypes</key><array><dict><key>LSHandlerRank</key><string>owner</string></dict></array>
            </dict></plist>
            """
        let declarations = try PropertyListDeclarations(Array(plist.utf8), label: "bad.plist")
        #expect(declarations.types.map(\.identifier) == ["com.example.kept"])
        #expect(declarations.types.first?.conformsTo == ["public.data"])
        #expect(declarations.documentTypes.map(\.rank) == [.default])
        let lines = declarations.problems.map(\.description)
        #expect(lines.count == 8)
        #expect(lines.first == "bad.plist: UTExportedTypeDeclarations[0]: the entry must be a dictionary")
        #expect(
            lines.contains { $0.hasPrefix("bad.plist: UTExportedTypeDeclarations[2]: com.exam_ple.x: the identifier") })
        #expect(lines.contains("bad.plist: UTImportedTypeDeclarations: it must be an array"))
    }

    @Test(
        "What is no property list is refused, with the line",
        arguments: [
            ("", "a:1: it is no property list"), ("hello", "a:1: there is text outside a value"),
            ("<plist>\n<dict>", "a:2: the property list is cut off"),
            ("<html/>", "a:1: it is no property list: <html> is where <plist> must be"),
            ("<plist>\n\n<dict><key>a</key></dict></plist>", "a:3: the key \"a\" has no value"),
            ("<plist><dict><string>a</string></dict></plist>", "a:1: a value in a dictionary has no key"),
            ("<plist><array></dict></plist>", "a:1: </dict> ends what did not begin"),
            ("<plist><string>&bomb;</string></plist>", "a:1: the entity \"bomb\" is not known"),
            ("<plist><string>a<b/></string></plist>", "a:1: a tag is inside <string>"),
            ("<plist><array/></plist>", "a: the property list is no dictionary"),
            ("<plist><dict/><dict/></plist>", "a:1: there is more than one value"),
            ("<plist></plist>", "a:1: the property list is empty"),
            ("bplist00", "a: the binary property list is cut off or of an unknown version"),
        ])
    func refused(text: String, message: String) {
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListDeclarations(Array(text.utf8), label: "a")
        }
        #expect(error?.description == message)
    }
}

/// A property list for the system's encoder.
private struct Encoded: Encodable {
    let value: PropertyList

    init(_ value: PropertyList) {
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .string(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .boolean(let flag): try container.encode(flag)
        case .other: try container.encode(Date(timeIntervalSinceReferenceDate: 0))
        case .array(let elements): try container.encode(elements.map(Encoded.init))
        case .dictionary(let entries): try container.encode(entries.mapValues(Encoded.init))
        }
    }
}
