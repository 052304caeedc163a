import InboxLinux
import InboxTestSupport
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// Supertypes that people route by, and texts and bytes under names that mean something else.
@Suite("Types that documents are routed by")
struct RoutingTests {
    private func detect(_ name: String?, _ bytes: [UInt8], _ body: (Detection) throws -> Void) throws {
        for found in try BothDetectors.detect(name, bytes) { try body(found) }
    }

    @Test(
        "A document conforms to what it is used as",
        arguments: [
            ("azw3", "public.composite-content"), ("mobi", "public.composite-content"),
            ("lit", "public.composite-content"), ("fb2", "public.composite-content"),
            ("pdb", "public.composite-content"), ("wpd", "public.composite-content"),
            ("wps", "public.composite-content"), ("hwp", "public.composite-content"),
            ("idml", "public.composite-content"), ("vsd", "public.composite-content"),
            ("pub", "public.composite-content"), ("vsdx", "public.composite-content"),
            ("msg", "public.email-message"), ("fods", "public.spreadsheet"), ("gnumeric", "public.spreadsheet"),
            ("fodp", "public.presentation"), ("odp", "org.oasis-open.opendocument"), ("odp", "public.presentation"),
            ("xlsb", "public.zip-archive"), ("xlsb", "public.composite-content"), ("xlsb", "public.spreadsheet"),
            ("xlsb", "public.executable"), ("aupreset", "com.apple.xml-property-list"),
            ("md", "public.utf8-plain-text"), ("aivu", "public.movie"), ("qta", "public.audio"), ("itt", "public.xml"),
            ("order", "public.data"), ("crx", "public.archive"), ("ipa", "public.archive"),
            ("sqlite3", "public.database"), ("gpkg", "public.database"),
        ])
    func supertypes(tag: String, supertype: String) throws {
        let wanted = try #require(UTType(supertype))
        for detector in BothDetectors.all {
            let found = try #require(detector.type(fileExtension: tag))
            #expect(found.type.conforms(to: wanted), "\(found.type) of .\(tag)")
        }
    }

    @Test(
        "Names and MIME types that only resemble text or pictures are neither",
        arguments: [("vsdx", UTType.text), ("vstm", .text), ("gpg", .text), ("p7m", .text), ("p7s", .text)])
    func noSupertypes(tag: String, supertype: UTType) throws {
        for detector in BothDetectors.all {
            let found = try #require(detector.type(fileExtension: tag))
            #expect(!found.type.conforms(to: supertype), "\(found.type) of .\(tag)")
        }
    }

