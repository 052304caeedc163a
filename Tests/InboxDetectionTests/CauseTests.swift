import InboxLinux
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// Causes of wrong answers that the tables of samples and of strange names do not hold yet: each with the built-in
/// knowledge alone and with this machine's database beside it.
@Suite("Causes of wrong answers")
struct CauseTests {
    private let detectors = [Detector(places: .none), Detector(places: .standard)]

    private func detect(_ name: String?, _ bytes: [UInt8], _ body: (Detection) throws -> Void) throws {
        let name = try name.map { try #require(FileName($0)) }
        for detector in detectors { try body(bytes.withUnsafeBytes { detector.detect(name, content: $0) }) }
    }

    private static let open = "application/vnd.openxmlformats-officedocument."
    private static let office = "application/vnd.ms-"

    @Test(
        "Every kind of Office document is identified by its list of parts, however much padding lies before that",
        arguments: [
            ("docx", open + "wordprocessingml.document"), ("dotx", open + "wordprocessingml.template"),
            ("docm", office + "word.document.macroEnabled"), ("dotm", office + "word.template.macroEnabledTemplate"),
            ("xlsx", open + "spreadsheetml.sheet"), ("xltx", open + "spreadsheetml.template"),
            ("xlsm", office + "excel.sheet.macroEnabled"), ("xltm", office + "excel.template.macroEnabled"),
            ("xlam", office + "excel.addin.macroEnabled"), ("pptx", open + "presentationml.presentation"),
            ("potx", open + "presentationml.template"), ("ppsx", open + "presentationml.slideshow"),
            ("pptm", office + "powerpoint.presentation.macroEnabled"),
            ("potm", office + "powerpoint.template.macroEnabled"),
            ("ppsm", office + "powerpoint.slideshow.macroEnabled"), ("vsdx", office + "visio.drawing"),
            ("vstx", office + "visio.template"), ("vssx", office + "visio.stencil"),
            ("vsdm", office + "visio.drawing.macroEnabled"), ("vstm", office + "visio.template.macroEnabled"),
            ("vssm", office + "visio.stencil.macroEnabled"),
        ])
    func padding(tag: String, content: String) throws {
        let folder = tag.hasPrefix("v") ? "visio" : tag.hasPrefix("x") ? "xl" : tag.hasPrefix("p") ? "ppt" : "word"
        let part = "\(folder)/\(folder == "xl" ? "workbook" : folder == "ppt" ? "presentation" : "document").xml"
        let list = "<Types><Override PartName=\"/\(part)\" ContentType=\"\(content).main+xml\"/></Types>"
        let named = try #require(FileName("a." + tag))
        for extra in [0, 280, 520] {
            let bytes = Build.zip([("[Content_Types].xml", list), (part, "<x/>")], extra: extra)
            for detector in detectors {
                let found = bytes.withUnsafeBytes { detector.detect(nil, content: $0) }
                #expect(found.mime == detector.detect(named: named).mime, "\(extra) bytes of padding")
                let both = bytes.withUnsafeBytes { detector.detect(named, content: $0) }
                #expect(both.evidence == .nameAndContent)
                #expect(!both.mismatch)
            }
        }
    }

    @Test(
        "A compound file is identified by the class of its root",
        arguments: [
            ("0112 0200 0000 0000 C000 000000000046", "application/vnd.ms-publisher"),
            ("3A8FB774 C8C8 D111 BE11 00C04FB6FAF1", "application/vnd.ms-project"),
            ("407E5CDC 5CB3 1B10 9961 04021C007002", "application/vnd.stardivision.writer"),
            ("61B8A5C6 D685 D111 89CB 008029E4B0B1", "application/vnd.stardivision.calc"),
            ("A005892E BD85 D111 89D0 008029E4B0B1", "application/vnd.stardivision.draw"),
            ("40E6B5FF DE85 D111 89D0 008029E4B0B1", "application/vnd.stardivision.math"),
            ("214388BF DD85 D111 89D0 008029E4B0B1", "application/vnd.stardivision.chart"),
        ])
    func classes(root: String, mime: String) throws {
        // What is embedded is another program's.
        let bytes = Build.compound(["Contents"], embedded: ["WordDocument"], root: SampleText.bytes(root))
        try detect(nil, bytes) { #expect($0.mime == mime) }
    }

    @Test(
        "An honest name is not overruled by what its format is written in",
        arguments: [
            ("a.f4p", SampleText.bytes("00000014'ftypisom'00000200'isom'"), "video/x-f4v"),
            ("a.ac3", SampleText.bytes("0B7700 3F 34 87 *40"), "audio/eac3"),
            ("a.fdf", Array("%FDF-1.2\n".utf8), "application/fdf"),
            ("a.mbtiles", SampleText.bytes("'SQLite format 3'00 *100"), "application/vnd.sqlite3"),
            ("a.h5ad", SampleText.bytes("89'HDF'0D0A1A0A"), "application/x-hdf"),
            ("a.key", Array("-----BEGIN PRIVATE KEY-----\nMIIB\n".utf8), "application/pkcs8"),
            ("a.dif", Array("TABLE\n0,1\n\"EXCEL\"\n".utf8), "text/x-dif"),
            ("ntuser.dat", SampleText.bytes("'regf' *60"), "application/x-ms-registry-hive"),
        ])
    func carriers(name: String, bytes: [UInt8], mime: String) throws {
        try detect(name, bytes) { found in
            #expect(found.mime == mime)
            #expect(!found.mismatch)
        }
    }

    @Test(
        "Text under the name of a format with a signature is no file of that format, and not flagged where it is vague",
        arguments: ["a.skp", "a.pst", "a.prt", "a.dat", "a.pfm", "a.R", "a.fit"])
    func otherWorlds(name: String) throws {
        let signed = [
            "application/vnd.sketchup.skp", "application/vnd.ms-outlook-pst", "application/x-prt", "image/fits",
            "application/x-font-printer-metric",
        ]
        try detect(name, Array("first line\nsecond line\n".utf8)) { found in
            #expect(!signed.contains(found.mime ?? ""))
            #expect(!found.mismatch)
        }
    }

    @Test(
        "Under .pst text is text, an Outlook store is one, and a setting of Logic has Apple's type",
        arguments: [
            ("'first line'0A'second line'0A", "public.plain-text", "text/plain"),
            ("B8010000 01000000 64000000 'GAMETSPP' *40", "com.apple.logic.pluginsetting", nil),
            ("'bplist00' *40", "com.apple.logic.pluginsetting", nil),
        ] as [(String, String, String?)])
    func severalTypes(bytes: String, identifier: String, mime: String?) throws {
        for name in ["a.pst", "A.PST"] {
            try detect(name, SampleText.bytes(bytes)) { found in
                #expect(found.type.identifier == identifier)
                #expect(found.mime == mime)
                #expect(found.evidence == .nameAndContent)
                #expect(!found.mismatch)
            }
        }
        try detect("a.pst", SampleText.bytes("'!BDN'00000000'SM'")) { found in
            #expect(found.mime == "application/vnd.ms-outlook-pst")
            #expect(!found.mismatch)
        }
        try detect("a.pst", SampleText.bytes("89'PNG'0D0A1A0A 0000000D'IHDR'")) { #expect($0.mismatch) }
    }

    @Test(
        "A file is honest where its name means that format too, beside a better known one",
        arguments: [
            ("a.mpc", "'id=MagickPixelCache'0A'class=DirectClass'0A", "text/plain"),
            ("a.vcd", "000001BA 2100010001800813 000001BB", "video/mpeg"),
            ("a.vcd", "83E4 45A6 0007 68C9 2A8B EC4D", "application/x-cdlink"),
            ("a.o", "07016400 08000000 *24", "application/x-object"),
            ("a.m4s", "00000014'ftypiso5'00000200'dash' 00000008'free'", "video/iso.segment"),
            ("a.prn", "1B'%-12345X@PJL JOB'0D0A", "application/vnd.hp-pcl"),
            ("a.manifest", "'<?xml version=\"1.0\"?><assembly/>'", "application/xml"),
            ("a.pcd", "'# .PCD v.7'0A'VERSION .7'0A", "text/plain"),
            ("a.lit", "'@title Words'0A", "text/plain"),
            ("a.mm", "'<map version=\"1.0.1\"><node/></map>'", "application/x-freemind"),
            ("a.fasl", "'# FASL'0A'  compiled from \"a.lisp\"'0A 4E 01 02 03 *8 FE FD", nil),
        ] as [(String, String, String?)])
    func otherMeanings(name: String, bytes: String, mime: String?) throws {
        try detect(name, SampleText.bytes(bytes)) { found in
            #expect(mime == nil || found.mime == mime)
            #expect(!found.mismatch)
        }
        try detect(name, SampleText.bytes("89'PNG'0D0A1A0A 0000000D'IHDR'")) { found in
            // The built-in knowledge has nothing of that name.
            #expect(found.mismatch || name == "a.fasl")
        }
    }

    @Test("A library of Android is honest under its usual name")
    func library() throws {
        let bytes = Build.zip([("AndroidManifest.xml", "<manifest/>"), ("classes.jar", "PK"), ("R.txt", "")])
        try detect("a.aar", bytes) { found in
            #expect(found.mime == "application/vnd.android.package-archive")
            #expect(!found.mismatch)
        }
    }

    @Test("The MIME type in an archive that was written as a stream ends where its size follows")
    func streamed() throws {
        let mime = "application/vnd.oasis.opendocument.spreadsheet"
        let entry = "'PK'0304 1400 0800 0000 00000000 00000000 00000000 00000000 0800 0000 'mimetype"
        let next = "'PK'0304 1400 0800 0800 *16 0100 0000 'a'"
        let bytes = SampleText.bytes(entry + mime + "' 'PK'0708 00000000 2E000000 2E000000" + next)
        try detect(nil, bytes) { #expect($0.mime == mime) }
        try detect("a.ods", bytes) { #expect(!$0.mismatch) }
    }

    @Test(
        "A name that says no more than bytes leaves the answer to the content",
        arguments: [("real.bin", "%PDF-1.4\n"), ("real.dat", "%PDF-1.7\n"), ("real.xyz", "%PDF-1.4 one")])
    func unspecificNames(name: String, text: String) throws {
        try detect(name, Array(text.utf8)) { found in
            #expect(found.type == .pdf)
            #expect(found.mime == "application/pdf")
        }
        // A type of which nothing but a name is known has a family all the same.
        let unknown = try #require(Detector(places: .none).type(mime: "application/x-nobody-knows"))
        #expect(unknown.type.conforms(to: .data))
    }

    @Test(
        "A name that many programs use is not taken for the one format that has claimed it, unless the content shows it",
        arguments: ["firmware.bin", "state.dat"])
    func vagueNames(name: String) throws {
        try detect(name, (0..<512).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 0x83) }) { found in
            #expect(found.type == .data)
            #expect(found.mime == "application/octet-stream")
            #expect(!found.mismatch)
        }
        try detect("winmail.dat", [0x78, 0x9F, 0x3E, 0x22] + [UInt8](repeating: 1, count: 60)) { found in
            #expect(found.mime == "application/vnd.ms-tnef")
        }
    }

    @Test(
        "A directive, a percent sign and a page inside another dialect prove nothing",
        arguments: [
            ("'use strict';\nvar a = 1;\nfunction f(x) { return x; }\n", "application/javascript"),
            ("\"use strict\";\nconst a = require(\"a\");\nmodule.exports = a;\n", "application/javascript"),
            ("% a comment of no language\nwords\n", "text/plain"),
            ("<?xml version=\"1.0\"?><topic><html><body/></html></topic>", "application/xml"),
        ])
    func coincidences(text: String, mime: String) throws {
        try detect(nil, Array(text.utf8)) { #expect($0.mime == mime) }
    }

    @Test("One word of synchronisation is no sound, two frames at their distance are")
    func frames() throws {
        let header: [UInt8] = [0xFF, 0xFB, 0x90, 0x64]
        try detect(nil, header + [UInt8](repeating: 0x55, count: 600)) { #expect($0.mime != "audio/mpeg") }
        try detect(nil, Build.frames(header, 417)) { #expect($0.mime == "audio/mpeg") }
    }

    @Test(
        "Archives and drawings without an identifier are under their kind, also where the database has superclasses",
        arguments: [
            ("application/x-lzop", "public.archive"), ("application/x-archive", "public.archive"),
            ("application/x-ace", "public.archive"), ("application/x-ms-wim", "public.archive"),
            ("application/vnd.snap", "public.archive"), ("application/x-lzip-compressed-tar", "public.archive"),
            ("application/x-zstd-compressed-tar", "public.archive"), ("application/x-tzo", "public.archive"),
            ("application/zstd", "public.archive"), ("application/x-krita", "public.image"),
            ("model/vnd.dwf", "public.3d-content"), ("model/3mf", "public.3d-content"),
            ("text/x-go", "public.source-code"),
            ("model/step+xml", "public.3d-content"),
            ("model/step+zip", "public.3d-content"), ("image/vnd.example+json", "public.image"),
            ("message/imdn+xml", "public.message"), ("audio/vnd.example", "public.audio"),
            ("video/vnd.example", "public.movie"), ("text/vnd.example", "public.text"),
        ])
    func kinds(mime: String, kind: String) throws {
        let kind = try #require(UTType(kind))
        for detector in detectors {
            let found = try #require(detector.type(mime: mime))
            #expect(found.type.conforms(to: kind))
            #expect(found.type.conforms(to: .data))
        }
    }

    @Test("Tracks behind the room for an index show whether a Matroska file is sound alone")
    func tracks() throws {
        // The document type, the segment, and a Void element of 5,000 bytes.
        let start = SampleText.bytes("1A45DFA3 8B 428288'matroska' 18538067 01FFFFFFFFFFFFFF EC 5388 *5000")
        for (codecs, mime) in [("A_OPUS", "audio/x-matroska"), ("V_VP9 A_OPUS", "video/x-matroska")] {
            let bytes = start + Array("1654AE6B".utf8) + Array(codecs.utf8)
            try detect(nil, bytes) { #expect($0.mime == mime, "\(codecs)") }
        }
    }

    @Test("Every extension of the table of formats gives by itself what a name that ends in it gives")
    func extensions() throws {
        for format in FormatTable.builtIn.formats {
            guard let tag = format.fileExtension else { continue }
            for detector in detectors {
                let named = detector.detect(named: try #require(FileName("x." + tag)))
                guard named.evidence == .name, named.type.conforms(to: .data) else { continue }
                let found = try #require(detector.type(fileExtension: tag))
                #expect(found.type == named.type, "of .\(tag)")
                #expect(found.mime == named.mime, "of .\(tag)")
            }
        }
    }
}
