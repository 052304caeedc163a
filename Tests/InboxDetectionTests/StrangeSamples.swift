/// What strange collections hold: a sample for each cause of a wrong answer, with the answer by content.
enum StrangeSamples {
    static var all: [Sample] { compounds + archives + binaries + texts }

    private static func sample(_ tag: String, _ mime: String, _ identifier: String?, _ bytes: [UInt8]) -> Sample {
        Sample(name: "sample." + tag, mime: mime, identifier: identifier, bytes: bytes)
    }

    private static let star: [UInt8] = SampleText.bytes("21725C56 BC85 D111 89D0 008029E4B0B1")

    static var compounds: [Sample] {
        let nothing = [UInt8](repeating: 0, count: 16)
        return [
            // A presentation inside a letter is no presentation.
            sample(
                "doc", "application/msword", "com.microsoft.word.doc",
                Build.compound(["WordDocument", "1Table"], embedded: ["PowerPoint Document", "Workbook"])),
            sample(
                "xls", "application/vnd.ms-excel", "com.microsoft.excel.xls",
                Build.compound(["Workbook"], embedded: ["PowerPoint Document"], root: nothing)),
            sample(
                "sdd", "application/vnd.stardivision.impress", "org.openoffice.presentation",
                Build.compound(["StarDrawDocument3"], root: star)),
            sample(
                "vsd", "application/vnd.visio", nil,
                Build.compound(["Contents"], root: SampleText.bytes("141A0200 0000 0000 C000 000000000046"))),
            sample(
                "wps", "application/vnd.ms-works", nil,
                Build.compound(["CONTENTS"], root: SampleText.bytes("B25AA40E 0A9E D111 A407 00C04FB932BA"))),
            sample("qpw", "application/x-quattropro", nil, Build.compound(["NativeContent_MAIN"])),
            sample("dgn", "image/vnd.dgn", nil, Build.compound(["Dgn~H"])),
        ]
    }

    static var archives: [Sample] {
        let manifest =
            "<manifest><file-entry full-path=\"/\" media-type=\"application/vnd.oasis.opendocument.text\"/></manifest>"
        let word = "application/vnd.openxmlformats-officedocument.wordprocessingml."
        let list = "<Types><Override PartName=\"/word/document.xml\" ContentType=\"\(word)template.main+xml\"/></Types>"
        return [
            sample(
                "idml", "application/vnd.adobe.indesign-idml-package", nil,
                Build.zip([
                    ("mimetype", "application/vnd.adobe.indesign-idml-package"), ("META-INF/container.xml", "<x/>"),
                ])),
            sample(
                "odt", "application/vnd.oasis.opendocument.text", "org.oasis-open.opendocument.text",
                Build.zip([("content.xml", "<x/>"), ("mimetype", "application/vnd.oasis.opendocument.text")])),
            sample(
                "odt", "application/vnd.oasis.opendocument.text", "org.oasis-open.opendocument.text",
                Build.zip([("content.xml", "<x/>"), ("META-INF/manifest.xml", manifest)])),
            // Office leaves room between the name and the data.
            sample(
                "dotx", "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
                "org.openxmlformats.wordprocessingml.template",
                Build.zip([("[Content_Types].xml", list), ("word/document.xml", "<x/>")], extra: 520)),
            sample(
                "numbers", "application/vnd.apple.numbers", "com.apple.iwork.numbers.sffnumbers",
                Build.zip([("index.xml", "<?xml version=\"1.0\"?><ls:document/>")])),
            sample(
                "key", "application/vnd.apple.keynote", "com.apple.iwork.keynote.sffkey",
                Build.zip([("Data/a.jpg", "x"), ("Index/Document.iwa", "x"), ("Index/TemplateSlide-1.iwa", "x")])),
            sample(
                "xps", "application/vnd.ms-xpsdocument", nil,
                Build.zip([("[Content_Types].xml/[0].piece", "<x/>"), ("FixedDocSeq.fdseq/[0].last.piece", "<x/>")])),
        ]
    }

    static var binaries: [Sample] {
        SampleText.samples(binaryText) + [
            sample("dmg", "application/x-apple-diskimage", "com.apple.disk-image-udif", packedImage),
            sample("img", "application/x-raw-disk-image", "com.apple.disk-image-udif", volume),
            sample(
                "mp3", "audio/mpeg", "public.mp3",
                [UInt8](repeating: 0, count: 5000) + Build.frames([0xFF, 0xFB, 0x90, 0x64], 417)),
            sample("flac", "audio/flac", "org.xiph.flac", tag(of: 6000) + Array("fLaC".utf8) + [0, 0, 0, 0x22]),
            sample(
                "aac", "audio/aac", "public.aac-audio",
                tag(of: 6000) + Build.frames([0xFF, 0xF1, 0x50, 0x80, 0x04, 0x1F, 0xFC], 32)),
            sample("stl", "model/stl", "public.standard-tesselated-geometry-format", solid),
            sample(
                "der", "application/x-der-key", nil,
                SampleText.bytes("302A 3005 06032B6570 0321 00") + [UInt8](repeating: 7, count: 32)),
        ]
    }

