import FoundationEssentials
import Testing

@testable import UniformTypeIdentifiers

@Suite("What a type says of itself")
struct PropertyTests {
    @Test("Types high in the tree have no extension", arguments: [UTType.image, .data, .item, .text, .audio, .archive])
    func highInTheTree(type: UTType) {
        #expect(type.preferredFilenameExtension == nil)
        #expect(type.isDeclared && !type.isDynamic && type.isPublic)
    }

    @Test("The first tag is the preferred one")
    func preferred() {
        for (_, type) in constants {
            #expect(type.preferredFilenameExtension == type.tags[.filenameExtension]?.first)
            #expect(type.preferredMIMEType == type.tags[.mimeType]?.first)
        }
        #expect(UTType.jpeg.preferredFilenameExtension == "jpeg")
        #expect(UTType.jpeg.tags[.filenameExtension]?.contains("jpg") == true)
    }

    @Test("Every built-in declaration is well formed, in lower case and described")
    func builtIn() {
        let catalogue = Catalogue.builtIn
        for row in catalogue.types.rows.indices {
            let type = UTType(catalogue: catalogue, row: row)
            let identifier = type.identifier
            #expect(UTTypeDeclaration.syntaxError(in: identifier) == nil, "\(identifier)")
            #expect(identifier == identifier.lowercased())
            #expect(type.ownDescription?.isEmpty == false, "\(identifier)")
            // Not `type.tags`, to which another suite adds at this moment.
            for (tagClass, texts) in [
                (UTTagClass.filenameExtension, catalogue.texts(catalogue.types.rows[row].extensions)),
                (.mimeType, catalogue.texts(catalogue.types.rows[row].mimeTypes)),
            ] {
                #expect(Set(texts).count == texts.count, "\(identifier)")
                for text in texts {
                    #expect(text == text.lowercased(), "\(identifier)")
                    #expect(UTTypeDeclaration.syntaxError(inTag: text, of: tagClass) == nil, "\(identifier): \(text)")
                }
            }
            #expect(UTType(identifier) == type)
        }
    }

    @Test("Every type and tag that the text names is there, and no type twice")
    func entries() throws {
        let entries = try lines(of: "../../Sources/CUniformTypeData/declarations.txt").filter { !$0.hasPrefix("#") }
        // Built-in types come first, whatever another suite declares at this moment.
        let types = UTType.allDeclared.prefix(entries.count)
        #expect(entries.map { String($0.prefix { $0 != " " }) } == types.map(\.identifier))
        #expect(Catalogue.builtIn.types.rows.count == entries.count)
        let catalogue = Catalogue.builtIn
        for (row, entry) in zip(catalogue.types.rows, entries) {
            let words = entry.prefix { $0 != "\"" }.split(separator: " ").dropFirst().map(String.init)
            let extensions = words.filter { $0.hasPrefix(".") }.map { String($0.dropFirst()) }
            #expect(catalogue.texts(row.extensions) == extensions, "\(entry)")
            #expect(catalogue.texts(row.mimeTypes) == words.filter { $0.contains("/") }, "\(entry)")
            #expect(row.parents.count == words.count { $0.first != "." && $0 != "<" && !$0.contains("/") }, "\(entry)")
        }
        #expect(Set(types).count == types.count)
    }

    @Test("A type without a description takes the nearest supertype's")
    func inheritedDescription() throws {
        let bare = UTTypeDeclaration(identifier: "com.example.bare", conformsTo: ["com.example.barer", "public.jpeg"])
        let barer = UTTypeDeclaration(identifier: "com.example.barer", conformsTo: ["public.png"])
        let catalogue = try #require(OwnDeclarations.resolve([bare, barer]).catalogue)
        #expect(UTType("com.example.bare", in: catalogue)?.localizedDescription == UTType.jpeg.localizedDescription)
        #expect(UTType("com.example.barer", in: catalogue)?.localizedDescription == UTType.png.localizedDescription)
    }

