import Glibc
import InboxDetection
import InboxTestSupport
import Testing
import UniformTypeIdentifiers

@testable import InboxFiling
@testable import InboxLinux

@Suite("Delivering into a folder")
struct DeliveryTests {
    private let folder: TemporaryFolder
    private let opened: OpenFolder

    init() throws {
        folder = try TemporaryFolder()
        opened = OpenFolder(try folder.open())
    }

    private func source(_ text: String) throws -> OpenFile {
        let file = try folder.open().unnamedFile()
        try file.write(Array(text.utf8))
        return OpenFile(file)
    }

    private func content(of name: FileName) throws -> String {
        String(decoding: try opened.directory.file(name).contents(limit: 1 << 20) ?? [], as: UTF8.self)
    }

    private func listed() throws -> [FileName] {
        var entries = try DirectoryEntries(of: try folder.open())
        var names: [FileName] = []
        while let entry = try entries.next() { names.append(entry.name) }
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    private func deliver(
        _ delivery: Delivery, _ text: String, report: @escaping (Int64) -> Bool = { _ in true }
    ) throws -> FileName {
        let source = try source(text)
        return try delivery.perform(in: opened) { (target) throws(DeliveryError) in
            try DeliveredContent(report: report).copy(source, to: target)
        }.name
    }

    @Test("What has content but no size, as in proc(5), is refused and leaves nothing")
    func sizeless() throws {
        let source = OpenFile(try FileDescriptor.reading(path: BytePath("/proc/self/status")))
        #expect(throws: DeliveryError.self) {
            try Delivery(name: aName("status")).perform(in: opened) { (target) throws(DeliveryError) in
                try DeliveredContent { _ in true }.copy(source, to: target)
            }
        }
        #expect(try listed().isEmpty)
    }

    @Test("Each delivery gets the next free name, with its content, mode and time, and nothing is overwritten")
    func names() throws {
        var delivery = Delivery(name: aName("a.pdf"))
        delivery.permissions = 0o640
        delivery.modified = Timestamp(seconds: 1_000_000_000, nanoseconds: 0)
        let got = try ["one", "two", "three"].map { try deliver(delivery, $0) }
        #expect(got == [aName("a.pdf"), aName("a-1.pdf"), aName("a-2.pdf")])
        #expect(try got.map(content) == ["one", "two", "three"])
        let status = try opened.directory.status(of: got[2])
        #expect(status.permissions == 0o640)
        #expect(status.identity.modified == delivery.modified)
        #expect(try listed() == got.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }, "nothing else is left")
    }

    @Test("A document that nobody waits for leaves nothing behind")
    func ended() throws {
        #expect(try deliver(Delivery(name: aName("b")), "1234") == aName("b"))
        #expect(throws: DeliveryError.self) {
            try deliver(Delivery(name: aName("c")), "1234") { _ in false }
        }
        #expect(try listed() == [aName("b")])
    }

    @Test("An annotation that is too large for the filesystem is named, and nothing is left behind")
    func largeAnnotation() throws {
        var delivery = Delivery(name: aName("a"))
        delivery.annotations = ["small": "x", "large": String(repeating: "x", count: 70_000)]
        do {
            _ = try deliver(delivery, "text")
            Issue.record("it was delivered")
        } catch let error as DeliveryError {
            #expect("\(error)".hasPrefix("the annotation \"large\" is not kept ("))
            #expect("\(error)".contains("the Inbox's filesystem takes no attributes that large"))
        }
        #expect(try listed() == [])
    }

    @Test("How far a delivery is is said after a second, and then five times a second at most")
    func pace() {
        let begun = Instant(nanoseconds: 7)
        var pace = ProgressPace(begun: begun)
        let due = stride(from: 0, through: 3000, by: 50).filter { pace.isDue(at: begun + .milliseconds($0)) }
        #expect(due == Array(stride(from: 1000, through: 3000, by: 200)))
        var late = ProgressPace(begun: begun)
        #expect([5000, 5100, 5200].filter { late.isDue(at: begun + .milliseconds($0)) } == [5000, 5200])
    }

    @Test("A folder is refused, and leaves nothing behind")
    func refused() throws {
        let delivery = Delivery(name: aName("a"))
        #expect(throws: DeliveryError.self) {
            let source = OpenFile(try FileDescriptor.reading(path: folder.bytePath()))
            _ = try delivery.perform(in: opened) { (target) throws(DeliveryError) in
                try DeliveredContent { _ in true }.copy(source, to: target)
            }
        }
        #expect(try listed().isEmpty)
    }

    @Test("Annotations become extended attributes")
    func annotations() throws {
        var delivery = Delivery(name: aName("a"))
        delivery.annotations = ["source": "scanner", "K_1": "é"]
        let name = try deliver(delivery, "x")
        let file = try opened.directory.file(name)
        let attribute = try #require(AttributeName("user.inboxd.source"))
        #expect(try file.attribute(attribute) == Array("scanner".utf8))
        #expect(try file.attribute(try #require(AttributeName("user.inboxd.K_1"))) == Array("é".utf8))
    }

    @Test(
        "A document of a named type has the MIME type that its content would have led to",
        .enabled(if: access("/usr/share/mime/globs2", R_OK) == 0, "shared-mime-info is not installed"))
    func namedType() throws {
        var delivery = Delivery(name: aName("a"))
        delivery.type = .bz2
        let name = try deliver(delivery, "\u{1}\u{2}\u{3}")
        let detector = Detector(places: MIMEDatabasePlaces(home: nil, dataHome: nil, dataDirs: nil))
        let found = detector.detect(name, delivered: try opened.directory.file(name))
        #expect(found.type == .bz2)
        #expect(found.mime == "application/x-bzip")
        #expect(found.mime == detector.detect(named: aName("a.bz2")).mime)
    }

    @Test("A file that was delivered as a folder is no folder")
    func folderType() throws {
        var delivery = Delivery(name: aName("a"))
        delivery.type = .folder
        let name = try deliver(delivery, "\u{1}\u{2}\u{3}")
        let found = Detector(places: .none).detect(name, delivered: try opened.directory.file(name))
        #expect(found.type == .data)
    }

    @Test(
        "A name without an extension gets that of the type",
        arguments: [
            ("contract", "contract.pdf"), ("contract.txt", "contract.txt"), (".profile", ".profile.pdf"),
            ("a.tar.gz", "a.tar.gz"), (String(repeating: "n", count: 252), String(repeating: "n", count: 252)),
        ])
    func extensions(name: String, expected: String) {
        #expect(Delivery.name(aName(name), of: .pdf) == aName(expected))
        #expect(Delivery.name(aName(name), of: nil) == aName(name))
    }
}
