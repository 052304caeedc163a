import InboxLinux
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// Names whose kind the content rules out, and names that look like it and are honest.
@Suite("Lying names")
struct LyingNameTests {
    private static let detectors = [Detector(places: .none), Detector(places: .standard)]

    private func detect(_ name: String, _ bytes: [UInt8]) throws -> [Detection] {
        let name = try #require(FileName(name))
        return Self.detectors.map { detector in bytes.withUnsafeBytes { detector.detect(name, content: $0) } }
    }

    @Test("A program is no script", arguments: ["py", "rb", "sh", "pl", "js", "json"])
    func program(tag: String) throws {
        for found in try detect("a." + tag, SampleText.bytes("7F'ELF'02010100 *8 02003E00 01000000 *40")) {
            #expect(found.type.identifier == "public.unix-executable")
            #expect(found.mismatch)
        }
    }

    @Test("PDF after other bytes is PDF, and a text that only mentions its header is not")
    func lateHeader() throws {
        let document = Array("\n\n\n%PDF-1.4\n%âãÏÓ\n1 0 obj\n<</Type /Catalog>>\nendobj\n".utf8)
        for name in ["a.html", "a.xml", "a.txt", "a.json"] {
            for found in try detect(name, document) {
                #expect(found.type == .pdf)
                #expect(found.mismatch)
            }
        }
        for found in try detect("a.pdf", document) { #expect(!found.mismatch) }
        for found in try detect("a.txt", Array("A file begins with\n%PDF-1.4\nand a comment.\n".utf8)) {
            #expect(found.type == .plainText)
        }
    }

    @Test(
        "Words under the name of a format that begins with a sign of its own are text",
        arguments: [
            "xml", "svg", "plist", "kml", "rss", "json", "ipynb", "geojson", "ics", "vcf", "pem", "step", "pgm", "pnm",
        ])
    func words(tag: String) throws {
        for found in try detect("a." + tag, Array("Words, and nothing but words.\n".utf8)) {
            #expect(found.type == .plainText)
            #expect(found.mismatch)
        }
        // A file without content yet is no lie.
        guard !["step", "pgm", "pnm"].contains(tag) else { return }
        for found in try detect("a." + tag, Array("\n\n".utf8)) { #expect(!found.mismatch) }
    }

    @Test("An object under the name of markup is an object", arguments: ["xml", "svg", "ics", "vcf"])
    func objects(tag: String) throws {
        for found in try detect("a." + tag, Array("{\"a\": 1}\n".utf8)) {
            #expect(found.type == .json)
            #expect(found.mismatch)
        }
    }

    @Test("Texts with the sign of their format somewhere are honest")
    func signs() throws {
        let honest = [
            ("a.xml", "{% if x %}<a>{% endif %}</a>\n"), ("a.json", "// settings\n{\"a\": 1}\n"), ("a.json", "12\n"),
            ("a.vcf", "##fileformat=VCFv4.2\n#CHROM\tPOS\n"), ("a.plist", "{ a = b; }\n"),
            ("a.pem", "Bag Attributes\n-----BEGIN PRIVATE KEY-----\nMC4C\n"), ("a.strings", "\"a\" = \"b\";\n"),
        ]
        for (name, text) in honest {
            for found in try detect(name, Array(text.utf8)) { #expect(!found.mismatch, "\(name): \(found)") }
        }
    }

    @Test(
        "Bytes that the format's header rules out are not of the kind that the name says",
        arguments: [
            "tar", "ico", "mp3", "aac", "ac3", "pyc", "der", "cer", "gpg", "stl", "dbf", "tga", "lha", "p12", "dll",
        ])
    func headers(tag: String) throws {
        let bytes = (0..<4096).map { UInt8(truncatingIfNeeded: ($0 &* 7919 + $0 / 3) ^ 0x43) & 0x7F }
        for found in try detect("a." + tag, bytes) { #expect(found.mismatch, "\(found)") }
    }

    @Test("Room without content is no lie", arguments: ["tar", "mp3", "aac", "m2ts"])
    func zeros(tag: String) throws {
        for found in try detect("a." + tag, [UInt8](repeating: 0, count: 4096)) { #expect(!found.mismatch) }
    }

    @Test("Sound that begins in the middle of a frame is honest")
    func cutSound() throws {
        let bytes = [UInt8](repeating: 3, count: 200) + Build.frames([0xFF, 0xFB, 0x90, 0x64], 417)
        for found in try detect("a.mp3", bytes) { #expect(!found.mismatch) }
    }
}
