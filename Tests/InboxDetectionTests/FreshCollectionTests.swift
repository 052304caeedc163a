import InboxLinux
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// What collections of files that nobody had seen before showed: each kind of wrong claim, from bytes.
@Suite("Fresh collections")
struct FreshCollectionTests {
    @Test(
        "Texts of other programs under the extensions of rare files are texts, and no mismatch",
        arguments: [
            ("config.sub", "#!/bin/sh\necho a\n", "application/x-shellscript"),
            ("configure.ac", "#!/bin/sh\nAC_INIT\n", "application/x-shellscript"),
            ("suite.mac", "load(\"diag\")$\nkill(all)$\n", "text/plain"),
            ("part.ngc", "G21 G90\nG0 X10 Y10\n", "text/plain"), ("hatch.pat", "*Brick\n0, 0,0, 0,.25\n", "text/plain"),
            ("t1cmr.fd", "\\ProvidesFile{t1cmr.fd}\n", "text/plain"), ("words.order", "one\ntwo\n", "text/plain"),
            ("menu.xlb", "<?xml version=\"1.0\"?>\n<library/>\n", "application/xml"),
            ("qcon.device", "<?xml version=\"1.0\"?>\n<Device/>\n", "application/xml"),
            ("page.xhtml", "<html><body><p>Hello</p></body></html>\n", "text/html"),
            ("guide.sgml", "<?xml version=\"1.0\"?>\n<book/>\n", "application/xml"),
            ("gcc.sk", "Mode gcc.\nPrvy riadok.\n", "text/plain"), ("benzene.smi", "c1ccccc1\nCCO\n", "text/plain"),
            ("gs_init.ps", "% Copyright\n/setdistillerparams where { pop } if\n", "text/plain"),
            ("profile.bin", "/usr/lib/office/program/soffice.bin {\n}\n", "text/plain"),
        ])
    func sharedNames(name: String, text: String, mime: String) throws {
        for found in try BothDetectors.detect(name, Array(text.utf8)) {
            #expect(found.mime == mime && !found.mismatch, "\(found)")
        }
    }

