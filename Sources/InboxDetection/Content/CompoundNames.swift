/// The format of a compound file by the entries of its root storage.
struct CompoundNames {
    private var found: [(mime: String, rank: Int)] = []

    /// An entry of 128 bytes: 64 of name in UTF-16, its length, its kind at 66.
    mutating func add(_ entry: Bytes) {
        guard let length = entry.little16(at: 64), length >= 2, length <= 64, entry[66] != 0 else { return }
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
    mutating func addRoot(_ identifier: Bytes) {
        for (bytes, mime) in CompoundClasses.known where identifier.has(bytes, bytes.indices, at: 0) {
            // Some programs saved a book with Word's class: the streams of Office's documents show what they are.
            set(mime, Self.isOffice(mime) ? 3 : 6)
        }
        // The editions of Works differ in the first byte alone.
        if identifier.has([0xDB, 0xCD, 0x28, 0xE2, 0x0A, 0xCE, 0x11, 0xA2, 0x9A], 0..<9, at: 1) {
            set("application/vnd.ms-works", 6)
        }
    }

    private static func isOffice(_ mime: String) -> Bool {
        mime == "application/msword" || mime == "application/vnd.ms-excel" || mime == "application/vnd.ms-powerpoint"
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
        ("StarImpressDocument", "application/vnd.stardivision.impress", 5),
        ("Dgn~H", "image/vnd.dgn", 5),
        ("PerfectOffice_MAIN", "application/vnd.wordperfect", 4),
        ("NativeContent_MAIN", "application/x-quattropro", 5),
        ("Catalog", "application/x-thumbs-db", 1),
        ("SwDocContentMgr", "application/x-solidworks", 5),
        ("JSRV_SegmentInformation", "application/x-ichitaro", 5),
        ("Image Contents", "image/x-fpx", 2),
    ]
}
