import InboxLinux
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// Content that resembles a format in a few bytes, and names with more than one owner.
@Suite("False claims")
struct FalseClaimTests {
    private func mimes(_ text: String) throws -> [String?] {
        try BothDetectors.detect(nil, Array(text.utf8)).map(\.mime)
    }

    @Test(
        "A sign that many texts begin with is no evidence",
        arguments: [
            "// a note to self\nbuy milk\n", "/* greeting */\n\"hello\" = \"Hallo\";\n", "#include everybody, please\n",
            "<tip> remember this\n", "<http://a> <http://b> \"c\" .\n<http://d> <http://e> <http://f> .\n",
            "%% people say\n% two\n% three\n\nHello.\n", "% one\n% two\n% three\n% four\n% five\n% six\n",
            "##gff-version 3\nchr1\t.\tgene\t1\t9\n", "From the moment we arrived, it rained.\nWe went home.\n",
            "From the moment we arrived, it rained.\nSubject to change, we went home.\n",
            "From: The Boss\nTo: All staff\nSubject: Parking\n\nPlease do not park on the lawn.\n",
            "Roses are red, violets are blue\nSugar is sweet, and so are you\nRain is wet, and so is dew\n",
            "Il vint, vit, vainquit.\nElle rit, but, mangea.\n", "grammar G;\nexpr : INT ;\nINT : [0-9]+ ;\n",
            "graph TD;\n  A-->B;\n  B-->C;\n",
            "PACKAGES NOT FOUND\n",
            "*** IMPORTANT ***\n\nFonts were changed.\n", "=== Notes of the release 2.0 ===\n\nNothing was changed.\n",
            "What was changed:\n* Finds newmtl in more places\n* Finds mtllib too\n",
            "bees (1.0)\n\n  * New hive (asked for).\n  * Fewer wasps (again).\n  * More honey (yes).\n  * End (1).\n",
            "Lemma 1. Every even number is a sum.\n\nProof.\nBy hand.\nQed.\n\nTheorem 2. So is every odd one.\n",
            "File \u{2192} Open\nFile \u{2192} Save\nEdit \u{2192} Find\nEdit \u{2192} Paste\nView \u{2192} Zoom\n",
            "property tax rises\nrecord rainfall\nstruct by lightning\nmacro economics\ndiscard the rest\n",
        ])
    func signs(text: String) throws {
        #expect(try mimes(text) == ["text/plain", "text/plain"])
    }

