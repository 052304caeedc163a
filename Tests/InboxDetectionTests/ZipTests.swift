import InboxLinux
import Testing

@testable import InboxDetection

/// The ends of zip archives: comments, and the records for archives of 4 GiB and more, which programs also write for short
/// ones.
@Suite("Zip archives")
struct ZipTests {
    private static let filler = String(repeating: "x", count: 9000)
    private static let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    private static let book = "application/epub+zip"

    /// Archives whose telling parts lie behind the head, and what they are.
    private static let archives: [(mime: String, entries: [(String, String)])] = [
        (
            word,
            [
                ("docProps/thumbnail.jpeg", filler),
                ("[Content_Types].xml", "<Override ContentType=\"a.wordprocessingml.document.main+xml\"/>"),
                ("word/document.xml", "<x/>"),
            ]
        ),
        ("application/x-java-archive", [("data/a", filler), ("META-INF/MANIFEST.MF", "x")]),
        (book, [("cover.jpeg", filler), ("META-INF/container.xml", "<x/>"), ("a.opf", "<x/>")]),
        (book, [("cover.jpeg", filler), ("mimetype", book)]),
        ("application/zip", [("a", filler), ("b", "x")]),
    ]

    private static let plain: [String?] = ["application/zip", "application/zip"]

    private func mimes(_ bytes: [UInt8]) throws -> [String?] { try BothDetectors.detect(nil, bytes).map(\.mime) }

    @Test(
        "The directory of an archive is found before a comment of any length",
        arguments: [0, 1, 1002, 1003, 4096, 40_000, 0xFFFF])
    func comments(length: Int) throws {
        for (mime, entries) in Self.archives {
            let bytes = Build.zip(entries, comment: [UInt8](repeating: 0x20, count: length))
            #expect(try mimes(bytes) == [mime, mime])
        }
    }

    @Test("A comment that quotes a record of an archive's end does not hide the archive's own")
    func quoted() throws {
        let quoted = Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 40)
        for length in [0, 500, 5000] {
            for (mime, entries) in Self.archives {
                let bytes = Build.zip(entries, comment: quoted + [UInt8](repeating: 0x20, count: length))
                #expect(try mimes(bytes) == [mime, mime])
            }
        }
    }

    @Test("Bytes after an archive's end are passed over", arguments: [1, 900, 5000])
    func trailing(length: Int) throws {
        for (mime, entries) in Self.archives {
            let bytes = Build.zip(entries) + [UInt8](repeating: 0, count: length)
            #expect(try mimes(bytes) == [mime, mime])
        }
    }

    @Test("An archive is read by its records of 64 bits where the others are full", arguments: [0, 5, 3000, 0xFFFF])
    func large(comment: Int) throws {
        for (mime, entries) in Self.archives {
            let bytes = LargeZip(entries, comment: comment).bytes
            #expect(try mimes(bytes) == [mime, mime])
        }
    }

    @Test("A book's type is read from its first entry where the sizes of that are in 64 bits")
    func largeHead() throws {
        let bytes = LargeZip([("mimetype", Self.book), ("a", Self.filler)]).bytes
        // The directory is cut off.
        for bytes in [bytes, Array(bytes.prefix(6000))] { #expect(try mimes(bytes) == [Self.book, Self.book]) }
    }

    private static let wild: [UInt64] = [
        0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 32, 1 << 59, (1 << 60) - 1, 1 << 60, 1 << 62, 1 << 63, .max,
    ]

    @Test("Numbers of 64 bits that point anywhere are survived, and leave an archive an archive")
    func pointers() throws {
        for (mime, entries) in [Self.archives[0], Self.archives[4]] {
            let archive = LargeZip(entries)
            let size = archive.bytes.count
            for value in Self.wild + [UInt64(size), UInt64(size - 1), UInt64(size - 22)] {
                for place in archive.numbers {
                    var bytes = archive.bytes
                    for shift in 0..<8 { bytes[place + shift] = UInt8(truncatingIfNeeded: value >> UInt64(8 * shift)) }
                    let found = try mimes(bytes)
                    #expect(found == [mime, mime] || found == Self.plain, "\(value) at \(place): \(found)")
                }
            }
            for count in stride(from: 1, to: 400, by: 7) {
                let found = try mimes(archive.bytes.dropLast(count))
                #expect(found == [mime, mime] || found == Self.plain, "without \(count) bytes: \(found)")
            }
        }
    }

    /// How often an archive is read behind its head.
    private func reads(_ bytes: [UInt8], _ mime: String) -> Int {
        bytes.withUnsafeBytes { raw in
            let head = Bytes(UnsafeRawBufferPointer(rebasing: raw.prefix(Content.headSize)))
            var content = Content(head: head, source: .memory(Bytes(raw)))
            let before = content.readsLeft
            #expect(ZipContainer.finding(&content).mime == mime)
            return before - content.readsLeft
        }
    }

    @Test("Only an archive with a long comment, or with numbers of 64 bits, is read more often than others")
    func cost() {
        let (mime, entries) = Self.archives[0]
        // Its end, its directory, and a part's header and data.
        #expect(reads(Build.zip(entries), mime) == 4)
        #expect(reads(Build.zip(entries, comment: [UInt8](repeating: 0x20, count: 1002)), mime) == 4)
        #expect(reads(Build.zip(entries, comment: [UInt8](repeating: 0x20, count: 0xFFFF)), mime) == 5)
        #expect(reads(LargeZip(entries).bytes, mime) == 6)
        #expect(reads(LargeZip(entries, comment: 0xFFFF).bytes, mime) == 7)
    }
}

