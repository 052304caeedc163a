import InboxLinux
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

@Suite("Name and content together")
struct DecisionTests {
    private let detector = Detector(places: .none)

    private func detect(_ name: String, _ bytes: [UInt8]) throws -> Detection {
        let name = try #require(FileName(name))
        return bytes.withUnsafeBytes { detector.detect(name, content: $0) }
    }

    private func detect(_ name: String, _ text: String) throws -> Detection {
        try detect(name, Array(text.utf8))
    }

    private let png = SampleText.bytes("89'PNG'0D0A1A0A 0000000D'IHDR'")
    private let garbage: [UInt8] = [0x00, 0x81, 0x03, 0xF7, 0x9C, 0x01, 0x02, 0xEE, 0x05, 0x06]

    @Test("A signature beats a name that says something else")
    func lies() throws {
        let picture = try detect("photo.jpg", png)
        #expect(picture.type == .png)
        #expect(picture.mime == "image/png")
        #expect(picture.evidence == .content)
        #expect(picture.mismatch)

        let program = try detect("invoice.pdf", SampleText.bytes("7F'ELF'020101 *9 0200 3E00"))
        #expect(program.type == .unixExecutable)
        #expect(program.mismatch)

        let page = try detect("table.xls", "<html><table><tr><td>1</td></tr></table></html>")
        #expect(page.type == .html)
        #expect(page.evidence == .content)
        #expect(page.mismatch)

        let macros = try detect("letter.pdf", BuiltSamples.packages.first { $0.name == "sample.docm" }?.bytes ?? [])
        #expect(macros.type.identifier == "org.openxmlformats.wordprocessingml.document.macroenabled")
        #expect(macros.mismatch)
    }

    @Test("Text under the name of a format that needs a signature is plain text")
    func textAsMovie() throws {
        for name in ["film.mp4", "a.png", "a.pdf", "a.zip", "a.docx", "a.JPG"] {
            let found = try detect(name, "Nothing moves here.\n")
            #expect(found.type == .plainText, "\(name)")
            #expect(found.mime == "text/plain")
            #expect(found.evidence == .content)
            #expect(found.mismatch)
        }
    }

    @Test("Text under any other name is what the name says")
    func textUnderAName() throws {
        let source = try detect("a.swift", "let a = 1\n")
        #expect(source.type == .swiftSource)
        #expect(source.evidence == .nameAndContent)
        #expect(!source.mismatch)
        let notes = try detect("notes.md", "Some words\n")
        #expect(notes.type.identifier == "net.daringfireball.markdown")
        #expect(notes.evidence == .nameAndContent)
    }

    @Test("Prose that happens to begin like something stays what its name says")
    func prose() throws {
        for text in [
            "solid advice for everyone\n", "SELECT a place, then walk.\n", "FROM the desk of\n", "---\nline\n",
            "% of the people\n", "function follows form\n", "<b>bold</b> words\n", "[Service]\nof the house\n",
        ] {
            for name in ["notes.txt", "notes.md", "notes.log"] {
                let name = try #require(FileName(name))
                for detector in [detector, Detector(places: .standard)] {
                    let found = Array(text.utf8).withUnsafeBytes { detector.detect(name, content: $0) }
                    #expect(found.type == detector.detect(named: name).type, "\(name): \(text)")
                    #expect(found.evidence == .nameAndContent)
                    #expect(!found.mismatch)
                }
            }
        }
    }

    @Test("Unknown bytes leave it to the name, with a mismatch where the name promises a signature or text")
    func unknownBytes() throws {
        let picture = try detect("a.png", garbage)
        #expect(picture.type == .png)
        #expect(picture.evidence == .name)
        #expect(picture.mismatch)
        let text = try detect("a.txt", garbage)
        #expect(text.type == .plainText)
        #expect(text.evidence == .name)
        #expect(text.mismatch)
        let dictionary = try detect("a.dat", garbage)
        #expect(dictionary.type == .data)
        #expect(!dictionary.mismatch)
        let nothing = try detect("a", garbage)
        #expect(nothing.type == .data)
        #expect(nothing.evidence == .none)
        #expect(nothing.mime == "application/octet-stream")
    }