    @Test("A manual whose indented examples are programs is a text")
    func examples() throws {
        let perl = """
            NAME
                Honey::Jar - Opens and closes jars, whatever is inside of them

            SYNOPSIS
                    use strict;
                    use warnings;
                    my $jar = Honey::Jar->new;
                    print $jar->weight();

            DESCRIPTION
                This module describes jars of every size that the shop sells today.
                Their lids are described by a module of its own, which comes later.
                A lid without a jar is an error that the caller has to deal with.

            """
        let shell = """
            The packages of the shop are built from one directory, called honey.

            To build a package that nobody has built before, call these:

                set -e
                cd "$HOME/honey"
                for jar in *; do
                    echo "$jar"
                done

            This takes a while, and needs some room on the disk as well.

            """
        let c = """
            Glyphs are numbers of the protocol, and pictures are identifiers of it.

            	typedef struct {
            	    short red;
            	    short green;
            	} Colour;

            The definition of a colour is a structure that every client knows.

            	typedef unsigned long Glyph;
            	typedef unsigned long Picture;
            	typedef struct _Point {
            	    int x;
            	    int y;
            	} Point;

            Numbers with a point are written as the protocol writes all of them.

            """
        let arrows = """
            1. Documentation

            - the prototypes of the manual say this now, as the other one does:
                jar_ptr -> const jar_t
                lid_ptr -> const lid_t
                bee_ptr -> const bee_t
            - the precision of the input should only depend on that of the output.
            - the precision of the results (of the sine, the cosine and others).
              -> remove those dependencies (and others).

            2. Changes

            """
        for text in [perl, shell, c, arrows] { #expect(try mimes(text) == ["text/plain", "text/plain"]) }
    }

    @Test("Lists below one title, and titles that are underlined, are no settings")
    func lists() throws {
        let authors = "Contributors:\n- Ada Lovelace (ada at example dot org)\n- Alan Turing\n- Grace Hopper\n"
        let changes = """
            Version 1.2
            ~~~~~~~~~~~
            Released: 2022-12-01

            New Features:
             - jars: Can be opened (Ada Lovelace)
             - lids: Can be lost (Alan Turing)
             - honey: Is sweeter (Grace Hopper)

            Bugfixes:
             - jars: Can be closed (Ada Lovelace)
             - lids: Can be found (Alan Turing)
             - bees: Are counted (Grace Hopper)
             - hives: Have numbers (Grace Hopper)
             - shop: Opens at nine (Ada Lovelace)
             - shop: Closes at five (Ada Lovelace)
             - docs: Describe the lids (Grace Hopper)
             - docs: Describe the jars (Grace Hopper)
             - docs: Describe the hives (Grace Hopper)
             - bees: Come home (Alan Turing)

            """
        for text in [authors, changes] { #expect(try mimes(text) == ["text/plain", "text/plain"]) }
        let settings = "name: honey\ndependencies:\n- jars\n- lids\n- bees\n"
        #expect(try mimes(settings) == ["application/x-yaml", "application/x-yaml"])
    }

    @Test("Tables with blanks after their commas are still tables")
    func tables() throws {
        #expect(try mimes("name, age, town\nAda, 36, London\nAlan, 41, Wilmslow\n") == ["text/csv", "text/csv"])
    }

    @Test("Pages after settings are pages")
    func pages() throws {
        let settings = "---\ntitle: A page\nlayout: post\n---\n\n# A page\n\nWith some words.\n"
        #expect(try mimes(settings) == ["text/markdown", "text/markdown"])
        #expect(try mimes("---\na: 1\n---\nb: 2\nc: 3\n") == ["application/x-yaml", "application/x-yaml"])
    }

    @Test("Headers that share bytes with pictures are none")
    func pictures() throws {
        let unlike = [
            "12000A0A0000000337FBE6D7C80232C80B1000858002",
            "00000100 00000060 00000040 00000002 0800031CF560FF0280FF",
        ]
        for text in unlike {
            for found in try BothDetectors.detect(nil, SampleText.bytes(text)) {
                #expect(!found.type.conforms(to: .image), "\(text): \(found)")
            }
        }
    }

    @Test("A list of parts without a book is no book")
    func parts() throws {
        let list = ("META-INF/container.xml", "<container/>")
        let score = Build.zip([list, ("s.xml", "<score-partwise/>")])
        for found in try BothDetectors.detect("s.mxl", score) {
            #expect(found.mime == "application/vnd.recordare.musicxml")
            #expect(!found.mismatch)
        }
        let other = Build.zip([("s.mscx", "<museScore/>"), list, ("Thumbnails/thumbnail.png", "x")])
        for found in try BothDetectors.detect(nil, other) { #expect(found.type == .zip) }
        let book = Build.zip([list, ("OEBPS/content.opf", "<package/>")])
        for found in try BothDetectors.detect("a.epub", book) { #expect(found.mime == "application/epub+zip") }
    }

    @Test(
        "A name with another owner, or with a variant of its format, is honest",
        arguments: [
            ("x.pot", "'msgid \"\"'0A'msgstr \"\"'0A"),
            ("a.cur", "000001000100 1010 00 00 0100 2000 68040000 16000000"),
            ("a.dib", "28000000 60000000 40000000 0100 0800 *24"), ("a.mpo", "FFD8FFE00010'JFIF'000101"),
            ("a.rmi", "'RIFF'2E000000'RMIDdata'"), ("a.rgb", "01DA 01 01 0003 0001 0001 0003"),
            ("a.ra", "'.RMF'0000001200000000"), ("a.shar", "'#!/bin/sh'0A'# This is a shell archive'0A"),
            ("a.hta", "'<html><head><HTA:APPLICATION ID=\"x\"/></head></html>'"),
            (
                "a.xhtml",
                "'<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x\"><html><head/><body/></html>'"
            ),
            ("a.obj", "7F'ELF'02010100 *8 01003E00 01000000 *40"), ("._a.txt", "00051607 00020000 *16 0002"),
            ("a.nim", "'echo \"hello\"'0A"), ("a.gb", "'LOCUS       A 9 bp'0A"), ("a.sam", "'@HD'09'VN:1.6'0A"),
            ("a.gbr", "'%FSLAX24Y24*%'0A"), ("a.strings", "'<?xml version=\"1.0\"?><AbiStrings/>'"),
            ("a.dxf", "'AutoCAD Binary DXF'0D0A1A00 0000'SECTION'00"),
            ("a.zst", "502A4D18 04000000 'abcd' 28B52FFD 60B0036D"), ("a.h5", "*512 89'HDF'0D0A1A0A 00000000"),
            ("a.m4v", "000001B0 01 000001B5"), ("a.pickle", "'(lp0'0A'I1'0A'a.'"),
            ("a.kwd", "'<?xml version=\"1.0\"?><DOC/>'"),
            ("a.luac", "1B'LJ'02 0A1D"), ("a.cgm", "'BEGMF \"x\";'0A"),
            ("a.glade", "'<?xml version=\"1.0\"?><interface/>'"),
            ("a.mp4", "00000018'ftypM4A '00000000'M4A mp42'"), ("a.f4a", "00000018'ftypF4A '00000000'F4A mp42'"),
            ("a.key", "'-----BEGIN EC PARAMETERS-----'0A'BggqhkjOPQMBBw=='0A"),
            ("a.pnm", "'P1'0A'# one'0A'2 1'0A'0 1'0A"), ("a.pam", "'P7'0A'DEPTH 1'0A'WIDTH 1'0A"),
        ])
    func honest(name: String, bytes: String) throws {
        for found in try BothDetectors.detect(name, SampleText.bytes(bytes)) {
            #expect(!found.mismatch, "\(found)")
            #expect(found.evidence != .content, "\(found)")
        }
    }

    @Test(
        "The same file has one type under each of its format's names and by a lookup",
        arguments: ["step", "stp"])
    func oneType(tag: String) throws {
        for (index, found) in try BothDetectors.detect("a." + tag, Array("ISO-10303-21;\nHEADER;\n".utf8)).enumerated()
        {
            let other = try #require(BothDetectors.all[index].type(fileExtension: tag))
            #expect(found.type == other.type)
            #expect(found.mime == "model/step")
            #expect(other.mime == "model/step")
        }
    }

    @Test(
        "Extensions of today's programs have a type",
        arguments: [
            ("jsx", "application/javascript"), ("cjs", "application/javascript"), ("pyw", "text/x-python"),
            ("pxd", "text/x-python"), ("less", "text/x-less"), ("vue", "text/x-vue"), ("svelte", "text/x-svelte"),
            ("graphql", "application/graphql"), ("fish", "application/x-shellscript"),
            ("pickle", "application/x-pickle"), ("npy", "application/x-npy"), ("npz", "application/x-npz"),
            ("gguf", "application/x-gguf"), ("safetensors", "application/x-safetensors"),
            ("onnx", "application/onnx"), ("msgpack", "application/vnd.msgpack"), ("bson", "application/bson"),
            ("feather", "application/vnd.apache.arrow.file"), ("accdb", "application/vnd.ms-access"),
            ("jsonc", "application/json"), ("h264", "video/h264"), ("hevc", "video/h265"),
        ])
    func extensions(tag: String, mime: String) throws {
        let found = try #require(BothDetectors.all[0].type(fileExtension: tag))
        #expect(found.mime == mime)
        #expect(found.type.conforms(to: .data))
    }

    @Test("Metrics of a printer's font, a linker's object and a kernel are what they are, under a name and without one")
    func programs() throws {
        func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        var metrics: [UInt8] = [0, 1]
        metrics += Build.le32(700) + Array("Copyright".utf8) + zeros(51)
        metrics += [0x81, 0, 10, 0] + zeros(47)
        metrics += [30, 0] + zeros(512)
        var object: [UInt8] = [0x64, 0x86, 3, 0, 0, 0, 0, 0]
        object += Build.le32(0x200) + Build.le32(10) + zeros(4)
        object += Array(".text".utf8) + zeros(512)
        var kernel = zeros(510)
        kernel += [0x55, 0xAA, 0xEB, 0x66] + Array("HdrS".utf8) + zeros(512)
        let samples: [(bytes: [UInt8], names: [String?], mime: String)] = [
            (metrics, [nil, "font.pfm"], "application/x-font-printer-metric"),
            (object, [nil, "a.obj", "a.o"], "application/x-object"),
            (kernel, [nil, "vmlinuz-6.1"], "application/x-linux-kernel"),
        ]
        for (bytes, names, mime) in samples {
            for name in names {
                for found in try BothDetectors.detect(name, bytes) {
                    #expect(found.mime == mime && !found.mismatch, "\(name ?? "-"): \(found)")
                    #expect(!found.type.conforms(to: .image) && !found.type.conforms(to: .text))
                }
            }
        }
    }

    @Test("An archive with an office document's list of parts, and no part, is no document")
    func emptyPackages() throws {
        let bytes = Build.zip([("[Content_Types].xml", "<Types/>"), ("_rels/.rels", "<Relationships/>")])
        for name in ["a.docx", "a.xlsx", "a.pptx"] {
            for found in try BothDetectors.detect(name, bytes) {
                #expect(found.type == .zip && found.mismatch, "\(name): \(found)")
            }
        }
    }

    @Test("Telephone sound and a packed scene of Blender are known")
    func rest() throws {
        var frames: [UInt8] = []
        for frame in 0..<50 {
            frames.append(UInt8(0xD0 + frame % 16))
            for byte in 0..<32 { frames.append(UInt8(truncatingIfNeeded: frame * 37 + byte * 101)) }
        }
        for found in try BothDetectors.detect("a.gsm", frames) { #expect(found.mime == "audio/x-gsm") }
        let scene = Build.gzip("BLENDER-v279" + String(repeating: "x", count: 99))
        for found in try BothDetectors.detect("a.blend", scene) {
            #expect(found.type.identifier == "org.blenderfoundation.blender.file" && !found.mismatch)
        }
    }
}
