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
        for row in catalogue.rows.indices {
            let type = UTType(catalogue: catalogue, row: row)
            let identifier = type.identifier
            #expect(UTTypeDeclaration.syntaxError(in: identifier) == nil, "\(identifier)")
            #expect(identifier == identifier.lowercased())
            #expect(type.ownDescription?.isEmpty == false, "\(identifier)")
            // Not `type.tags`, to which another suite adds at this moment.
            for (tagClass, texts) in [
                (UTTagClass.filenameExtension, catalogue.texts(catalogue.rows[row].extensions)),
                (.mimeType, catalogue.texts(catalogue.rows[row].mimeTypes)),
            ] {
                #expect(Set(texts).count == texts.count, "\(identifier)")
                for text in texts {
                    #expect(text == text.lowercased(), "\(identifier)")
                    #expect(UTTypeDeclaration.error(inTag: text, of: tagClass) == nil, "\(identifier): \(text)")
                }
            }
            #expect(UTType(identifier) == type)
        }
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
