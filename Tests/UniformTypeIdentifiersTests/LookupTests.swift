import Testing
import UniformTypeIdentifiers

@Suite("Looking types up")
struct LookupTests {
    @Test(
        "An unknown identifier is no type",
        arguments: ["", "jpeg", "com.example.unknown", "public.", "dyn.", "ünï.cödé"])
    func unknownIdentifier(identifier: String) {
        #expect(UTType(identifier) == nil)
    }

    @Test("Identifiers and tags are compared without case")
    func withoutCase() {
        #expect(UTType("PUBLIC.jPEG") == .jpeg)
        #expect(UTType("PUBLIC.jPEG")?.identifier == "public.jpeg")
        #expect(UTType(filenameExtension: "JpG") == .jpeg)
        #expect(UTType(mimeType: "Image/JPEG") == .jpeg)
        #expect(UTType(filenameExtension: "XLV") == UTType(filenameExtension: "xlv"))
    }

    @Test(
        "An empty tag is no type",
        arguments: [UTTagClass.filenameExtension, .mimeType, UTTagClass(rawValue: "com.example.tag")])
    func emptyTag(tagClass: UTTagClass) {
        #expect(UTType(tag: "", tagClass: tagClass, conformingTo: nil) == nil)
        #expect(UTType.types(tag: "", tagClass: tagClass, conformingTo: .data).isEmpty)
    }

    @Test("A MIME type that is nothing but blanks and parameters is no type")
    func blankMIMEType() {
        #expect(UTType(mimeType: " \t") == nil)
        #expect(UTType(mimeType: "; charset=utf-8") == nil)
    }

    @Test(
        "Parameters and blanks of a MIME type are dropped",
        arguments: ["text/html; charset=utf-8", " text/html ", "text/html;q=1", "TEXT / HTML ;x"])
    func mimeParameters(mimeType: String) {
        #expect(UTType(mimeType: mimeType) == .html)
    }

    @Test("A tag that no type under the supertype has gives a dynamic type under it")
    func dynamicUnderSupertype() throws {
        let type = try #require(UTType(filenameExtension: "mov", conformingTo: .image))
        #expect(type.isDynamic)
        #expect(type.conforms(to: .image))
        #expect(type.conforms(to: .data))
        #expect(!type.conforms(to: .movie))
        #expect(type.preferredFilenameExtension == "mov")
        #expect(type.tags == [.filenameExtension: ["mov"]])
        #expect(UTType.types(tag: "mov", tagClass: .filenameExtension, conformingTo: .image) == [type])
    }

    @Test("The supertype chooses among the types that share a tag")
    func sharedTag() {
        #expect(UTType(filenameExtension: "mp4") == .mpeg4Movie)
        #expect(UTType(filenameExtension: "mp4", conformingTo: .audio) == .mpeg4Audio)
        #expect(
            UTType.types(tag: "mp4", tagClass: .filenameExtension, conformingTo: nil) == [.mpeg4Movie, .mpeg4Audio])
        #expect(UTType(filenameExtension: "app", conformingTo: .bundle) == .applicationBundle)
        #expect(UTType(filenameExtension: "app")?.identifier == "com.apple.application-file")
    }

    @Test("Folders are not found among data")
    func packages() {
        #expect(UTType(filenameExtension: "rtfd")?.isDynamic == true)
        #expect(UTType(filenameExtension: "rtfd", conformingTo: .package) == .rtfd)
        #expect(UTType(tag: "rtfd", tagClass: .filenameExtension, conformingTo: nil) == .rtfd)
    }

    @Test("A double extension is not declared as a whole")
    func doubleExtension() {
        #expect(UTType(filenameExtension: "tar.gz")?.isDynamic == true)
        #expect(UTType(filenameExtension: "gz") == .gzip)
    }

    @Test("An exported type that is not declared is placed under its parent, or under data")
    func exportedUndeclared() {
        let plain = UTType(exportedAs: "com.example.nothing")
        #expect(!plain.isDeclared && !plain.isDynamic && !plain.isPublic)
        #expect(plain.identifier == "com.example.nothing")
        #expect(plain.supertypes == [.data, .item])
        #expect(UTType(exportedAs: "com.example.nothing", conformingTo: .jpeg).conforms(to: .image))
        #expect(UTType(exportedAs: "public.jpeg") == .jpeg)
        #expect(UTType(exportedAs: "").identifier == "")
    }

    @Test("An imported type gives way to the preferred type of its preferred extension")
    func importedPreferred() {
        #expect(UTType(importedAs: "org.bzip.bzip2-archive") == .bz2)
        #expect(UTType(importedAs: "public.jpeg") == .jpeg)
        #expect(UTType(importedAs: "com.apple.application-bundle") == .applicationBundle)
        #expect(UTType(importedAs: "com.example.nothing", conformingTo: .text).conforms(to: .text))
    }

    @Test("Bytes of a name are looked up as they are, and what is not UTF-8 finds nothing")
    func bytes() {
        #expect(UTType.declared(filenameExtension: Array("JPeG".utf8).span) == .jpeg)
        #expect(UTType.declared(filenameExtension: Array("mov".utf8).span, conformingTo: .image) == nil)
        #expect(UTType.declared(filenameExtension: [UInt8]().span) == nil)
        #expect(UTType.declared(filenameExtension: [0x63, 0xE9].span) == nil)
        #expect(UTType.declared(mimeType: Array("application/PDF".utf8).span) == .pdf)
        #expect(UTType.declared(identifier: Array("Com.Adobe.PDF".utf8).span) == .pdf)
        #expect(UTType.declared(identifier: Array("com.example.nothing".utf8).span) == nil)
    }

    @Test(
        "What lands in a Linux user's inbox has its owner's identifier and MIME type",
        arguments: [
            ("odt", "org.oasis-open.opendocument.text", "application/vnd.oasis.opendocument.text"),
            ("ods", "org.oasis-open.opendocument.spreadsheet", "application/vnd.oasis.opendocument.spreadsheet"),
            ("epub", "org.idpf.epub-container", "application/epub+zip"),
            ("md", "net.daringfireball.markdown", "text/markdown"),
            ("markdown", "net.daringfireball.markdown", "text/markdown"),
            ("7z", "org.7-zip.7-zip-archive", "application/x-7z-compressed"),
            ("rar", "com.rarlab.rar-archive", "application/vnd.rar"),
            ("webm", "org.webmproject.webm", "video/webm"),
            ("mkv", "org.matroska.mkv", "video/matroska"),
            ("djvu", "com.lizardtech.djvu", "image/vnd.djvu"),
            ("torrent", "org.bittorrent.torrent", "application/x-bittorrent"),
            (
                "docx", "org.openxmlformats.wordprocessingml.document",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            ),
        ])
    func linux(filenameExtension: String, identifier: String, mimeType: String) throws {
        let type = try #require(UTType(filenameExtension: filenameExtension))
        #expect(type.identifier == identifier)
        #expect(type.preferredMIMEType == mimeType)
        #expect(UTType(mimeType: mimeType) == type)
    }
}