    @Test("A MIME type that ends in +xml says nothing of XML: the content of a file does")
    func markup() throws {
        for detector in BothDetectors.all {
            #expect(try #require(detector.type(mime: "application/vnd.example+xml")).type.conforms(to: .xml) == false)
        }
        try detect("a.osm", Array("<?xml version=\"1.0\"?>\n<osm version=\"0.6\"/>\n".utf8)) {
            #expect($0.type.conforms(to: .xml) && !$0.mismatch, "\($0)")
        }
        try detect("a.osm", [UInt8](0...255)) { #expect(!$0.type.conforms(to: .text), "\($0)") }
    }

    @Test("The streams of a compound file count, not the class of the program that wrote it")
    func streams() throws {
        let word = SampleText.bytes("0609 0200 0000 0000 C000 000000000046")
        let excel = SampleText.bytes("2008 0200 0000 0000 C000 000000000046")
        for (stream, root, tag, mime) in [
            ("Workbook", word, "xls", "application/vnd.ms-excel"), ("Book", word, "xls", "application/vnd.ms-excel"),
            ("WordDocument", excel, "doc", "application/msword"),
        ] {
            for name in [nil, "a." + tag] {
                try detect(name, Build.compound([stream], root: root)) {
                    #expect($0.mime == mime && !$0.mismatch, "\($0)")
                }
            }
        }
    }

    @Test("Texts that are known by their content are so under names that rarer texts and bytes have")
    func knownTexts() throws {
        try detect("index.tpl", Array("<div class=\"a\">{$title}</div>\n<p>More of it</p>\n".utf8)) {
            #expect($0.type.conforms(to: .text) && $0.mime != "application/vnd.groove-tool-template", "\($0)")
            #expect(!$0.mismatch)
        }
        try detect("page.prn", Array("%!PS-Adobe-3.0\n%%Pages: 1\n%%EndComments\nshowpage\n".utf8)) {
            #expect($0.mime == "application/postscript" && !$0.mismatch, "\($0)")
        }
        try detect("7.emlx", Array("120\nFrom: ada@example.org\nSubject: Notes\n\nDear Charles\n".utf8)) {
            #expect($0.type.identifier == "com.apple.mail.emlx" && !$0.mismatch, "\($0)")
        }
    }

    @Test(
        "MIME types of other programs lead to the declared types",
        arguments: [
            ("application/octet-stream", "public.data"), ("application/x-bz2", "public.bzip2-archive"),
            ("application/bzip", "public.bzip2-archive"), ("audio/x-mpeg3", "public.mp3"),
            ("application/sla", "public.standard-tesselated-geometry-format"),
        ])
    func mimes(mime: String, identifier: String) throws {
        for detector in BothDetectors.all {
            #expect(try #require(detector.type(mime: mime)).type.identifier == identifier)
        }
    }

    @Test("Types of the Mac have MIME types", arguments: ["emlx", "webloc", "dylib", "dfont", "ulaw", "aae"])
    func ownMIMEs(tag: String) throws {
        for detector in BothDetectors.all {
            #expect(try #require(detector.type(fileExtension: tag)).mime != nil)
        }
    }

    @Test(
        "A text under the extension of rare files of bytes is a text, and that is no contradiction",
        arguments: [
            "configure.ac", "index.tpl", "add.cu", "kernel.app", "Point.msg", "rules.sieve", "install.ks", "init.sls",
            "README.ES", "README.IT", "POSIX.STD", "tutor.it", "locale.gen", "text.enc", "i386pe.xa",
        ])
    func texts(name: String) throws {
        try detect(name, Array("# A text of some lines, as people write them\nwith more of them: below\n".utf8)) {
            #expect($0.type.conforms(to: .text), "\($0)")
            #expect(!$0.type.conforms(to: .executable) && !$0.type.conforms(to: .script) && !$0.mismatch, "\($0)")
        }
    }

    @Test("A script is of the shell that its name says, and a folder's script of any language")
    func shells() throws {
        for name in ["a.tcsh", "a.csh", "policy-rc.d"] {
            try detect(name, Array("#!/bin/tcsh\necho a\n".utf8)) {
                #expect($0.type.conforms(to: .shellScript) && !$0.mismatch, "\($0)")
            }
        }
    }

    @Test("Genomes are no cards, scripts in TypeScript's files are TypeScript, and a sidecar is a property list")
    func otherTexts() throws {
        try detect("calls.vcf", Array("##fileformat=VCFv4.2\n#CHROM\tPOS\tID\n".utf8)) {
            #expect(!$0.type.conforms(to: .contact) && $0.type.conforms(to: .text) && !$0.mismatch, "\($0)")
        }
        for name in ["a.ts", "a.mts", "a.cts"] {
            for text in ["#!/usr/bin/env node\nlet a = 1;\n", "'use strict';\nlet a = 1;\n"] {
                try detect(name, Array(text.utf8)) {
                    #expect($0.type.identifier == "com.microsoft.typescript" && !$0.mismatch, "\($0)")
                }
            }
        }
        let list = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist>\n<plist version=\"1.0\"><dict/></plist>\n"
        try detect("IMG_1.aae", Array(list.utf8)) {
            #expect($0.type.identifier == "com.apple.photos.apple-adjustment-envelope" && !$0.mismatch, "\($0)")
        }
    }

    @Test("A message of OpenPGP conforms to text where it is armoured, and not in binary")
    func armour() throws {
        let packet: [UInt8] = [0x85, 0x01, 0x0C, 0x03] + (0..<268).map { UInt8(truncatingIfNeeded: $0 &* 89 | 0x80) }
        try detect("a.gpg", packet) { #expect(!$0.type.conforms(to: .text), "\($0)") }
        try detect("a.asc", Array("-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n".utf8)) {
            #expect($0.type.conforms(to: .text), "\($0)")
        }
    }

    @Test("A message and its signature in one file are honest under the name of either", arguments: ["a.p7s", "a.p7m"])
    func signedMessage(name: String) throws {
        let data = "06092A864886F70D010702 A021 301F 020101 3105300306012A 3013 06092A864886F70D010701 A006 0404'text'"
        try detect(name, SampleText.bytes("302E " + data)) {
            #expect($0.mime?.hasPrefix("application/pkcs7-") == true && !$0.mismatch, "\($0)")
        }
    }

    @Test("Bytes that begin with the sign of a comment are data", arguments: ["%", "//", "/*", "%!"])
    func noText(start: String) throws {
        var random = SeededRandom(seed: 41)
        for _ in 0..<20 {
            let rest = (0..<600).map { _ in UInt8.random(in: 0...255, using: &random) }
            try detect(nil, Array(start.utf8) + [0] + rest) { #expect(!$0.type.conforms(to: .text), "\($0)") }
        }
    }

    @Test("Of short and long random bytes at most one in a thousand is taken for something")
    func randomBytes() throws {
        var random = SeededRandom(seed: 17)
        var claims: [String] = []
        for count in 0..<6_000 {
            let size = 16 << (count % 9)
            let bytes = (0..<min(size, 4_096)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let found = bytes.withUnsafeBytes { BothDetectors.all[1].detect(nil, content: $0) }
            if found.type != .data { claims.append("\(found.mime ?? "-") (\(size))") }
        }
        #expect(claims.count <= 6, "\(claims)")
    }

    @Test(
        "Bytes that resemble something else in a few places are what they are",
        arguments: [
            // Packed at a time whose bytes are those of a film.
            ("1F8B0800 11AF0000 0003 4B0400 43BEB7E8 01000000", "application/gzip"),
            ("'#LyX 2.3 created this file.'0A'\\lyxformat 544'0A'\\begin_document'0A'\\begin_header'0A", "-text/x-tex"),
            ("'\\version \"2.24.0\"'0A'\\header { title = \"A\" }'0A", "-text/x-tex"),
            ("'set -g mouse on'0A'bind r source-file a'0A", "-text/x-tcl"),
            ("'set terminal png'0A'set output \"a.png\"'0A'plot sin(x)'0A", "-text/x-tcl"),
            ("01000404 00010101 'ABCDEF+Font'00 01010120", "-application/postscript"),
            ("'/*  GIMP header image file format (RGB)  */'0A'static unsigned int width = 2;'0A", "-text/x-rst"),
        ])
    func resemblances(bytes: String, mime: String) throws {
        let isNot = mime.hasPrefix("-")
        try detect(nil, SampleText.bytes(bytes)) {
            #expect(($0.mime == String(mime.drop { $0 == "-" })) != isNot, "\($0)")
        }
    }

    @Test(
        "Formats are known by their content",
        arguments: [
            ("application/geopackage+sqlite3", "'SQLite format 3'00 1000 01010040 2020 *44 'GPKG' *32"),
            ("image/pwg-raster", "'RaS2PwgRaster'00 *64"), ("application/vnd.cups-raster", "'3SaR' *64"),
            ("application/x-sony-bbeb", "4C005200460000000803 *64"),
            ("application/x-rdata", "'RDX3'0A'X'0A 00000003 *16"), ("image/vnd.wap.wbmp", "0000 1008 *16"),
            ("image/x-macpaint", "00000002 'abcdefgh' *296 *204 01 *16"), ("image/x-viff", "AB01010300000000 *64"),
            ("application/onenote", "A12FFF43D9EF764C9EE210EA5722765F *32"),
            ("application/x-drpm", "'drpmDLT3' *32"), ("application/vnd.cups-ppd", "'*PPD-Adobe: \"4.3\"'0A"),
            ("image/vnd.dxf", "'  0'0A'SECTION'0A'  2'0A'ENTITIES'0A"),
            ("model/fbx", "'; FBX 7.4.0 project file'0A'FBXHeaderExtension:  {'0A"),
            ("application/vnd.gerber", "'%FSLAX24Y24*%'0A'%MOIN*%'0A"),
            ("model/x-off", "'OFF'0A'# a cube'0A'8 6 12'0A'0 0 0'0A"),
            ("model/obj", "'# a triangle'0A'v 0 0 0'0A'v 1.0 0 0'0A'v 0 1.0 0'0A'f 1 2 3'0A"),
            ("text/x-mpsub", "'FORMAT=TIME'0A 0A'1 2'0A'Hello'0A"),
            ("text/x-objcsrc", "'#import <Foundation/Foundation.h>'0A 0A'@interface A'0A"),
        ])
    func known(mime: String, bytes: String) throws {
        try detect(nil, SampleText.bytes(bytes)) { #expect($0.mime == mime, "\($0)") }
    }

    @Test("An archive after other bytes is an archive")
    func archiveAtTheEnd() throws {
        let program: [UInt8] = [0x7E, 0x45, 0x02, 0xFE] + (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 77 | 0x81) }
        try detect(nil, program + Build.zip([("a.txt", "words")])) {
            #expect($0.mime == "application/zip", "\($0)")
        }
        try detect(nil, program) { #expect($0.type == .data) }
    }

    @Test("An archive with another program's parts is no book and no letter", arguments: ["a.epub", "a.docx", "a.odt"])
    func foreignArchives(name: String) throws {
        let bytes = Build.zip([("META-INF/container.xml", "<container/>"), ("a.txt", "a")])
        try detect(name, bytes) {
            #expect($0.mismatch && $0.type.conforms(to: .zip), "\($0)")
        }
    }
}
