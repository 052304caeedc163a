import Glibc
import InboxDetection
import InboxLinux
import InboxTestSupport
import Testing
import UniformTypeIdentifiers

@testable import InboxProperties

/// The tests' own time zone is UTC: what a format defines in UTC is shown as it is.
private let zone: Void = {
    setenv("TZ", "UTC", 1)
    tzset()
}()

@Suite("Properties of documents")
struct ReadingTests {
    /// 2026-11-28.
    private static let now = Timestamp(seconds: 1_795_824_000, nanoseconds: 0)

    init() { zone }

    private static func read(
        _ bytes: [UInt8], _ type: UTType, name: String? = nil, wanted: DocumentProperties.Names = .all
    ) -> DocumentProperties {
        bytes.withUnsafeBytes {
            DocumentProperties.read(
                content: $0, type: type, name: name.flatMap { FileName($0) }, wanted: wanted, now: now)
        }
    }

    private static func values(_ found: DocumentProperties) -> [String?] {
        [found.date?.text, found.dateSource?.rawValue, found.title, found.author]
    }

    @Test("Each format's date, title and author are found", arguments: PropertySample.all.map(\.name))
    func formats(_ name: String) throws {
        let sample = try #require(PropertySample.all.first { $0.name == name })
        #expect(Self.values(Self.read(sample.bytes, sample.type, name: name)) == sample.expected)
    }

    @Test("A file is read as its bytes in memory are")
    func files() throws {
        for sample in PropertySample.all {
            let folder = try TestRun.current.makeFolder().description
            let path = try #require(BytePath(bytes: Array("\(folder)/\(sample.name)".utf8)))
            let opened = fopen("\(folder)/\(sample.name)", "w")
            sample.bytes.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, opened) }
            fclose(opened)
            let found = DocumentProperties.read(
                try FileDescriptor.readingItself(path: path), size: Int64(sample.bytes.count), type: sample.type,
                name: FileName(sample.name), now: Self.now)
            #expect(Self.values(found) == sample.expected, "\(sample.name)")
            unlink("\(folder)/\(sample.name)")
            rmdir(folder)
        }
    }

    @Test("Only what is asked for is given")
    func wanted() {
        for sample in PropertySample.all {
            let date = Self.read(sample.bytes, sample.type, wanted: .date)
            #expect(Self.values(date) == [sample.expected[0], sample.expected[1], nil, nil], "\(sample.name)")
            let title = Self.read(sample.bytes, sample.type, wanted: .title)
            #expect(Self.values(title) == [nil, nil, sample.expected[2], nil], "\(sample.name)")
        }
    }

    @Test("A date from before 1970 or from later than a day from now is none")
    func plausible() {
        for (date, isFound) in [
            ("1969:12:31 23:59:59", false), ("1970:01:02 00:00:00", true), ("2026:11:28 23:00:00", true),
            ("2026:11:30 00:00:00", false),
        ] {
            let found = Self.read(PropertySample.exif(isBig: false, date: date, offset: "+00:00"), .tiff)
            #expect((found.date != nil) == isFound, "\(date)")
        }
    }

    @Test(
        "A title that says nothing is none",
        arguments: [
            "untitled", "Untitled 1", "Microsoft Word - Brief.doc", "report.indd", "C:\\\\docs\\\\x.doc", "  ", "...",
            "Document1", "my own name", "Unknown Title",
        ])
    func useless(_ title: String) {
        let bytes = PropertySample.portable(
            ["<</Type/Catalog>>", "<</Title(\(title))>>"], trailer: "/Root 1 0 R/Info 2 0 R")
        #expect(Self.read(bytes, .pdf, name: "my own name").title == nil)
        #expect(Self.read(bytes, .pdf, name: "my own name", wanted: []) == DocumentProperties())
    }

    @Test("A document is read at 8 places and for 256 KiB at most")
    func bounds() {
        let bytes = [UInt8](repeating: 1, count: 4 << 20)
        withUnsafeTemporaryAllocation(byteCount: Excerpts.spaceSize, alignment: 8) { space in
            bytes.withUnsafeBytes { raw in
                let all = Bytes(raw)
                var excerpts = Excerpts(head: all[0..<4096], source: .memory(all), size: all.count, space: space)
                let found = (1...20).map { excerpts.bytes(at: $0 << 16, count: 10).count }
                #expect(found.filter { $0 == 10 }.count == 7)
                var other = Excerpts(head: all[0..<4096], source: .memory(all), size: all.count, space: space)
                let sum = (1...7).reduce(4096) { $0 + other.bytes(at: $1 << 18, count: 1 << 17).count }
                #expect(sum == Excerpts.mostBytes)
            }
        }
    }

    @Test("Damaged documents of every format are survived")
    func damaged() {
        var random = SeededRandom(seed: 38)
        let times = Extent.times(1_000_000, part: 6000)
        let samples = PropertySample.all
        for round in 0..<times {
            let sample = samples[round % samples.count]
            var bytes = sample.bytes
            // Directories are near both ends; what is between them is only large.
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let near = Int.random(in: 0..<min(bytes.count, 1024), using: &random)
                let place = Bool.random(using: &random) ? near : bytes.count - 1 - near
                bytes[place] =
                    [UInt8.random(in: 0...255, using: &random), 0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0
            }
            if round % 3 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            let found = Self.read(bytes, sample.type)
            #expect((found.date == nil) == (found.dateSource == nil))
        }
    }

    @Test("Every beginning of a document is survived")
    func truncated() {
        for sample in PropertySample.all where sample.bytes.count < 4096 {
            for length in sample.bytes.indices {
                let found = Self.read(Array(sample.bytes.prefix(length)), sample.type)
                #expect(found.title?.isEmpty != true)
            }
        }
    }
}
