/// Samples that need a container around them.
enum BuiltSamples {
    private static let ooxml = "application/vnd.openxmlformats-officedocument."
    private static let odf = "application/vnd.oasis.opendocument."

    static var all: [Sample] { packages + openDocuments + compounds + streams + raws }

    private static func sample(_ tag: String, _ mime: String, _ identifier: String?, _ bytes: [UInt8]) -> Sample {
        Sample(name: "sample." + tag, mime: mime, identifier: identifier, bytes: bytes)
    }

    private static func package(_ type: String, _ part: String) -> [UInt8] {
        Build.zip([
            ("[Content_Types].xml", "<Types><Override PartName=\"/\(part)\" ContentType=\"\(type)\"/></Types>"),
            ("_rels/.rels", "<Relationships/>"), (part, "<x/>"),
        ])
    }

    static var packages: [Sample] {
        let identifiers = "org.openxmlformats."
        let word = "application/vnd.openxmlformats-officedocument.wordprocessingml."
        let sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml."
        let slides = "application/vnd.openxmlformats-officedocument.presentationml."
        return [
            sample("zip", "application/zip", "public.zip-archive", Build.zip([("a.txt", "a")])),
            sample("zip", "application/zip", "public.zip-archive", SampleText.bytes("'PK'0506 *18")),
            sample(
                "docx", ooxml + "wordprocessingml.document", identifiers + "wordprocessingml.document",
                package(word + "document.main+xml", "word/document.xml")),
            sample(
                "dotx", ooxml + "wordprocessingml.template", identifiers + "wordprocessingml.template",
                package(word + "template.main+xml", "word/document.xml")),
            sample(
                "docm", "application/vnd.ms-word.document.macroEnabled.12",
                identifiers + "wordprocessingml.document.macroenabled",
                package("application/vnd.ms-word.document.macroEnabled.main+xml", "word/document.xml")),
            sample(
                "xlsx", ooxml + "spreadsheetml.sheet", identifiers + "spreadsheetml.sheet",
                package(sheet + "sheet.main+xml", "xl/workbook.xml")),
            sample(
                "xltx", ooxml + "spreadsheetml.template", identifiers + "spreadsheetml.template",
                package(sheet + "template.main+xml", "xl/workbook.xml")),
            sample(
                "xlsm", "application/vnd.ms-excel.sheet.macroEnabled.12",
                identifiers + "spreadsheetml.sheet.macroenabled",
                package("application/vnd.ms-excel.sheet.macroEnabled.main+xml", "xl/workbook.xml")),
            sample(
                "xlsb", "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
                "com.microsoft.excel.sheet.binary.macroenabled",
                package("application/vnd.ms-excel.sheet.binary.macroEnabled.main", "xl/workbook.bin")),
            sample(
                "pptx", ooxml + "presentationml.presentation", identifiers + "presentationml.presentation",
                package(slides + "presentation.main+xml", "ppt/presentation.xml")),
            sample(
                "ppsx", ooxml + "presentationml.slideshow", identifiers + "presentationml.slideshow",
                package(slides + "slideshow.main+xml", "ppt/presentation.xml")),
            sample(
                "pptm", "application/vnd.ms-powerpoint.presentation.macroEnabled.12",
                identifiers + "presentationml.presentation.macroenabled",
                package("application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml", "ppt/presentation.xml")),
            sample(
                "vsdx", "application/vnd.ms-visio.drawing.main+xml", nil,
                package("application/vnd.ms-visio.drawing.main+xml", "visio/document.xml")),
            sample(
                "xps", "application/vnd.ms-xpsdocument", nil,
                package("application/vnd.ms-package.xps-fixeddocumentsequence+xml", "FixedDocSeq.fdseq")),
            sample(
                "3mf", "model/3mf", nil,
                package("application/vnd.ms-package.3dmanufacturing-3dmodel+xml", "3D/3dmodel.model")),
            sample(
                "jar", "application/x-java-archive", "com.sun.java-archive",
                Build.zip([("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n"), ("A.class", "x")])),
            sample(
                "war", "application/x-webarchive+zip", "com.sun.web-application-archive",
                Build.zip([("META-INF/MANIFEST.MF", "x"), ("WEB-INF/web.xml", "<x/>")])),
            sample(
                "apk", "application/vnd.android.package-archive", nil,
                Build.zip([("AndroidManifest.xml", "x"), ("classes.dex", "dex")])),
            sample(
                "xpi", "application/x-xpinstall", "com.macitbetter.zip-archive",
                Build.zip([("install.rdf", "<RDF/>")])),
            sample(
                "ipa", "application/x-itunes-ipa", "com.apple.itunes.ipa",
                Build.zip([("Payload/", ""), ("Payload/A.app/Info.plist", "x")])),
            sample("pkpass", "application/vnd.apple.pkpass", "com.apple.pkpass-data", Build.zip([("pass.json", "{}")])),
            sample(
                "kmz", "application/vnd.google-earth.kmz", "com.google.earth.kmz", Build.zip([("doc.kml", "<kml/>")])),
            sample(
                "usdz", "model/vnd.usdz+zip", "com.pixar.universal-scene-description-mobile",
                Build.zip([("a.usdc", "PXR-USDC")])),
            sample(
                "pages", "application/vnd.apple.pages", "com.apple.iwork.pages.sffpages",
                Build.zip([("index.xml", "<sl:document/>")])),
            sample(
                "numbers", "application/vnd.apple.numbers", "com.apple.iwork.numbers.sffnumbers",
                Build.zip([("Index/Document.iwa", "x"), ("Index/Tables/Tile.iwa", "x")])),
            sample(
                "key", "application/vnd.apple.keynote", "com.apple.iwork.keynote.sffkey",
                Build.zip([("Index/Document.iwa", "x"), ("Index/Slide.iwa", "x")])),
        ]
    }

