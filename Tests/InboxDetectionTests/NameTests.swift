import InboxLinux
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

@Suite("What a name says")
struct NameTests {
    private let detector = Detector(places: .none)

    private func tag(_ name: String) -> String? {
        FileName(name).flatMap { NameTag($0) }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test("The tag follows the last dot that is not the first byte")
    func tags() {
        #expect(tag("report.pdf") == "pdf")
        #expect(tag("a.b.c") == "c")
        #expect(tag("README") == nil)
        #expect(tag(".profile") == nil)
        #expect(tag(".profile.bak") == "bak")
        #expect(tag("ends.") == nil)
        #expect(tag("Mr. Smith came") == nil)
        #expect(tag("Übersicht.größe") == "größe")
        #expect(tag("a." + String(repeating: "x", count: 32)) == String(repeating: "x", count: 32))
        #expect(tag("a." + String(repeating: "x", count: 33)) == nil)
        #expect(tag("a.b\tc") == nil)
        #expect(tag("a.b\u{A0}c") == nil)
        #expect(tag("a.b\u{85}c") == nil)
    }

    @Test("A tag that is not UTF-8 is none, and the name is still detected")
    func notUTF8() throws {
        let name = try #require(FileName([0x61, 0x2E, 0xE9, 0x70]))
        #expect(NameTag(name) == nil)
        #expect(detector.detect(named: name).type == .data)
        let latin = try #require(FileName([0xE9, 0x74, 0xE9, 0x2E, 0x70, 0x64, 0x66]))
        #expect(detector.detect(named: latin).type == .pdf)
    }

    @Test("Capitals in a tag mean the same")
    func capitals() throws {
        for name in ["A.PDF", "a.Pdf", "a.pdf"] {
            #expect(detector.detect(named: try #require(FileName(name))).type == .pdf)
        }
    }

    @Test("A double extension that is known counts as one, and another by its end")
    func doubleExtensions() throws {
        let archive = detector.detect(named: try #require(FileName("backup.tar.gz")))
        #expect(archive.type.identifier == "org.gnu.gnu-zip-tar-archive")
        #expect(archive.mime == "application/x-compressed-tar")
        #expect(detector.detect(named: try #require(FileName("invoice.pdf.exe"))).type == .exe)
    }

    @Test("An unknown name says nothing")
    func unknown() throws {
        for name in ["README", "a.nosuchextension", "....", "a.b c"] {
            let found = detector.detect(named: try #require(FileName(name)))
            #expect(found.type == .data)
            #expect(found.evidence == .none)
            #expect(!found.mismatch)
        }
    }

    @Test("A folder is a package if its extension is one's")
    func folders() throws {
        #expect(detector.detectFolder(try #require(FileName("letter.rtfd"))) == .rtfd)
        let application = detector.detectFolder(try #require(FileName("A.app")))
        #expect(application.conforms(to: .package))
        #expect(detector.detectFolder(try #require(FileName("letter.pages"))).conforms(to: .package))
        for name in ["photos", "a.pdf", "v1.2"] {
            #expect(detector.detectFolder(try #require(FileName(name))) == .folder)
        }
    }
}