    @Test("Dynamic types have no description and are never public")
    func dynamic() throws {
        let type = try #require(UTType(filenameExtension: "xlv", conformingTo: .image))
        #expect(type.localizedDescription == nil)
        #expect(!type.isPublic && !type.isDeclared)
        #expect(type.version == nil && type.referenceURL == nil)
    }

    @Test("Equality, hash and descriptions go by the identifier")
    func identity() throws {
        let lower = UTType(exportedAs: "com.example.nothing")
        let upper = UTType(exportedAs: "COM.Example.Nothing")
        #expect(lower == upper && lower.hashValue == upper.hashValue)
        #expect(Set([UTType.jpeg, .png, .jpeg, lower, upper]).count == 3)
        #expect("\(UTType.jpeg)" == "public.jpeg")
        #expect(String(reflecting: UTType.jpeg) == "<UTType: public.jpeg (declared)>")
        #expect(String(reflecting: lower) == "<UTType: com.example.nothing (not declared)>")
    }

    @Test("A type is encoded as its identifier alone")
    func codable() throws {
        let types = [UTType.jpeg, try #require(UTType(filenameExtension: "xlv"))]
        let data = try JSONEncoder().encode(types)
        #expect(String(decoding: data, as: UTF8.self) == #"["public.jpeg","dyn.ah62d4rv4ge81u5d0"]"#)
        #expect(try JSONDecoder().decode([UTType].self, from: data) == types)
        let classes = [UTTagClass.mimeType, UTTagClass(rawValue: "com.example.tag")]
        let encoded = try JSONEncoder().encode(classes)
        #expect(String(decoding: encoded, as: UTF8.self) == #"["public.mime-type","com.example.tag"]"#)
        #expect(try JSONDecoder().decode([UTTagClass].self, from: encoded) == classes)
    }

    @Test(
        "An identifier that is unknown or malformed does not decode",
        arguments: [#""com.example.nothing""#, #""dyn.a!""#, #""""#, "1", "null", #"{"identifier":"public.jpeg"}"#])
    func undecodable(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([UTType].self, from: Data("[\(json)]".utf8))
        }
    }

    @Test("URLs get the extension of a type, unless they have one of its extensions")
    func urls() throws {
        let folder = try #require(URL(string: "file:///documents/"))
        #expect(folder.appendingPathComponent("scan", conformingTo: .jpeg).path() == "/documents/scan.jpeg")
        #expect(folder.appendingPathComponent("scan.JPG", conformingTo: .jpeg).path() == "/documents/scan.JPG")
        #expect(folder.appendingPathComponent("scan.png", conformingTo: .jpeg).path() == "/documents/scan.png.jpeg")
        #expect(folder.appendingPathComponent("scan", conformingTo: .image).path() == "/documents/scan")
        #expect(folder.appendingPathComponent("run.bash", conformingTo: .shellScript).path() == "/documents/run.bash")
        #expect(folder.appendingPathComponent(".profile", conformingTo: .log).path() == "/documents/.profile")
        let dynamic = try #require(UTType(filenameExtension: "xlv"))
        #expect(folder.appendingPathComponent("a.XLV", conformingTo: dynamic).path() == "/documents/a.XLV")
        #expect(folder.appendingPathComponent("a.png", conformingTo: dynamic).path() == "/documents/a.png.xlv")
        #expect(folder.appendingPathComponent("notes", conformingTo: .rtfd).path() == "/documents/notes.rtfd/")
        var url = try #require(URL(string: "file:///documents/scan"))
        url.appendPathExtension(for: .pdf)
        #expect(url.path() == "/documents/scan.pdf")
        url.appendPathExtension(for: .pdf)
        #expect(url.path() == "/documents/scan.pdf")
        var parent = folder
        parent.appendPathComponent("a", conformingTo: .png)
        #expect(parent.path() == "/documents/a.png")
    }
}