    @Test("A picture under such a name, and a program under any other, is still a mismatch")
    func liesStay() throws {
        let picture = SampleText.bytes("89'PNG'0D0A1A0A 0000000D'IHDR'00000001 00000001 08 00000000")
        for found in try BothDetectors.detect("config.sub", picture) { #expect(found.mismatch) }
        for found in try BothDetectors.detect("photo.jpg", Array("#!/bin/sh\n".utf8)) { #expect(found.mismatch) }
    }

    @Test(
        "Formats that were not known are, by content and under their name",
        arguments: [
            ("a.spl", "'VIMspell2'00", "application/x-vim-spell"),
            ("a.sfd", "'SplineFontDB: 3.2'0A'FontName: A'0A", "application/vnd.font-fontforge-sfd"),
            ("a.nsf", "'NESM'1A01 01 01 8080", "audio/x-nsf"),
            ("a.ter", "'TERRAGENTERRAIN SIZE'8000", "model/x-terragen"),
            ("a.cob", "'Caligari V00.01BLH'0A'BitM'0000", "model/x-truespace"),
            ("a.gd", "FFFE 0008 0008 01 FFFFFFFF 00112233", "image/x-gd"),
            ("a.lws", "'LWSC'0A'3'0A'FirstFrame 0'0A", "image/x-lws"),
            ("a.miff", "'Id=ImageMagick'0A 00 FF", "image/x-miff"),
        ])
    func newFormats(name: String, bytes: String, mime: String) throws {
        let bytes = SampleText.bytes(bytes)
        for name in [name, nil] {
            for found in try BothDetectors.detect(name, bytes) {
                #expect(found.mime == mime && !found.mismatch, "\(name ?? "-"): \(found)")
            }
        }
    }

    @Test(
        "Prose with the signs of settings is no settings",
        arguments: [
            "# Changelog\n\n" + String(repeating: "- Fix: more of it [\\#1](https://a/1)\n", count: 12),
            "=== Guide\n\n" + String(repeating: "- Fix: more of it\n", count: 12),
            "---\nAuthor: Me\nVersion: 8\n---\n= Guide\n:author: Me\n:version: 8\n",
            "---\nlayout: default\n---\n\n<main>\n  {{ content }}\n</main>\n",
        ])
    func prose(text: String) throws {
        for found in try BothDetectors.detect(nil, Array(text.utf8)) {
            #expect(found.mime == "text/plain", "\(found)")
        }
    }

    @Test("A gallery of pictures in a compound file and compiled Lisp are what their names say")
    func otherOwners() throws {
        let gallery = Build.compound(["Contents"])
        for found in try BothDetectors.detect("shapes.sdv", gallery) { #expect(!found.mismatch, "\(found)") }
        let library = SampleText.bytes("7F'ELF'02010100 *8 03003E00 01000000 *40")
        for found in try BothDetectors.detect("simple.eln", library) { #expect(!found.mismatch, "\(found)") }
    }

    @Test(
        "Another format that is honestly kept under a name is no mismatch",
        arguments: [
            ("a.mp4", "00000008'wide' 00000010'mdat' *8 00000008'moov'", "video/quicktime"),
            ("a.3g2", "00000014'ftyp3gp4' 00000000'3gp4' 00000008'mdat'", "video/3gpp"),
            ("a.taz", "1F8B0800 00000000 0003", "application/x-compressed-tar"),
            ("a.mnc", "'CDF'01 00000000", "application/x-netcdf"),
            ("a.arc", "'ArC'01 0002 07 00", "application/x-freearc"), ("a.dms", "'DMS!' 00000000", "application/x-dms"),
            ("a.hdr", "1C020000'ni2'000D0A1A0A 1000", "image/x-nifti"),
            ("a.qml", "'<?xml version=\"1.0\"?>'0A'<quakeml/>'0A", "application/xml"),
        ])
    func honestNames(name: String, bytes: String, mime: String) throws {
        for found in try BothDetectors.detect(name, SampleText.bytes(bytes)) {
            #expect(found.mime == mime && !found.mismatch, "\(found)")
        }
    }

    @Test("A list of no pictures is no cursor")
    func noPictures() throws {
        let header = SampleText.bytes("00000200 00000000 0000 0700 0100 07 08 08730101")
        for found in try BothDetectors.detect(nil, header) { #expect(found.mime != "image/x-win-bitmap", "\(found)") }
    }

    @Test("A disc that computers start from as from a disk is a disc")
    func startingDisc() throws {
        var disc = Build.disc()
        disc.replaceSubrange(0..<6, with: [0x45, 0x52, 8, 0, 0, 0])
        for found in try BothDetectors.detect(nil, disc) { #expect(found.mime == "application/x-cd-image") }
    }

    @Test(
        "Folders that applications show as one document are one",
        arguments: [
            "a.ulysses", "a.docset", "a.lrcat-data", "a.backupbundle", "a.vst3", "a.vst", "a.component", "a.nib",
            "a.framework", "a.bundle", "a.plugin", "a.photoslibrary", "a.aplibrary", "a.musiclibrary", "a.tvlibrary",
            "a.theater", "a.imovielibrary", "a.fcpbundle", "a.logicx", "a.band", "a.playground", "a.xcodeproj",
            "a.xcworkspace", "a.sparsebundle", "a.rtfd", "a.pages", "a.key", "a.numbers", "a.app", "a.scptd", "a.wdgt",
            "a.qlgenerator", "a.mdimporter", "a.prefPane", "a.saver", "a.kext", "a.dSYM", "a.xcarchive", "a.xcappdata",
            "a.dtBase2", "a.dtSparse", "a.oo3", "a.graffle", "a.pvm", "a.vmwarevm", "a.utm", "a.abbu", "a.mailbundle",
            "a.oo3template",
        ])
    func packages(name: String) throws {
        let name = try #require(FileName(name))
        for detector in BothDetectors.all { #expect(detector.isPackage(name)) }
    }

    @Test("A file under the extension of such a folder is what it is")
    func filesOfPackages() throws {
        for found in try BothDetectors.detect("shape.vst", SampleText.bytes("89'PNG'0D0A1A0A 0000000D'IHDR'")) {
            #expect(found.type == .png)
        }
        for name in ["main.nib", "a.docset", "a.vst3"] {
            for found in try BothDetectors.detect(name, [0x81, 0, 1, 2, 3, 0xFF, 0xFE, 7]) {
                #expect(!found.type.conforms(to: .package), "\(name): \(found)")
            }
        }
    }

    @Test("What is missing of a recording is said in a sentence")
    func words() throws {
        let header = SampleText.bytes("'RIFF' 00100000 'WAVEfmt ' 10000000 01000100") + Array(repeating: 0, count: 200)
        for found in try BothDetectors.detect("a.wav", header) {
            #expect(found.incomplete == "a recording of at least 4104 bytes, of which \(header.count) are there")
        }
    }
}