    private static let binaryText = """
        pst application/vnd.ms-outlook-pst - '!BDN'00000000'SM'
        pst - com.apple.logic.pluginsetting B8010000 01000000 64000000 'GAMETSPP' *40
        skp application/vnd.sketchup.skp - FFFEFF0E'S'00'k'00'e'00't'00'c'00'h'00'U'00'p'00' '00'M'00
        kdbx application/x-keepass2 - 03D9A29A67FB4BB500000400
        gpg application/pgp-encrypted - 8C0D 04 09 03 08 0102030405060708 60 D2400102
        age application/vnd.age - 'age-encryption.org/v1'0A'-> X25519 a'0A'--- b'0A 9381
        o application/x-object public.object-code 07016400 08000000 *24
        o application/x-object public.object-code A3860100 2A210000 *24
        m4s video/iso.segment - 00000018'stypmsdh'00000000'msdhmsix' 0000002C'sidx' *36
        dwf model/vnd.dwf - '(DWF V06.00)PK'0304
        lit application/x-ms-reader - 'ITOLITLS'01000000
        mp3 audio/mpeg public.mp3 'APETAGEX'D0070000 20000000 *16 FFFB9064
        shp application/vnd.shp - 0000270A *20 00000036 E8030000 01000000 *64 00000001
        shx application/vnd.shx - 0000270A *20 00000036 E8030000 01000000 *64 00000032
        grib application/x-grib - 'GRIB'00000002 *8
        frm application/x-mysql-table-definition - FE010900 *8
        myi application/x-mysql-misam-index - FEFE0701 *8
        e57 model/e57 - 'ASTM-E57'01000000
        dgn image/vnd.dgn - 0809FE02 *8
        bga image/x-os2-bitmap-array - 'BA' 28000000 00000000 0000 0000 'BM'
        cbor application/cbor - D9D9F7A16161 01
        cbor application/cbor - A26161016162820203
        jls image/jls - FFD8FFF7000B08
        xls application/vnd.ms-excel com.microsoft.excel.xls 09040600 0000 1000
        wb1 application/x-quattropro - 000002000110
        wks application/vnd.ms-works - FF000200040405540200
        wasm application/wasm - 00'asm'0D000100
        pickle application/x-pickle - 80049506000000000000008C0161942E
        pickle application/x-pickle - 80025D71002E
        mat application/x-matlab-data - 00000000 01000000 01000000 00000000 02000000 'x'00 000000000000F03F
        img application/x-raw-disk-image com.apple.disk-image-udif *446 80 000200 83 FFFFFF 00080000 00100000 *48 55AA
        img image/x-gem - 0001 0008 0001 0002 0055 0055 0060 0040
        nii image/x-nifti gov.nih.nifti-1 5C010000 *340 'n+1'00
        npy application/x-npy - 93'NUMPY'0100 7600
        gguf application/x-gguf - 'GGUF'03000000 00000000
        safetensors application/x-safetensors - 3000000000000000'{"a":{"dtype":"F32"}}'
        h5 application/x-hdf - *1024 89'HDF'0D0A1A0A 00000000
        zst application/zstd - 502A4D18 04000000 'abcd' 28B52FFD 60B0036D
        dxf image/vnd.dxf com.autodesk.dxf 'AutoCAD Binary DXF'0D0A1A00 0000'SECTION'00
        lzma application/x-lzma org.tukaani.lzma-archive 5D00008000 FFFFFFFFFFFFFFFF 00 05 41

        """

    /// A first block that is packed, and the description at the end.
    private static var packedImage: [UInt8] {
        [0x78, 0xDA, 0x01, 0x02] + [UInt8](repeating: 0x11, count: 2000) + Array("koly".utf8)
            + [UInt8](repeating: 0, count: 508)
    }

    private static var volume: [UInt8] {
        [UInt8](repeating: 0, count: 1024) + Array("H+".utf8) + [0, 4] + [UInt8](repeating: 0, count: 1024)
    }

    private static var solid: [UInt8] {
        [UInt8](repeating: 0, count: 80) + Build.le32(2) + [UInt8](repeating: 0x3F, count: 100)
    }

    /// An ID3 tag that is longer than what is read at once.
    private static func tag(of size: Int) -> [UInt8] {
        Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(size >> 7), UInt8(size & 127)] + [UInt8](repeating: 0, count: size)
    }

    static var texts: [Sample] {
        [
            (
                "eml", "message/rfc822", "com.apple.mail.email",
                "From a Mon Jan 1 00:00:00 2024\nSubject: x\nTo: b\n\nx\n"
            ),
            ("warc", "application/warc", nil, "WARC/1.0\r\nWARC-Type: warcinfo\r\n"),
            ("arc", "application/x-internet-archive", nil, "filedesc://a.arc 0.0.0.0 20240101 text/plain 76\n"),
            ("pub", "text/x-ssh-public-key", nil, "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 a@b\n"),
            ("age", "application/vnd.age", nil, "-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n"),
            ("vcd", "application/vnd.gtkwave-vcd", nil, "$date\n    today\n$end\n$timescale 1ns $end\n"),
            ("x3d", "model/x3d+xml", nil, "<X3D profile=\"Immersive\"><Scene/></X3D>"),
            ("vue", "text/x-vue", nil, "<template>\n<p/>\n</template>\n<script>\nexport default {}\n</script>\n"),
            ("po", "text/x-gettext-translation", nil, "# Words\n#, fuzzy\nmsgid \"\"\nmsgstr \"\"\n"),
            ("cue", "application/x-cue", nil, "PERFORMER \"a\"\nTITLE \"b\"\nFILE \"a.wav\" WAVE\n"),
            ("xml", "application/xml", "public.xml", "<?xml version=\"1.0\"?><topic><html><body/></html></topic>"),
        ].map { sample($0.0, $0.1, $0.2, Array($0.3.utf8)) } + [
            // Shorter than a frame of sound that begins with the same two bytes.
            sample(
                "txt", "text/plain", "public.plain-text",
                [0xFF, 0xFE] + "A short line of text.".utf8.flatMap { [$0, 0] })
        ]
    }
}
