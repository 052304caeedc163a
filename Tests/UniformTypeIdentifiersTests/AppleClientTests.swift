import Testing
import UniformTypeIdentifiers

@Suite("Source written for Apple's framework")
struct AppleClientTests {
    private let importer: DocumentImporter

    init() throws {
        importer = DocumentImporter(folder: try #require(URL(string: "file:///documents/")))
    }

    private func url(_ name: String) throws -> URL {
        try #require(URL(string: "file:///inbox/\(name)"))
    }

    @Test("A document is taken by what its type conforms to")
    func conformance() throws {
        #expect(try importer.contentType(of: url("a.HEIC")) == .heic)
        #expect(try importer.contentType(of: url("a.swift")) == .swiftSource)
        #expect(throws: ImportError.unsupported(.zip)) { try importer.contentType(of: url("a.zip")) }
        #expect(throws: ImportError.unknown("README")) { try importer.contentType(of: url("README")) }
        #expect(importer.symbolName(for: .dng) == "photo")
        #expect(importer.symbolName(for: .mpeg4Movie) == "film")
        #expect(importer.symbolName(for: .markdown) == "doc.text")
        #expect(importer.symbolName(for: .recipe) == "doc.text")
        #expect(importer.symbolName(for: try #require(UTType(filenameExtension: "xlv"))) == "questionmark")
        #expect(importer.grouped([.png, .gif, .pdf]) == ["photo": [.gif, .png], "doc.richtext": [.pdf]])
    }

    @Test("Names get the extension of their type")
    func names() throws {
        #expect(importer.destination(for: "scan", as: .tiff).lastPathComponent == "scan.tiff")
        #expect(importer.exported(try url("a.tiff"), as: .pdf).lastPathComponent == "a.pdf")
    }

    @Test("MIME types, descriptions, tags and identifiers read as documented")
    func properties() throws {
        #expect(importer.acceptHeader() == "text/plain, text/rtf, text/html, application/pdf")
        #expect(importer.menuTitle(for: .pdf) == "PDF document")
        #expect(importer.menuTitle(for: try #require(UTType(filenameExtension: "xlv"))) == "XLV")
        #expect(importer.menuTitle(for: .sketch) == "com.example.sketch")
        let details = importer.details(of: .jpeg)
        #expect(details.prefix(2) == ["public.jpeg", "4 supertypes"])
        #expect(details.suffix(2) == ["public", "declared"])
        #expect(importer.candidates(forExtension: "mp4") == [.mpeg4Movie, .mpeg4Audio])
        #expect(importer.ownTag("anything")?.isDynamic == true)
    }

    @Test("An attachment keeps its type through a coder")
    func coding() throws {
        let attachment = try importer.attachment(named: "a", mimeType: "text/html; charset=utf-8")
        #expect(attachment.contentType == .html)
        #expect(try importer.roundTrip(attachment) == attachment)
    }
}
