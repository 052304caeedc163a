import InboxLinux
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// Names that the content leaves open, or that share a word with a format.
@Suite("Honest names")
struct HonestNameTests {
    @Test(
        "A recording whose file says no more than MPEG-4 is what its name says",
        arguments: [
            ("a.m4a", "com.apple.m4a-audio"), ("a.m4b", "com.apple.protected-mpeg-4-audio-b"),
            ("a.m4r", "com.apple.mpeg-4-ringtone"), ("a.3gp", "public.3gpp"), ("a.3g2", "public.3gpp2"),
            ("a.mp4", "public.mpeg-4"), ("a.m4v", "com.apple.m4v-video"),
        ], ["isom", "mp42", "dash", "iso5"])
    func recordings(name: (file: String, type: String), brand: String) throws {
        for found in try BothDetectors.detect(name.file, SampleText.bytes("00000018'ftyp\(brand)'00000000'isommp42'")) {
            #expect(found.type.identifier == name.type)
            #expect(!found.mismatch)
            #expect(found.evidence == .nameAndContent)
        }
    }

    @Test("A file that names sound as its brand is no film")
    func sound() throws {
        for found in try BothDetectors.detect("a.m4v", SampleText.bytes("00000018'ftypM4B '00000000'M4B mp42'")) {
            #expect(found.type.conforms(to: .audio))
            #expect(found.mismatch)
        }
    }

    @Test(
        "An archive with a folder or a file that is called as in a document is an archive",
        arguments: [
            "Payload/IMG_1.jpg", "Index/list.txt", "index.xml", "Index/Slides/a.jpg", "Payload/notes.txt",
        ])
    func archives(entry: String) throws {
        for found in try BothDetectors.detect("photos.zip", Build.zip([(entry, "<rss/>"), ("readme.txt", "x")])) {
            #expect(found.type == .zip, "\(entry): \(found)")
            #expect(!found.mismatch)
        }
    }

    @Test("An archive of scenes is a scene only where its first one is not packed")
    func scenes() throws {
        var bytes = Build.zip([("scene.usda", "#usda 1.0")])
        for found in try BothDetectors.detect(nil, bytes) { #expect(found.mime == "model/vnd.usdz+zip") }
        bytes[8] = 8
        for found in try BothDetectors.detect("scenes.zip", bytes) {
            #expect(found.type == .zip)
            #expect(!found.mismatch)
        }
    }

    @Test(
        "A document that was printed into a file is what follows the printer's own lines",
        arguments: [
            ("%PDF-1.4\n", "a.pdf", "application/pdf"), ("%!PS-Adobe-3.0\n", "a.ps", "application/postscript"),
            ("\u{1B}E\u{1B}&l0O", "a.pcl", "application/vnd.hp-pcl"),
        ])
    func printed(document: String, name: String, mime: String) throws {
        let bytes = Array("\u{1B}%-12345X@PJL SET COPIES=1\r\n@PJL ENTER LANGUAGE=X\r\n\(document)".utf8)
        for found in try BothDetectors.detect(name, bytes) {
            #expect(found.mime == mime)
            #expect(!found.mismatch)
        }
        for found in try BothDetectors.detect(nil, bytes) { #expect(found.mime == mime) }
    }

    @Test("A compound file of more than 7 MB is identified, though its directory lies beyond what the header lists")
    func largeCompound() throws {
        // Sector 0 is the further list, sector 1 the part of the table that it lists; the directory begins later.
        let directory = 109 * 128 + 5
        var bytes = Build.compound(["A", "B", "C", "WordDocument"])
        let entries = Array(bytes[1024..<2048])
        bytes.replaceSubrange(48..<52, with: Build.le32(directory))
        bytes.replaceSubrange(68..<76, with: Build.le32(0) + Build.le32(1))
        bytes.replaceSubrange(512..., with: [UInt8](repeating: 0xFF, count: (directory + 2) * 512))
        bytes.replaceSubrange(512..<516, with: Build.le32(1))
        bytes.replaceSubrange((1024 + 20)..<(1024 + 28), with: Build.le32(directory + 1) + Build.le32(-2))
        bytes.replaceSubrange((512 * (directory + 1))..., with: entries)
        for found in try BothDetectors.detect(nil, bytes) { #expect(found.mime == "application/msword") }
    }
}
