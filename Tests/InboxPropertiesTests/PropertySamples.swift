import UniformTypeIdentifiers

/// Documents of all formats that have properties, made from their bytes.
struct PropertySample {
    let name: String
    let type: UTType
    let bytes: [UInt8]
    /// The date, what it is from, the title and the author.
    let expected: [String?]

    static let all: [PropertySample] = pictures + documents + texts + sound + films

    init(_ name: String, _ bytes: [UInt8], _ expected: [String?], type: UTType = .data) {
        self.name = name
        self.type = type
        self.bytes = bytes
        self.expected = expected
    }

    // MARK: Numbers

    static func big(_ value: Int, _ size: Int = 4) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func little(_ value: Int, _ size: Int = 4) -> [UInt8] { big(value, size).reversed() }

    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func wide(_ text: String) -> [UInt8] { text.utf16.flatMap { little(Int($0), 2) } }

    // MARK: Pictures

    /// A directory of TIFF with a second one that has a date, and its offset from UTC.
    static func exif(isBig: Bool, date: String, offset: String) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] { isBig ? big(value, size) : little(value, size) }
        func entry(_ tag: Int, _ kind: Int, _ count: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(kind, 2) + number(count, 4) + number(value, 4)
        }
        let first = number(1, 2) + entry(0x8769, 4, 1, 26) + number(0, 4)
        let second = number(2, 2) + entry(0x9003, 2, 20, 56) + entry(0x9011, 2, 7, 76) + number(0, 4)
        return (isBig ? text("MM\0*") : text("II*\0")) + number(8, 4) + first + second + text(date + "\0")
            + text(offset + "\0")
    }

    static let packet = text(
        """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
        xmlns:a="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" a:CreateDate="2012-05-06T07:08">
        <dc:title><rdf:Alt><rdf:li xml:lang="de">Berge</rdf:li><rdf:li xml:lang="x-default">Hills &amp; more</rdf:li></rdf:Alt>
        </dc:title><dc:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Ben</rdf:li></rdf:Seq></dc:creator>
        </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
        """)

    private static func segment(_ mark: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, mark] + big(content.count + 2, 2) + content
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count) + text(name) + content + big(0)
    }

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8) + name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + content
    }

    /// A picture in HEIF, whose EXIF lies after the list of its items.
    private static var heif: [UInt8] {
        let block = big(0) + exif(isBig: true, date: "2017:08:09 10:11:12", offset: "-03:30")
        let names = box(
            "iinf", big(0) + big(1, 2) + box("infe", [2, 0, 0, 0] + big(7, 2) + big(0, 2) + text("Exif\0")))
        let start = box("ftyp", text("heic\0\0\0\0mif1heic"))
        func list(_ offset: Int) -> [UInt8] {
            box(
                "iloc",
                big(0) + [0x44, 0] + big(1, 2) + big(7, 2) + big(0, 2) + big(1, 2) + big(offset) + big(block.count))
        }
        let meta = box("meta", big(0) + names + list(0))
        let offset = start.count + meta.count + 8
        return start + box("meta", big(0) + names + list(offset)) + box("mdat", block)
    }

    private static let widePacket = String(decoding: packet, as: UTF8.self).utf16.flatMap { big(Int($0), 2) }

    /// A chunk of EXIF in hexadecimal digits, packed or not.
    private static func profile(_ isPacked: Bool, _ block: [UInt8]) -> [UInt8] {
        let digits = (text("Exif\0\0") + block).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let written = text("\nexif\n    \(block.count + 6)\n\(digits.prefix(72))\n\(digits.dropFirst(72))\n")
        return text("Raw profile type exif\0") + (isPacked ? [0] + stored(written) : written)
    }

    /// Sigma's raw with a preview that has EXIF.
    private static func sigma(_ preview: [UInt8]) -> [UInt8] {
        let start = text("FOVb") + [UInt8](repeating: 0, count: 60)
        let part = text("SECi") + [UInt8](repeating: 0, count: 24) + preview
        return start + part + text("SECd") + little(2) + little(1) + little(start.count) + little(part.count)
            + text("IMA2") + little(start.count + part.count)
    }

    /// Canon's raw: a heap in a heap, each with a list at its end, and a date by the camera's clock.
    private static var canon: [UInt8] {
        func list(_ tag: Int, _ size: Int) -> [UInt8] { little(1, 2) + little(tag, 2) + little(size) + little(0) }
        let inner = little(1_068_485_966) + little(0, 8) + list(0x180E, 12) + little(12)
        return text("II") + little(26) + text("HEAPCCDR") + [UInt8](repeating: 0, count: 12) + inner
            + list(0x300A, inner.count) + little(inner.count)
    }

    static let pictures: [PropertySample] = {
        let block = exif(isBig: false, date: "2011:03:04 05:06:07", offset: "+01:00")
        let found: [String?] = ["2011-03-04T05:06:07+01:00", "exif", nil, nil]
        let described: [String?] = ["2012-05-06T07:08", "xmp", "Hills & more", "Ann"]
        let end: [UInt8] = [0xFF, 0xDA, 0, 2, 0xFF, 0xD9]
        let png: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", [UInt8](repeating: 1, count: 13))
        return [
            PropertySample(
                "exif.jpg",
                [0xFF, 0xD8] + segment(0xE0, text("JFIF\0")) + segment(0xE1, text("Exif\0\0") + block) + end,
                found),
            PropertySample(
                "xmp.jpg", [0xFF, 0xD8] + segment(0xE1, text("http://ns.adobe.com/xap/1.0/\0") + packet) + end,
                described),
            PropertySample(
                "both.jpg",
                [0xFF, 0xD8] + segment(0xE1, text("http://ns.adobe.com/xap/1.0/\0") + packet)
                    + segment(0xE1, text("Exif\0\0") + block) + end,
                ["2011-03-04T05:06:07+01:00", "exif", "Hills & more", "Ann"]),
            PropertySample(
                "late.jpg",
                [0xFF, 0xD8] + segment(0xE2, [UInt8](repeating: 0, count: 60000))
                    + segment(0xE2, [UInt8](repeating: 0, count: 60000)) + segment(0xE1, text("Exif\0\0") + block)
                    + end,
                found),
            PropertySample("plain.tif", block, found),
            PropertySample(
                "big.tif", exif(isBig: true, date: "2011:03:04 05:06:07", offset: "      "),
                ["2011-03-04T05:06:07", "exif", nil, nil]),
            PropertySample(
                "unset.tif", exif(isBig: true, date: "0000:00:00 00:00:00", offset: "+00:00"), [nil, nil, nil, nil]),
            PropertySample("exif.png", png + chunk("eXIf", block) + chunk("IEND", []), found),
            PropertySample(
                "xmp.png", png + chunk("iTXt", text("XML:com.adobe.xmp\0\0\0\0\0") + packet) + chunk("IEND", []),
                described),
            PropertySample(
                "end.png",
                png + chunk("IDAT", [UInt8](repeating: 7, count: 150_000)) + chunk("eXIf", block) + chunk("IEND", []),
                found),
            PropertySample(
                "exif.webp",
                text("RIFF") + little(200) + text("WEBPVP8L") + little(3) + [1, 2, 3, 0] + text("EXIF")
                    + little(block.count) + block,
                found),
            PropertySample("exif.heic", heif, ["2017-08-09T10:11:12-03:30", "exif", nil, nil]),
            PropertySample(
                "wide.jpg",
                [0xFF, 0xD8] + segment(0xE1, text("http://ns.adobe.com/xap/1.0/\0") + widePacket) + end, described),
            PropertySample("plain-profile.png", png + chunk("tEXt", profile(false, block)) + chunk("IEND", []), found),
            PropertySample("packed-profile.png", png + chunk("zTXt", profile(true, block)) + chunk("IEND", []), found),
            PropertySample("a.gif", text("GIF89a") + [UInt8](repeating: 0, count: 50) + packet, described),
            PropertySample(
                "a.eps", text("%!PS-Adobe-3.0\n") + [UInt8](repeating: 0x20, count: 9000) + packet, described),
            PropertySample(
                "a.psd",
                text("8BPS") + [UInt8](repeating: 0, count: 22) + big(2) + [1, 2] + big(block.count + packet.count + 28)
                    + text("8BIM") + big(0x424, 2) + [2, 0x61, 0x62, 0] + big(packet.count) + packet
                    + [UInt8](repeating: 0, count: packet.count % 2) + text("8BIM") + big(0x422, 2) + [0, 0]
                    + big(block.count) + block,
                ["2011-03-04T05:06:07+01:00", "exif", "Hills & more", "Ann"]),
            PropertySample(
                "a.mrw",
                text("\0MRM") + big(0) + text("\0PRD") + big(1) + [0] + text("\0TTW")
                    + big(block.count) + block, found),
            PropertySample("a.x3f", sigma([0xFF, 0xD8] + segment(0xE1, text("Exif\0\0") + block) + end), found),
            PropertySample("a.crw", canon, ["2003-11-10T17:39:26", "exif", nil, nil]),
        ]
    }()

    // MARK: Documents

    /// A PDF of these objects with a plain table.
    static func portable(_ objects: [String], trailer: String) -> [UInt8] {
        var bytes = text("%PDF-1.4\n")
        var rows = ["0000000000 65535 f \n"]
        for (index, object) in objects.enumerated() {
            let place = String(bytes.count)
            rows.append(String(repeating: "0", count: 10 - place.count) + place + " 00000 n \n")
            bytes += text("\(index + 1) 0 obj\n\(object)\nendobj\n")
        }
        let start = bytes.count
        bytes += text("xref\n0 \(rows.count)\n" + rows.joined())
        return bytes + text("trailer\n<</Size \(rows.count) \(trailer)>>\nstartxref\n\(start)\n%%EOF\n")
    }

    /// A PDF whose objects are in a stream, and its table too.
    private static var packedPortable: [UInt8] {
        let first = "<</Type/Catalog>>"
        let second = "<</Title<FEFF00420065007200670065>/CreationDate(D:20080102)>>"
        let header = "1 0 2 \(first.utf8.count + 1) "
        let objects = stored(text(header + first + " " + second))
        var bytes = text("%PDF-1.5\n")
        let streamPlace = bytes.count
        bytes += text(
            "3 0 obj\n<</Type/ObjStm/N 2/First \(header.utf8.count)/Filter/FlateDecode/Length \(objects.count)>>\nstream\n"
        )
        bytes += objects + text("\nendstream\nendobj\n")
        let tablePlace = bytes.count
        func row(_ kind: UInt8, _ value: Int, _ index: UInt8) -> [UInt8] { [kind] + big(value, 2) + [index] }
        let rows = row(0, 0, 0) + row(2, 3, 0) + row(2, 3, 1) + row(1, streamPlace, 0) + row(1, tablePlace, 0)
        // Each row is the difference to the one above, as programs write it.
        var differences: [UInt8] = []
        for start in stride(from: 0, to: rows.count, by: 4) {
            differences.append(2)
            for index in start..<(start + 4) { differences.append(rows[index] &- (start > 0 ? rows[index - 4] : 0)) }
        }
        let table = stored(differences)
        bytes += text(
            "4 0 obj\n<</Type/XRef/Size 5/W[1 2 1]/Root 1 0 R/Info 2 0 R/Filter/FlateDecode"
                + "/DecodeParms<</Predictor 12/Columns 4>>/Length \(table.count)>>\nstream\n")
        return bytes + table + text("\nendstream\nendobj\nstartxref\n\(tablePlace)\n%%EOF\n")
    }

    /// A PDF of which so much is in the table that its last rows are out of reach.
    private static func cutPortable(_ objects: [String]) -> [UInt8] {
        var bytes = text("%PDF-1.5\n") + [UInt8](repeating: 0x20, count: 120_000)
        for (index, object) in objects.enumerated() { bytes += text("\(index + 1) 0 obj\n\(object)\nendobj\n") }
        let place = bytes.count
        let table = stored([0, 0, 0, 0])
        bytes += text(
            "3 0 obj\n<</Type/XRef/Size 4/W[1 2 1]/Root 1 0 R/Info 2 0 R/Filter/FlateDecode/Length \(table.count)>>\n"
                + "stream\n")
        bytes += table + text("\nendstream\nendobj\n") + [UInt8](repeating: 0x20, count: 20_000)
        return bytes + text("startxref\n\(place)\n%%EOF\n")
    }

    /// Bytes as a stream of zlib that packs nothing.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        [0x78, 0x01, 1] + little(bytes.count, 2) + little(bytes.count ^ 0xFFFF, 2) + bytes + big(0)
    }

    /// An archive of parts that are not packed.
    static func archive(_ parts: [(name: String, content: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        var directory: [UInt8] = []
        for part in parts {
            let content = text(part.content)
            let numbers = little(0) + little(content.count) + little(content.count) + little(part.name.utf8.count, 2)
            directory +=
                text("PK\u{1}\u{2}") + little(20, 2) + little(20, 2) + [UInt8](repeating: 0, count: 8) + numbers
            directory += [UInt8](repeating: 0, count: 12) + little(bytes.count) + text(part.name)
            bytes += text("PK\u{3}\u{4}") + little(20, 2) + [UInt8](repeating: 0, count: 8) + numbers + little(0, 2)
            bytes += text(part.name) + content
        }
        return bytes + directory + text("PK\u{5}\u{6}") + little(0) + little(parts.count, 2) + little(parts.count, 2)
            + little(directory.count) + little(bytes.count) + little(0, 2)
    }

    static let documents: [PropertySample] = {
        let catalog = "<</Type/Catalog>>"
        let described = "<</Type/Catalog/Metadata 2 0 R>>"
        let metadata =
            "<</Type/Metadata/Length \(packet.count)>>\nstream\n\(String(decoding: packet, as: UTF8.self))\nendstream"
        let information = "<</Title(Stra\\337e \\(neu\\))/Author(Ann)/CreationDate(D:20240301174501+01'00')>>"
        let old = portable([catalog, information], trailer: "/Root 1 0 R/Info 2 0 R")
        let newer = text("2 0 obj\n<</CreationDate(D:2025)/Title(New)>>\nendobj\n")
        let place = String(old.count)
        let row = String(repeating: "0", count: 10 - place.count) + place
        let oldTable =
            String(decoding: old, as: UTF8.self).split(separator: "\n").dropLast().last.map(String.init) ?? ""
        let updated =
            old + newer
            + text(
                "xref\n2 1\n\(row) 00000 n \ntrailer\n<</Size 3/Root 1 0 R/Info 2 0 R/Prev \(oldTable)>>\nstartxref\n"
                    + "\(old.count + newer.count)\n%%EOF\n")
        let core = """
            <cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
            xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Plan</dc:title>
            <dc:creator>Ann; Ben</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">2013-01-27T09:14:16Z</dcterms:created>
            </cp:coreProperties>
            """
        let meta = """
            <?xml version="1.0"?><office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
            xmlns:m="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta>
            <m:creation-date>2009-08-07T06:05:04.3</m:creation-date><m:initial-creator>Ann</m:initial-creator>
            <dc:creator>Ben</dc:creator><dc:title><![CDATA[Plan]]></dc:title></office:meta></office:document-meta>
            """
        let book = """
            <package><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Emma</dc:title>
            <dc:creator>Jane Austen</dc:creator><dc:date opf:event="modification">2020-01-01</dc:date><dc:date>1994-08</dc:date>
            </metadata></package>
            """
        return [
            PropertySample("plain.pdf", old, ["2024-03-01T17:45:01+01:00", "pdf", "Straße (neu)", "Ann"]),
            PropertySample("updated.pdf", updated, ["2025", "pdf", "New", nil]),
            PropertySample("packed.pdf", packedPortable, ["2008-01-02", "pdf", "Berge", nil]),
            PropertySample(
                "xmp.pdf",
                portable([described, metadata, information], trailer: "/Root 1 0 R/Info 3 0 R"),
                ["2012-05-06T07:08", "xmp", "Hills & more", "Ann"]),
            PropertySample(
                "encrypted.pdf",
                portable([catalog, information], trailer: "/Root 1 0 R/Info 2 0 R/Encrypt 9 0 R"), [nil, nil, nil, nil]),
            PropertySample(
                "encrypted-xmp.pdf",
                portable([described, metadata, information], trailer: "/Root 1 0 R/Info 3 0 R/Encrypt 9 0 R"),
                ["2012-05-06T07:08", "xmp", "Hills & more", "Ann"]),
            PropertySample(
                "cut-table.pdf", cutPortable([catalog, information]),
                ["2024-03-01T17:45:01+01:00", "pdf", "Straße (neu)", "Ann"]),
            PropertySample(
                "damaged.pdf", old.dropLast(20) + text("startxref\n77777\n%%EOF"),
                ["2024-03-01T17:45:01+01:00", "pdf", "Straße (neu)", "Ann"]),
            PropertySample(
                "useless.pdf",
                portable([catalog, "<</Title(Microsoft Word - x.doc)/Author( )>>"], trailer: "/Root 1 0 R/Info 2 0 R"),
                [nil, nil, nil, nil]),
            PropertySample(
                "a.docx", archive([("[Content_Types].xml", "<Types/>"), ("docProps/core.xml", core)]),
                ["2013-01-27T09:14:16Z", "office", "Plan", "Ann"]),
            PropertySample(
                "a.odt", archive([("mimetype", "application/vnd.oasis.opendocument.text"), ("meta.xml", meta)]),
                ["2009-08-07T06:05:04", "odf", "Plan", "Ann"]),
            PropertySample("a.fodt", text(meta), ["2009-08-07T06:05:04", "odf", "Plan", "Ann"], type: .xml),
            PropertySample(
                "a.epub", archive([("mimetype", "application/epub+zip"), ("OEBPS/content.opf", book)]),
                ["1994-08", "epub", "Emma", "Jane Austen"]),
            PropertySample("a.doc", CompoundSample.document, ["2010-11-12T13:14:15Z", "office", "Berichü", "Eva"]),
            PropertySample("far.doc", CompoundSample.scattered, ["2010-11-12T13:14:15Z", "office", "Berichü", "Eva"]),
            PropertySample("a.msg", CompoundSample.mail, ["2010-11-12T13:14:15Z", "mail", "Ürgent", "Эva"]),
        ]
    }()

    // MARK: Texts

    static let texts: [PropertySample] = [
        PropertySample(
            "plain.eml",
            text(
                "From: \"Doe, Ann\" <ann@example.org>\r\nDate: Fri, 1 Mar 2024 17:45:01 +0100 (CET)\r\nSubject: Hello\r\n"
                    + " world\r\n\r\nSubject: no\r\n"),
            ["2024-03-01T17:45:01+01:00", "mail", "Hello world", "Doe, Ann"], type: .emailMessage),
        PropertySample(
            "words.eml",
            text(
                "Subject: =?utf-8?q?Gr=C3?= =?utf-8?q?=BC=C3=9Fe?= an =?ISO-8859-1?B?5A==?=\nFrom: b@example.org\n"
                    + "Date: 3 Feb 99 1:02 EST\n\n"),
            ["1999-02-03T01:02-05:00", "mail", "Grüße an ä", "b@example.org"], type: .emailMessage),
        PropertySample(
            "koi8.eml", text("Subject: =?koi8-r?B?8NLJ18XU?=\nFrom: =?koi8-r?q?=E1?= <a@b.c>\n\n"),
            [nil, nil, "Привет", "А"], type: .emailMessage),
        PropertySample(
            "western.eml", text("Subject: caf") + [0xE9] + text("\nFrom: K") + [0xF6] + text("ln\n\n"),
            [nil, nil, "café", "Köln"], type: .emailMessage),
        PropertySample(
            "western.html", text("<html><head><title>Gr") + [0xFC, 0xDF] + text("e</title></head>"),
            [nil, nil, "Grüße", nil], type: .html),
        PropertySample(
            "page.html",
            text(
                "<!doctype html><html><head><meta charset=utf-8><title>\n R&amp;D\n&#8211; caf&eacute; </title>"
                    + "<meta name=\"author\" content='Ann'></head><body><title>no</title>"),
            [nil, nil, "R&D – café", "Ann"], type: .html),
        PropertySample(
            "page.xhtml", text("<?xml version=\"1.0\"?><html><head><title>X</title></head></html>"),
            [nil, nil, "X", nil], type: UTType("public.xhtml") ?? .data),
        PropertySample(
            "other.txt", text("Subject: no mail\nDate: 1 Jan 2001\n\n"), [nil, nil, nil, nil], type: .plainText),
    ]

    // MARK: Sound

    private static func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
        text(name) + big(content.count) + [0, 0] + content
    }

    private static func tag(_ version: UInt8, _ frames: [UInt8]) -> [UInt8] {
        text("ID3") + [version, 0, 0] + [0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 0x7F)] + frames
    }

    private static let comments: [UInt8] =
        little(1) + text("v") + little(3)
        + ["TITLE=Lied", "artist=Änne", "Date=1999-05-06"].flatMap { comment in
            little(comment.utf8.count) + text(comment)
        }

    private static func page(_ sequence: Int, _ payload: [UInt8]) -> [UInt8] {
        let segments = [UInt8](repeating: 255, count: payload.count / 255) + [UInt8(payload.count % 255)]
        return text("OggS") + [0, 0] + little(0, 8) + little(5) + little(sequence) + little(0) + [UInt8(segments.count)]
            + segments + payload
    }

    static let sound: [PropertySample] = [
        PropertySample(
            "wide.mp3",
            tag(
                3,
                frame("TYER", text("\u{0}2005")) + frame("TDAT", text("\u{0}0402"))
                    + frame("TIT2", [1, 0xFF, 0xFE] + wide("Ünter")) + frame("TPE1", [0, 0xC4, 0x6E, 0x6E])),
            ["2005-02-04", "id3", "Ünter", "Änn"]),
        PropertySample(
            "new.mp3", tag(4, frame("TDRC", text("\u{3}2004-05-06T07:08")) + frame("TIT2", text("\u{3}Tür\0other"))),
            ["2004-05-06T07:08", "id3", "Tür", nil]),
        PropertySample(
            "two-tags.mp3",
            tag(3, frame("TIT2", text("\u{0}First"))) + tag(3, frame("TYER", text("\u{0}1991"))),
            ["1991", "id3", "First", nil]),
        PropertySample(
            "a.aiff",
            text("FORM") + big(100) + text("AIFFCOMM") + big(3) + [1, 2, 3, 0] + text("ID3 ") + big(30)
                + tag(4, frame("TIT2", text("\u{3}Chunk"))),
            [nil, nil, "Chunk", nil]),
        PropertySample(
            "a.flac", text("fLaC") + [0] + big(2, 3) + [1, 2] + [0x84] + big(comments.count, 3) + comments,
            ["1999-05-06", "vorbis", "Lied", "Änne"]),
        PropertySample(
            "a.ogg",
            page(0, text("\u{1}vorbis")) + page(1, text("\u{3}vorbis") + comments.prefix(20))
                + page(2, Array(comments.dropFirst(20))),
            ["1999-05-06", "vorbis", "Lied", "Änne"]),
        PropertySample(
            "cover.ogg",
            page(0, text("\u{1}vorbis")) + page(1, Array(covered.prefix(65_000)))
                + page(2, Array(covered.dropFirst(65_000))),
            ["1999-05-06", "vorbis", "Lied", "Änne"]),
    ]

    /// The same comments after a picture of 90,000 bytes.
    private static let covered: [UInt8] = {
        let picture = text("METADATA_BLOCK_PICTURE=") + [UInt8](repeating: 0x41, count: 90_000)
        return text("\u{3}vorbis") + little(1) + text("v") + little(4) + little(picture.count) + picture
            + comments.dropFirst(9)
    }()

    // MARK: Films

    private static func item(_ name: String, _ value: String) -> [UInt8] {
        box(name, box("data", big(1) + big(0) + text(value)))
    }

    private static func element(_ identifier: [UInt8], _ content: [UInt8]) -> [UInt8] {
        identifier + [0x40 | UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }

    static let films: [PropertySample] = {
        let header = box("mvhd", big(0) + big(3_313_926_855) + big(0) + big(600) + big(0))
        let unset = box("mvhd", big(0) + big(0) + big(0) + big(600) + big(0))
        let name = "com.apple.quicktime.creationdate"
        let keys = box("keys", big(0) + big(1) + box("mdta", text(name)))
        let list = box("ilst", item("\0\0\0\u{1}", "2019-07-14T12:34:56+0200"))
        let handler = box("hdlr", [UInt8](repeating: 0, count: 24))
        let tags = box("ilst", item("\u{A9}nam", "Tag") + item("\u{A9}ART", "Ann") + item("\u{A9}day", "2003"))
        let start = box("ftyp", text("isom\0\0\0\0isom"))
        let info = element(
            [0x15, 0x49, 0xA9, 0x66],
            element([0x44, 0x61], big(300_000_000_000_000_000, 8)) + element([0x7B, 0xA9], text("Film")))
        return [
            PropertySample(
                "keys.mov",
                box("ftyp", text("qt  \0\0\0\0")) + box("moov", header + box("meta", handler + keys + list)),
                ["2019-07-14T12:34:56+02:00", "quicktime", nil, nil]),
            PropertySample(
                "late.mp4", start + box("mdat", [UInt8](repeating: 3, count: 120_000)) + box("moov", header),
                ["2009-01-04T15:14:15Z", "quicktime", nil, nil]),
            PropertySample(
                "tags.m4a",
                start + box("moov", unset + box("udta", box("meta", big(0) + handler + tags))),
                ["2003", "mp4", "Tag", "Ann"]),
            PropertySample("unset.mp4", start + box("moov", unset), [nil, nil, nil, nil]),
            PropertySample(
                "packed.mov",
                box("moov", box("cmov", box("dcom", text("zlib")) + box("cmvd", big(0) + stored(box("moov", header))))),
                ["2009-01-04T15:14:15Z", "quicktime", nil, nil]),
            PropertySample(
                "a.mkv",
                element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], text("matroska")))
                    + element([0x18, 0x53, 0x80, 0x67], info),
                ["2010-07-05T05:20:00Z", "matroska", "Film", nil]),
        ]
    }()
}
