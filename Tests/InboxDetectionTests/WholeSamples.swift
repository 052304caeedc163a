/// Documents that are whole by their own format: the plain ones end where their format says, the odd ones elsewhere.
enum WholeSamples {
    struct Sample {
        let name: String
        let bytes: [UInt8]
    }

    private static func be32(_ value: Int) -> [UInt8] { Build.le32(value).reversed() }
    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    /// Bytes that are no mark of anything.
    private static func filler(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 83 + 100) } }

    static var all: [Sample] {
        [
            Sample(name: "zip", bytes: zip), Sample(name: "pdf", bytes: pdf), Sample(name: "png", bytes: png),
            Sample(name: "jpeg", bytes: jpeg), Sample(name: "gif", bytes: gif), Sample(name: "tiff", bytes: tiff),
            Sample(name: "mp4", bytes: film), Sample(name: "wav", bytes: wave(length: 500)),
            Sample(name: "mkv", bytes: matroska(length: [0x41, 0xF4])), Sample(name: "7z", bytes: seven),
            Sample(name: "rar", bytes: rar), Sample(name: "rar5", bytes: rar5), Sample(name: "gz", bytes: gzip),
            Sample(name: "xz", bytes: xz), Sample(name: "bz2", bytes: bzip),
            Sample(name: "zst", bytes: zstandard), Sample(name: "sqlite", bytes: database()),
            Sample(name: "doc", bytes: Build.compound(["WordDocument"])), Sample(name: "tar", bytes: tape(zeros: 1024)),
            Sample(name: "ttf", bytes: font),
            Sample(name: "woff", bytes: text("wOFF") + be32(0x10000) + be32(500) + filler(488)),
            Sample(
                name: "xml",
                bytes: text("<?xml version=\"1.0\"?>\n<a:b x='1'>") + filler(400) + text("</a:b >\n<!-- end -->\n")),
            Sample(name: "svg", bytes: text("<svg xmlns='http://www.w3.org/2000/svg'>") + filler(300) + text("</svg>")),
        ]
    }

    static var odd: [Sample] {
        [
            Sample(
                name: "a zip archive with a long comment",
                bytes: Build.zip([("a", String(repeating: "b", count: 300))], comment: filler(60_000))),
            Sample(name: "a zip archive with bytes after it", bytes: zip + filler(3000)),
            Sample(name: "a PDF document with bytes after it", bytes: pdf + filler(30_000)),
            Sample(
                name: "a PDF document that was changed twice",
                bytes: pdf + text("7 0 obj\n<<>>\nendobj\nstartxref\n300\n%%EOF\n")),
            Sample(name: "a PDF document without its mark but with its table", bytes: Array(pdf.dropLast(6))),
            Sample(name: "a PNG picture with a film after it", bytes: png + filler(200_000)),
            Sample(name: "a JPEG picture with a film after it", bytes: jpeg + (0..<200_000).map { UInt8($0 % 255) }),
            Sample(name: "a JPEG picture with a second one after it", bytes: jpeg + jpeg),
            Sample(name: "a JPEG picture with zeros after it", bytes: jpeg + [UInt8](repeating: 0, count: 100_000)),
            Sample(name: "a GIF picture with zeros after it", bytes: gif + [0, 0, 0]),
            Sample(name: "a small GIF picture with something after it", bytes: gif + filler(50)),
            Sample(name: "two gzip streams", bytes: gzip + gzip),
            Sample(name: "a gzip stream with zeros after it", bytes: gzip + [UInt8](repeating: 0, count: 512)),
            Sample(name: "an xz stream with padding", bytes: xz + [0, 0, 0, 0]),
            Sample(
                name: "two zstd frames, the first one skipped",
                bytes: [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4] + zstandard),
            Sample(name: "a sound of a stream", bytes: wave(length: 0xFFFF_FFFF)),
            Sample(name: "a sound that is being recorded", bytes: wave(length: 0)),
            Sample(name: "a sound whose last byte of padding is missing", bytes: wave(length: 501)),
            Sample(name: "a sound that counts its header", bytes: wave(length: 508)),
            Sample(
                name: "a film of unknown length",
                bytes: matroska(length: [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])),
            Sample(
                name: "a film whose last box reaches to the end",
                bytes: Self.box("ftyp", filler(16)) + Self.box("moov", filler(300)) + be32(0) + text("mdat")
                    + filler(300)),
            Sample(name: "a film with bytes after it", bytes: film + [1, 2, 3]),
            Sample(name: "a tar archive without zeros at its end", bytes: tape(zeros: 0)),
            Sample(name: "a tar archive of many files without zeros", bytes: (0..<200).flatMap { _ in tape(zeros: 0) }),
            Sample(name: "a database with a log", bytes: database(pages: 9, version: 2)),
            Sample(name: "a database whose count is left over", bytes: database(pages: 9, validFor: 6)),
            Sample(
                name: "an XML document of one tag",
                bytes: text("<?xml version='1.0'?><a b='") + filler(300) + text("'/>")),
            Sample(name: "a page of HTML", bytes: text("<!DOCTYPE html><html><body>") + filler(300)),
            Sample(name: "a stub", bytes: text("%PDF-1.4\n%stub")),
        ]
    }

    private static let zip = Build.zip([("a.txt", String(repeating: "text ", count: 90))])
    private static let pdf =
        text("%PDF-1.4\n1 0 obj\n<<>>\nendobj\n") + filler(400)
        + text("\nxref\n0 1\ntrailer\n<<>>\nstartxref\n431\n%%EOF\n")
    private static let png =
        SampleText.bytes("89 'PNG' 0D0A1A0A") + chunk("IHDR", filler(13)) + chunk("IDAT", filler(500))
        + chunk("IEND", [])
    private static let jpeg =
        SampleText.bytes("FFD8 FFE0 0010 'JFIF' *10 FFE1 0008 FFD9 0000 0000 FFDA 0008 0101 0000 3F00") + filler(400)
        + SampleText.bytes("FF00 FFD3") + filler(100) + SampleText.bytes("FFD9")
    private static let gif =
        text("GIF89a") + SampleText.bytes("0100 0100 00 00 00 2C 0000 0000 0100 0100 00 08 FF") + filler(255) + [200]
        + filler(200)
        + SampleText.bytes("00 3B")
    private static let tiff =
        text("II*\0") + Build.le32(8) + Build.le16(3) + tag(256, 3, 1, 16) + tag(273, 4, 1, 100) + tag(279, 4, 1, 500)
        + Build.le32(0) + filler(600 - 8 - 2 - 36 - 4)
    private static let film = box("ftyp", filler(16)) + box("mdat", filler(400)) + box("moov", filler(100))
    private static let seven =
        SampleText.bytes("'7z' BCAF271C 0004 00000000") + le64(500) + le64(30) + Build.le32(9) + filler(530)
    private static let rar =
        SampleText.bytes("'Rar!' 1A0700 CF90 73 0000 0D00 *6 0000 74 2080 2000") + Build.le32(500) + filler(21)
        + filler(500)
        + SampleText.bytes("C43D 7B 0040 0700")
    private static let rar5 =
        SampleText.bytes("'Rar!' 1A070100 00000000 04 01 00 00 00 00000000 06 02 02 F403 00 00") + filler(500)
        + SampleText.bytes("00000000 03 05 00 00")
    /// One stored block.
    private static let gzip =
        SampleText.bytes("1F8B 0800 00000000 0003 01 9001 6FFE") + filler(400) + [1, 2, 3, 4] + Build.le32(400)
    private static let xz = SampleText.bytes("FD '7zXZ' 00 0004") + filler(400) + text("YZ")
    private static let bzip = text("BZh91AY&SY") + filler(400) + SampleText.bytes("177245385090 01020304")
    private static let zstandard =
        SampleText.bytes("28B52FFD 00 58") + [0x80, 0x0C, 0] + filler(400) + [0x03, 0x0F, 0, 7]
    private static let font =
        SampleText.bytes("00010000 0002 0010 0001 0010 'head' 00000000") + be32(44) + be32(54) + text("glyf") + be32(0)
        + be32(100)
        + be32(400) + filler(456)

    private static func le64(_ value: Int) -> [UInt8] { Build.le32(value) + Build.le32(0) }
    private static func box(_ name: String, _ data: [UInt8]) -> [UInt8] { be32(data.count + 8) + text(name) + data }
    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        be32(data.count) + text(name) + data + [1, 2, 3, 4]
    }
    private static func tag(_ number: Int, _ kind: Int, _ count: Int, _ value: Int) -> [UInt8] {
        Build.le16(number) + Build.le16(kind) + Build.le32(count) + Build.le32(value)
    }
    private static func wave(length: Int) -> [UInt8] { text("RIFF") + Build.le32(length) + text("WAVE") + filler(496) }
    private static func matroska(length: [UInt8]) -> [UInt8] {
        SampleText.bytes("1A45DFA3 84 42868101 18538067") + length + filler(500)
    }
    /// Four pages of 512 bytes.
    private static func database(pages: Int = 4, version: UInt8 = 1, validFor: Int = 5) -> [UInt8] {
        var bytes = text("SQLite format 3\0") + [2, 0, version, version] + filler(2048 - 20)
        bytes.replaceSubrange(24..<32, with: be32(5) + be32(pages))
        bytes.replaceSubrange(92..<96, with: be32(validFor))
        return bytes
    }
    private static func tape(zeros: Int) -> [UInt8] {
        var header = text("file") + [UInt8](repeating: 0, count: 508)
        header.replaceSubrange(124..<136, with: text("00000001750\0"))
        header[156] = UInt8(ascii: "0")
        header.replaceSubrange(257..<265, with: text("ustar\u{0}00"))
        header.replaceSubrange(148..<156, with: text("        "))
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        header.replaceSubrange(148..<156, with: text(String(repeating: "0", count: 6 - sum.count) + sum + "\0 "))
        return header + filler(1000) + [UInt8](repeating: 0, count: 24 + zeros)
    }
}
