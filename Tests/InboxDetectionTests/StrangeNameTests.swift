import Glibc
import InboxLinux
import InboxTestSupport
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// Names that mean several things, names that a general container must not overrule, and names that lie.
@Suite("Strange names")
struct StrangeNameTests {
    private let detector = Detector(places: .none)

    private func detect(_ name: String, _ bytes: [UInt8]) throws -> Detection {
        let name = try #require(FileName(name))
        return bytes.withUnsafeBytes { detector.detect(name, content: $0) }
    }

    @Test(
        "Text under an extension that also belongs to a binary format is the text format",
        arguments: [
            ("app.ts", "text/x-typescript"), ("app.mts", "text/x-typescript"), ("go.mod", "text/x-go-mod"),
            ("graph.dot", "text/vnd.graphviz"), ("tune.abc", "text/vnd.abc"), ("run.exs", "text/x-elixir"),
            ("refs.enw", "application/x-endnote-refer"), ("table.dif", "text/x-dif"), ("run.bat", "application/x-bat"),
            ("main.vb", "text/x-vb"), ("protein.pdb", "chemical/x-pdb"),
        ])
    func text(name: String, mime: String) throws {
        let found = try detect(name, Array("first line\nsecond line\n".utf8))
        #expect(found.mime == mime)
        #expect(!found.mismatch)
    }

    @Test(
        "Text under an extension that is declared for something else has the text's type, not a mixture of both",
        arguments: [("run.exs", "com.apple.logic.exs"), ("app.ts", "public.mpeg-2-transport-stream")])
    func noMixture(name: String, other: String) throws {
        let name = try #require(FileName(name))
        for detector in [detector, Detector(places: .standard)] {
            let found = Array("first line\nsecond line\n".utf8).withUnsafeBytes { detector.detect(name, content: $0) }
            #expect(found.type.identifier != other)
            #expect(found.type.conforms(to: .text))
            #expect(!found.mismatch)
        }
    }

    @Test("An extension that any program uses for its own files is not contradicted", arguments: ["dat", "fit", "old"])
    func anything(tag: String) throws {
        let name = try #require(FileName("a." + tag))
        for detector in [detector, Detector(places: .standard)] {
            for text in ["1 2 3\n4 5 6\n", "%PDF-1.7\n"] {
                #expect(Array(text.utf8).withUnsafeBytes { !detector.detect(name, content: $0).mismatch })
            }
        }
    }

    @Test("A name that only lists of names know is not contradicted by a general container")
    func unstudied() throws {
        let folder = try TemporaryFolder()
        let list = folder.path + "/mime.types"
        try #require(fopen(list, "w").map { fputs("application/x-unheard-of\tunheard\n", $0) + fclose($0) } != nil)
        let detector = Detector(places: MIMEDatabasePlaces(dataFolders: [], mimeTypes: BytePath(list)))
        let name = try #require(FileName("a.unheard"))
        let xml = Array("<?xml version=\"1.0\"?><a/>".utf8)
        for bytes in [xml, Build.zip([("a.txt", "a")]), SampleText.bytes("'SQLite format 3'00")] {
            let found = bytes.withUnsafeBytes { detector.detect(name, content: $0) }
            #expect(found.mime == "application/x-unheard-of")
            #expect(!found.mismatch)
        }
        let picture = SampleText.bytes("89'PNG'0D0A1A0A 0000000D'IHDR'")
        #expect(picture.withUnsafeBytes { detector.detect(name, content: $0) }.mismatch)
    }

    @Test("One message with an envelope line is a message, also where the database takes that line for a mailbox")
    func oneMessage() {
        let text = "From a@b Mon Jan  1 00:00:00 2024\nReturn-Path: <a@b>\nFrom: a\nSubject: s\n\nbody\n"
        for detector in [detector, Detector(places: .standard)] {
            #expect(Array(text.utf8).withUnsafeBytes { detector.detect(nil, content: $0).mime } == "message/rfc822")
        }
    }