/// A zip archive of stored entries whose every number is in 64 bits.
private struct LargeZip {
    private(set) var bytes: [UInt8] = []
    /// Where the numbers of 64 bits are.
    private(set) var numbers: [Int] = []
    private static let full = Build.le32(0xFFFF_FFFF)

    init(_ entries: [(String, String)], comment: Int = 0) {
        var places: [Int] = []
        for (name, text) in entries {
            places.append(bytes.count)
            bytes += [0x50, 0x4B, 3, 4] + Build.le16(45)
            addCommon(name, extra: 20)
            bytes += Array(name.utf8) + Build.le16(1) + Build.le16(16)
            add(text.utf8.count)
            add(text.utf8.count)
            bytes += Array(text.utf8)
        }
        let directory = bytes.count
        for (index, (name, text)) in entries.enumerated() {
            bytes += [0x50, 0x4B, 1, 2] + Build.le16(45) + Build.le16(45)
            // Another extra field precedes the one that counts.
            addCommon(name, extra: 34)
            bytes += [UInt8](repeating: 0, count: 10) + Self.full + Array(name.utf8)
            bytes += [0x55, 0x54, 2, 0, 0, 0] + Build.le16(1) + Build.le16(24)
            add(text.utf8.count)
            add(text.utf8.count)
            add(places[index])
        }
        addEnd(directory, entries.count)
        bytes += Build.le16(comment) + [UInt8](repeating: 0x20, count: comment)
    }

    private mutating func addCommon(_ name: String, extra: Int) {
        bytes += [UInt8](repeating: 0, count: 12) + Self.full + Self.full
        bytes += Build.le16(name.utf8.count) + Build.le16(extra)
    }

    private mutating func addEnd(_ directory: Int, _ count: Int) {
        let end = bytes.count
        bytes += [0x50, 0x4B, 6, 6]
        add(44)
        bytes += Build.le16(45) + Build.le16(45) + [UInt8](repeating: 0, count: 8)
        for number in [count, count, end - directory, directory] { add(number) }
        bytes += [0x50, 0x4B, 6, 7] + Build.le32(0)
        add(end)
        bytes += Build.le32(1) + [0x50, 0x4B, 5, 6] + Build.le32(0)
        bytes += Self.full + Self.full + Self.full
    }

    private mutating func add(_ number: Int) {
        numbers.append(bytes.count)
        bytes += Build.le32(number) + Build.le32(0)
    }
}
