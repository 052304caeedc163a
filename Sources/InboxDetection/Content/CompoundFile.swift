/// Microsoft's compound file ([MS-CFB]) by its directory: the root's class identifier and the streams' names.
enum CompoundFile {
    /// How many sectors of the directory are looked at.
    private static let longestDirectory = 8

    /// The MIME type of the format; nil where the directory names no known one.
    static func mime(_ content: inout Content) -> String? {
        guard let shift = content.head.little16(at: 30), shift == 9 || shift == 12,
            var sector = content.head.little32(at: 48)
        else { return nil }
        var names = CompoundNames()
        for _ in 0..<longestDirectory {
            guard sector < 0xFFFF_FFFA else { break }
            let offset = (sector + 1) << shift
            let isGood = content.reading(at: offset, count: 1 << shift) { bytes, _ in
                for place in stride(from: 0, to: bytes.count - 127, by: 128) { names.add(bytes[place..<(place + 128)]) }
                return bytes.count >= 128
            }
            guard isGood, let next = following(sector, shift, &content) else { break }
            sector = next
        }
        return names.mime
    }

    /// The next sector in the allocation table, whose first 109 sectors the header lists.
    private static func following(_ sector: Int, _ shift: Int, _ content: inout Content) -> Int? {
        let perSector = 1 << (shift - 2)
        let index = sector / perSector
        guard index < 109, let table = content.head.little32(at: 76 + 4 * index), table < 0xFFFF_FFFA else {
            return nil
        }
        return content.reading(at: ((table + 1) << shift) + 4 * (sector % perSector), count: 4) { bytes, _ in
            bytes.little32(at: 0)
        }
    }
}

/// What the entries of a compound file's directory told.
private struct CompoundNames {
    private var found: [(mime: String, rank: Int)] = []

    /// An entry of 128 bytes: 64 of name in UTF-16, its length, its kind at 66, a class identifier at 80.
    mutating func add(_ entry: Bytes) {
        guard let length = entry.little16(at: 64), length >= 2, length <= 64, entry[66] != 0 else { return }
        if entry[66] == 5 { addRoot(entry[80..<96]) }
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { buffer in
            var count = 0
            for place in stride(from: 0, to: length - 2, by: 2) where entry[place + 1] == 0 {
                buffer[count] = entry[place]
                count += 1
            }
            addStream(Bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
        }
    }

    private mutating func set(_ mime: String, _ rank: Int) { found.append((mime, rank)) }

    /// The class of the program that wrote the file.
    private mutating func addRoot(_ identifier: Bytes) {
        for (bytes, mime) in Self.classes where identifier.has(bytes, bytes.indices, at: 0) { set(mime, 2) }
    }

    private mutating func addStream(_ name: Bytes) {
        for (stream, mime, rank) in Self.streams where name.equals(stream) { set(mime, rank) }
        if name.has("__properties_version1.0") || name.has("__recip_version1.0") || name.has("__nameid_version1.0") {
            set("application/vnd.ms-outlook", 3)
        }
    }

    /// The best mark; of equal ones the first.
    var mime: String? {
        var best: (mime: String, rank: Int)?
        for mark in found where mark.rank > best?.rank ?? 0 { best = mark }
        return best?.mime
    }

    private static let streams: [(StaticString, String, Int)] = [
        ("WordDocument", "application/msword", 4),
        ("Workbook", "application/vnd.ms-excel", 4),
        ("Book", "application/vnd.ms-excel", 4),
        ("PowerPoint Document", "application/vnd.ms-powerpoint", 5),
        ("PP40", "application/vnd.ms-powerpoint", 4),
        ("VisioDocument", "application/vnd.visio", 5),
        ("Quill", "application/vnd.ms-publisher", 5),
        ("EncryptedPackage", "application/x-ooxml-protected", 5),
        ("MatOST", "application/vnd.ms-works", 5),
        ("MM", "application/vnd.ms-works", 1),
        ("WksSSWorkBook", "application/vnd.ms-works", 5),
        ("FileHeader", "application/x-hwp", 2),
        ("HwpSummaryInformation", "application/x-hwp", 5),
        ("Props9", "application/vnd.ms-project", 4),
        ("Props12", "application/vnd.ms-project", 4),
        ("Props14", "application/vnd.ms-project", 4),
        ("StarWriterDocument", "application/vnd.stardivision.writer", 5),
        ("StarCalcDocument", "application/vnd.stardivision.calc", 5),
        ("StarDrawDocument3", "application/vnd.stardivision.draw", 5),
        ("StarDrawDocument", "application/vnd.stardivision.draw", 5),
        ("StarMathDocument", "application/vnd.stardivision.math", 5),
        ("StarChartDocument", "application/vnd.stardivision.chart", 5),
        ("NativeContent_MAIN", "application/x-quattropro", 5),
        ("Catalog", "application/x-thumbs-db", 1),
        ("SwDocContentMgr", "application/x-solidworks", 5),
        ("JSRV_SegmentInformation", "application/x-ichitaro", 5),
        ("Image Contents", "image/x-fpx", 2),
    ]

    /// Class identifiers as they stand in the file: the first three fields with the least significant byte first.
    private static let classes: [([UInt8], String)] = {
        let office: [UInt8] = [0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46]
        func old(_ low: UInt8, _ middle: UInt8, _ high: UInt8 = 0) -> [UInt8] { [low, middle, high, 0] + office }
        return [
            (old(0x84, 0x10, 0x0C), "application/x-msi"),
            (old(0x86, 0x10, 0x0C), "application/x-msi"),
            (old(0x82, 0x10, 0x0C), "application/x-msi"),
            (old(0x00, 0x09, 0x02), "application/msword"),
            (old(0x06, 0x09, 0x02), "application/msword"),
            (old(0x10, 0x08, 0x02), "application/vnd.ms-excel"),
            (old(0x20, 0x08, 0x02), "application/vnd.ms-excel"),
            (old(0x01, 0x12, 0x02), "application/vnd.ms-publisher"),
            (old(0x0B, 0x0D, 0x02), "application/vnd.ms-outlook"),
            (old(0x13, 0x1A, 0x02), "application/vnd.visio"),
            (old(0x14, 0x1A, 0x02), "application/vnd.visio"),
            (
                [0x10, 0x8D, 0x81, 0x64, 0x9B, 0x4F, 0xCF, 0x11, 0x86, 0xEA, 0x00, 0xAA, 0x00, 0xB9, 0x29, 0xE8],
                "application/vnd.ms-powerpoint"
            ),
            (
                [0x3A, 0x8F, 0xB7, 0x74, 0xC8, 0xC8, 0xD1, 0x11, 0xBE, 0x11, 0x00, 0xC0, 0x4F, 0xB6, 0xFA, 0xF1],
                "application/vnd.ms-project"
            ),
            (
                [0x00, 0x67, 0x61, 0x56, 0x54, 0xC1, 0xCE, 0x11, 0x85, 0x53, 0x00, 0xAA, 0x00, 0xA1, 0xF9, 0x5B],
                "image/x-fpx"
            ),
        ]
    }()
}