    @Test(
        "A general container does not overrule the name of a format that is kept in it",
        arguments: [
            ("a.webloc", "bplist00", "com.apple.web-internet-location"),
            ("a.webarchive", "bplist00", "com.apple.webarchive"),
            ("a.mobileconfig", "<?xml version=\"1.0\"?><plist version=\"1.0\"/>", "com.apple.mobileconfig"),
            ("a.webloc", "<?xml version=\"1.0\"?><plist version=\"1.0\"/>", "com.apple.web-internet-location"),
            ("a.webarchive", "<?xml version=\"1.0\"?><plist version=\"1.0\"/>", "com.apple.webarchive"),
            ("a.mobileconfig", "bplist00", "com.apple.mobileconfig"),
            ("a.ai", "%!PS-Adobe-3.0 EPSF-3.0\n", "com.adobe.illustrator.ai-image"),
            ("a.html", "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"/>", "public.html"),
            ("a.mnc", "\u{89}HDF", "ca.mcgill.mni.bic.mnc"),
            ("a.xfdf", "<?xml version=\"1.0\"?><xfdf/>", "com.adobe.xfdf"),
        ])
    func carried(name: String, text: String, identifier: String) throws {
        let bytes = name == "a.mnc" ? SampleText.bytes("89'HDF'0D0A1A0A") : Array(text.utf8)
        let found = try detect(name, bytes)
        #expect(found.type.identifier == identifier)
        #expect(!found.mismatch)
    }

    @Test("A password-protected document is of the kind that its name says", arguments: ["docx", "xlsx", "pptx"])
    func protected(tag: String) throws {
        let found = try detect("a." + tag, Build.compound(["EncryptedPackage", "EncryptionInfo"]))
        #expect(found.type == UTType(filenameExtension: tag))
        #expect(!found.mismatch)
    }

    @Test(
        "An archive without the parts of a document under a document's name is identified as what it is",
        arguments: ["docx", "odt", "epub"])
    func bareArchive(tag: String) throws {
        for bytes in [Build.zip([("a.txt", "a")]), SampleText.bytes("'PK'0506 *18")] {
            let found = try detect("a." + tag, bytes)
            #expect(found.type == .zip)
            #expect(found.mismatch)
        }
    }

    @Test("A document with macros under a name without them is identified as what it is")
    func macros() throws {
        let bytes = BuiltSamples.packages.first { $0.name == "sample.docm" }?.bytes ?? []
        #expect(try detect("a.docx", bytes).mismatch)
        #expect(try !detect("a.docm", bytes).mismatch)
    }

    @Test("Text under the name of sound or pictures is text", arguments: ["a.mp3", "a.tga", "a.mod.gz.tga", "a.aac"])
    func textAsSound(name: String) throws {
        let found = try detect(name, Array("Nothing sounds here.\n".utf8))
        #expect(found.type == .plainText)
        #expect(found.mismatch)
    }

    @Test(
        "A format without an identifier is under its kind and under data",
        arguments: [
            ("application/zstd", "public.archive"), ("application/x-lzip", "public.archive"),
            ("application/x-lz4-compressed-tar", "public.archive"), ("application/vnd.flatpak", "public.archive"),
            ("application/x-nuget", "public.archive"), ("application/x-java-ear", "public.archive"),
            ("application/x-krita", "public.image"), ("image/openraster", "public.image"),
            ("model/3mf", "public.3d-content"), ("model/iges", "public.3d-content"),
            ("model/vrml", "public.3d-content"),
            ("model/fbx", "public.3d-content"), ("model/x3d+xml", "public.3d-content"),
            ("application/vnd.sketchup.skp", "public.3d-content"), ("model/mtl", "public.3d-content"),
            ("model/step", "public.3d-content"),
            ("text/x-go", "public.source-code"), ("text/rust", "public.source-code"),
            ("text/x-kotlin", "public.source-code"), ("text/x-scala", "public.source-code"),
            ("text/x-haskell", "public.source-code"), ("text/x-erlang", "public.source-code"),
            ("text/x-elixir", "public.source-code"), ("text/x-clojure", "public.source-code"),
            ("text/x-ocaml", "public.source-code"), ("text/x-lua", "public.source-code"),
            ("audio/x-unheard-of", "public.audio"), ("video/x-unheard-of", "public.movie"),
            ("text/x-unheard-of", "public.text"),
        ])
    func kinds(mime: String, kind: String) throws {
        let found = try #require(detector.type(mime: mime))
        #expect(found.type.conforms(to: try #require(UTType(kind))))
        #expect(found.type.conforms(to: .data))
    }

    @Test(
        "A MIME type that is declared gives its type, whatever it is an alias of",
        arguments: [
            ("video/mp4", "public.mpeg-4"), ("audio/x-m4a", "com.apple.m4a-audio"), ("image/heic", "public.heic"),
            ("image/heic-sequence", "public.heics"), ("text/x-vcalendar", "com.apple.ical.vcs"),
            ("video/x-ms-wm", "com.microsoft.windows-media-wm"), ("video/x-ms-wmx", "com.microsoft.windows-media-wmx"),
            ("video/x-ms-wvx", "com.microsoft.windows-media-wvx"),
            ("audio/x-ms-wax", "com.microsoft.windows-media-wax"),
        ])
    func declaredMIME(mime: String, identifier: String) {
        for detector in [detector, Detector(places: .standard)] {
            #expect(detector.type(mime: mime)?.type.identifier == identifier)
        }
    }

    @Test("A HEIC picture is identified by its brand, also where the database has one name for the family")
    func heic() throws {
        let bytes = SampleText.bytes("00000018'ftypheic'00000000'mif1heic'")
        let found = bytes.withUnsafeBytes { Detector(places: .standard).detect(nil, content: $0) }
        #expect(found.mime == "image/heic")
    }

    @Test(
        "An extension by itself and a name that ends in it give the same",
        arguments: ["step", "3mf", "zst", "wrl", "dwf"])
    func extensionAndName(tag: String) throws {
        for detector in [detector, Detector(places: .standard)] {
            let name = detector.detect(named: try #require(FileName("x." + tag)))
            let found = try #require(detector.type(fileExtension: tag))
            if name.evidence == .name {
                #expect(found.type == name.type)
                #expect(found.mime == name.mime)
            }
        }
    }
}