    static var openDocuments: [Sample] {
        let kinds: [(String, String, String?)] = [
            ("odt", odf + "text", "org.oasis-open.opendocument.text"),
            ("ott", odf + "text-template", "org.oasis-open.opendocument.text-template"),
            ("ods", odf + "spreadsheet", "org.oasis-open.opendocument.spreadsheet"),
            ("odp", odf + "presentation", "org.oasis-open.opendocument.presentation"),
            ("odg", odf + "graphics", "org.oasis-open.opendocument.graphics"),
            ("odf", odf + "formula", "org.oasis-open.opendocument.formula"),
            ("epub", "application/epub+zip", "org.idpf.epub-container"),
            ("sxw", "application/vnd.sun.xml.writer", "org.openoffice.text"),
            ("kra", "application/x-krita", nil),
            ("ora", "image/openraster", nil),
        ]
        return kinds.map { tag, mime, identifier in
            sample(tag, mime, identifier, Build.zip([("mimetype", mime), ("content.xml", "<x/>")]))
        }
    }

    static var compounds: [Sample] {
        [
            sample("doc", "application/msword", "com.microsoft.word.doc", Build.compound(["WordDocument"])),
            sample("xls", "application/vnd.ms-excel", "com.microsoft.excel.xls", Build.compound(["Workbook"])),
            sample(
                "ppt", "application/vnd.ms-powerpoint", "com.microsoft.powerpoint.ppt",
                Build.compound(["PowerPoint Document"])),
            sample("msg", "application/vnd.ms-outlook", nil, Build.compound(["__properties_version1.0"])),
            sample("vsd", "application/vnd.visio", nil, Build.compound(["VisioDocument"])),
            sample("pub", "application/vnd.ms-publisher", nil, Build.compound(["Quill"])),
            sample(
                "msi", "application/x-msi", "com.microsoft.msi-installer",
                Build.compound([], root: SampleText.bytes("84100C0000000000C000000000000046"))),
            sample("hwp", "application/x-hwp", nil, Build.compound(["FileHeader"])),
        ]
    }

    static var streams: [Sample] {
        [
            sample("ogg", "audio/x-vorbis+ogg", "org.xiph.ogg-audio", Build.ogg(["\u{1}vorbis"])),
            sample("opus", "audio/x-opus+ogg", "org.xiph.opus", Build.ogg(["OpusHead"])),
            sample("speex", "audio/x-speex+ogg", "org.xiph.ogg-audio", Build.ogg(["Speex   "])),
            sample("oga", "audio/x-flac+ogg", "org.xiph.ogg-audio", Build.ogg(["\u{7F}FLAC"])),
            sample("ogv", "video/x-theora+ogg", "org.xiph.ogv", Build.ogg(["\u{0}theora"])),
            sample("ogv", "video/ogg", "org.xiph.ogv", Build.ogg(["\u{0}theora", "\u{1}vorbis"])),
            sample("tar", "application/x-tar", "public.tar-archive", Build.tar("a.txt", isMarked: true)),
            sample("tar", "application/x-tar", "public.tar-archive", Build.tar("a.txt", isMarked: false)),
            sample("ts", "video/mp2t", "public.mpeg-2-transport-stream", Build.repeated(0x47, every: 188, 5)),
            sample("mp3", "audio/mpeg", "public.mp3", Build.frames([0xFF, 0xFB, 0x90, 0x64], 417)),
            sample("mp2", "audio/mp2", "public.mp2", Build.frames([0xFF, 0xFD, 0x84, 0x04], 384)),
            sample("svgz", "image/svg+xml-compressed", "public.svg-image", Build.gzip("<svg xmlns=\"x\"/>")),
            sample(
                "tgz", "application/x-compressed-tar", "org.gnu.gnu-zip-tar-archive",
                Build.gzip(bytes: Build.tar("a.txt", isMarked: true))),
            sample("iso", "application/x-cd-image", "public.iso-image", Build.disc()),
            sample("dmg", "application/x-apple-diskimage", "com.apple.disk-image-udif", Build.diskImage()),
        ]
    }

    static var raws: [Sample] {
        [
            sample(
                "nef", "image/x-nikon-nef", "com.nikon.raw-image",
                Build.raw(make: "NIKON CORPORATION", model: "NIKON D1")),
            sample(
                "nrw", "image/x-nikon-nrw", "com.nikon.nrw-raw-image", Build.raw(make: "NIKON", model: "COOLPIX P1")),
            sample("arw", "image/x-sony-arw", "com.sony.arw-raw-image", Build.raw(make: "SONY", model: "A7")),
            sample("pef", "image/x-pentax-pef", "com.pentax.raw-image", Build.raw(make: "PENTAX", model: "K1")),
            sample("srw", "image/x-samsung-srw", "com.samsung.raw-image", Build.raw(make: "SAMSUNG", model: "NX")),
            sample(
                "dng", "image/x-adobe-dng", "com.adobe.raw-image", Build.raw(make: "Leica", model: "M", isDNG: true)),
        ]
    }
}
