import Glibc
import InboxLinux
import InboxTestSupport
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

@Suite("Reading a file")
struct FileTests {
    /// A file that is removed at the end.
    private final class Scratch {
        let path: String
        private let folder: TemporaryFolder

        init(_ bytes: [UInt8]) throws {
            folder = try TemporaryFolder()
            path = "\(folder.path)/file"
            let file = try #require(fopen(path, "w"))
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        }
    }

    private let detector = Detector(places: .none)
    private let nameless: FileName

    init() throws {
        nameless = try #require(FileName("x"))
    }

    private func detect(_ bytes: [UInt8]) throws -> Detection {
        let scratch = try Scratch(bytes)
        return detector.detect(nameless, reading: try FileDescriptor.reading(path: BytePath(scratch.path)))
    }

    @Test("A file is identified by its bytes, wherever they lie")
    func everySample() throws {
        for sample in SampleTests.samples {
            #expect(try detect(sample.bytes).mime == sample.mime, "\(sample.name)")
        }
    }

    @Test("A package whose telling parts lie far after the head is identified by its directory")
    func farDirectory() throws {
        let filler = String(repeating: "x", count: 9000)
        let document = Build.zip([
            ("docProps/app.xml", filler), ("customXml/item1.xml", filler),
            ("[Content_Types].xml", "<Override ContentType=\"a.wordprocessingml.document.main+xml\"/>"),
            ("_rels/.rels", "<x/>"), ("word/document.xml", "<x/>"),
        ])
        #expect(try detect(document).type.identifier == "org.openxmlformats.wordprocessingml.document")
        let program = Build.zip([("data/a", filler), ("data/b", filler), ("META-INF/MANIFEST.MF", "x")])
        #expect(try detect(program).mime == "application/x-java-archive")
    }

    @Test("A file's offset stays, and a second look says the same")
    func offset() throws {
        let scratch = try Scratch(Array("%PDF-1.7\n".utf8))
        let file = try FileDescriptor.reading(path: BytePath(scratch.path))
        #expect(detector.detect(nameless, reading: file).type == .pdf)
        #expect(detector.detect(nameless, reading: file).type == .pdf)
    }

    @Test("A directory of a zip archive or a compound file that points anywhere is survived")
    func wildPointers() throws {
        for value in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFF0, 0xFFFF_FFFF] {
            var archive = Build.zip([("a", String(repeating: "x", count: 5000))])
            archive.replaceSubrange(
                (archive.count - 10)..<(archive.count - 2), with: Build.le32(value) + Build.le32(value))
            #expect(try detect(archive).type == .zip)
            var compound = Build.compound(["WordDocument"])
            compound.replaceSubrange(48..<52, with: Build.le32(value))
            compound += [UInt8](repeating: 0, count: 5000)
            #expect(try detect(compound).mime?.isEmpty == false)
        }
    }

    @Test("A detector is asked by several threads at once")
    func threads() async throws {
        let detector = Detector(places: .standard)
        let name = try #require(FileName("a.pdf"))
        await withTaskGroup(of: UTType.self) { group in
            for _ in 0..<16 {
                group.addTask { Array("%PDF-1.4\n".utf8).withUnsafeBytes { detector.detect(name, content: $0).type } }
            }
            for await type in group { #expect(type == .pdf) }
        }
    }
}