    @Test("An empty file is what its name says")
    func empty() throws {
        let named = try detect("a.pdf", [])
        #expect(named.type == .pdf)
        #expect(named.evidence == .name)
        #expect(!named.mismatch)
        #expect(!named.unread)
        let nameless = try detect("a", [])
        #expect(nameless.type == .data)
        #expect(nameless.evidence == .none)
    }

    @Test("What could not be read is what its name says, and the answer says so")
    func unread() throws {
        let found = detector.detect(unreadable: try #require(FileName("a.pdf")))
        #expect(found.type == .pdf)
        #expect(found.evidence == .name)
        #expect(found.unread)
        #expect(!found.mismatch)
        // A folder's descriptor cannot be read as a file.
        let folder = try FileDescriptor.reading(path: BytePath("/"))
        #expect(detector.detect(try #require(FileName("a.pdf")), reading: folder).unread)
    }

    @Test("The more specific of two that agree wins")
    func specific() throws {
        let feed = try detect("feed.xml", "<?xml version=\"1.0\"?><rss version=\"2.0\"/>")
        #expect(feed.type.identifier == "public.rss")
        #expect(feed.evidence == .nameAndContent)
        let comic = try detect("a.cbz", Build.zip([("a.jpg", "a")]))
        #expect(comic.type.identifier == "com.macitbetter.cbz-archive")
        #expect(comic.evidence == .nameAndContent)
        #expect(!comic.mismatch)
        let letter = try detect("a.doc", SampleText.bytes("D0CF11E0A1B11AE1 *504"))
        #expect(letter.type.identifier == "com.microsoft.word.doc")
        #expect(letter.evidence == .nameAndContent)
        let raw = try detect("a.nef", SampleText.bytes("'MM'002A00000008 0001 0100000300000001 00010000 00000000"))
        #expect(raw.type.identifier == "com.nikon.raw-image")
        #expect(raw.evidence == .nameAndContent)
        let packed = try detect("a.tar.gz", Build.gzip("not a tar"))
        #expect(packed.type.identifier == "org.gnu.gnu-zip-tar-archive")
        #expect(packed.evidence == .nameAndContent)
        let drawing = try detect("a.ai", "%PDF-1.6\n")
        #expect(drawing.type.identifier == "com.adobe.illustrator.ai-image")
        #expect(drawing.evidence == .nameAndContent)
        let document = try detect("a.zip", BuiltSamples.packages.first { $0.name == "sample.docx" }?.bytes ?? [])
        #expect(document.type.identifier == "org.openxmlformats.wordprocessingml.document")
    }

    @Test("An own declaration's pattern counts where it fixes more bytes than the built-in one of a supertype")
    func ownPattern() throws {
        let invoice = UTType(exportedAs: "com.example.invoice", conformingTo: .pdf)
        let long = OwnSignature(
            type: invoice,
            alternatives: [
                [.init(offset: 0, bytes: [0x25, 0x50, 0x44, 0x46]), .init(offset: 9, bytes: [0x69, 0x6E, 0x76])]
            ])
        let detector = Detector(places: .none, ownSignatures: [long])
        let name = try #require(FileName("a.pdf"))
        let match = Array("%PDF-1.7\ninvoice".utf8)
        let other = Array("%PDF-1.7\nletter".utf8)
        #expect(match.withUnsafeBytes { detector.detect(name, content: $0) }.type == invoice)
        #expect(match.withUnsafeBytes { detector.detect(name, content: $0) }.evidence == .nameAndContent)
        #expect(other.withUnsafeBytes { detector.detect(name, content: $0) }.type == .pdf)
        // As many bytes as the built-in signature has are not enough by themselves.
        let short = OwnSignature(type: invoice, alternatives: [[.init(offset: 0, bytes: Array("%PDF-".utf8))]])
        let careful = Detector(places: .none, ownSignatures: [short])
        #expect(match.withUnsafeBytes { careful.detect(name, content: $0) }.type == .pdf)
        // Beyond the content, or at an absurd place, nothing matches.
        let far = OwnSignature(
            type: invoice, alternatives: [[.init(offset: .max, bytes: [1])], [.init(offset: -1, bytes: [1])]])
        let calm = Detector(places: .none, ownSignatures: [far])
        #expect(match.withUnsafeBytes { calm.detect(name, content: $0) }.type == .pdf)
    }
}
