import Glibc
import InboxLinux
import InboxTestSupport
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

@Suite("The freedesktop MIME database")
struct DatabaseTests {
    /// A folder of its own with a small database, removed at the end.
    private final class DatabaseFolder {
        let path: String

        init(_ files: [String: [UInt8]], mimeTypes: String? = nil) throws {
            path = try TestRun.current.makeFolder().description
            mkdir(path + "/mime", 0o700)
            for (name, bytes) in files { try write(bytes, to: path + "/mime/" + name) }
            if let mimeTypes { try write(Array(mimeTypes.utf8), to: path + "/mime.types") }
        }

        private func write(_ bytes: [UInt8], to path: String) throws {
            let file = try #require(fopen(path, "w"))
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        }

        var places: MIMEDatabasePlaces {
            MIMEDatabasePlaces(dataFolders: [BytePath(path)], mimeTypes: BytePath(path + "/mime.types"))
        }

        deinit {
            for name in ["globs2", "magic", "aliases", "subclasses"] { unlink("\(path)/mime/\(name)") }
            unlink(path + "/mime.types")
            rmdir(path + "/mime")
            rmdir(path)
        }
    }

    private func mime(_ detector: Detector, _ name: String) throws -> String? {
        detector.detect(named: try #require(FileName(name))).mime
    }

    private func mime(_ detector: Detector, content: [UInt8]) -> String? {
        content.withUnsafeBytes { detector.detect(nil, content: $0).mime }
    }

    @Test("Patterns count by weight, then by length, then by the files' order")
    func globs() throws {
        let place = try DatabaseFolder([
            "globs2": Array(
                """
                # comment
                60:application/x-strong:*.qqa
                50:application/x-weak:*.qqa
                50:application/x-first:*.qqb
                50:application/x-second:*.qqb
                50:application/x-short:*.qqc
                50:application/x-long:*.xx.qqc
                50:text/x-capital:*.QQD:cs
                50:text/x-capital:*.QQD
                50:text/x-small:*.qqd:cs
                50:application/x-literal:qqfile
                50:application/x-range:*.qq[0-9]*
                not a line
                x:application/x-nothing:*.qqz
                50:no-colon

                """.utf8)
        ])
        let detector = Detector(places: place.places)
        #expect(try mime(detector, "a.qqa") == "application/x-strong")
        #expect(try mime(detector, "a.qqb") == "application/x-first")
        #expect(try mime(detector, "a.qqc") == "application/x-short")
        #expect(try mime(detector, "a.xx.qqc") == "application/x-long")
        #expect(try mime(detector, "a.QQD") == "text/x-capital")
        #expect(try mime(detector, "a.qqd") == "text/x-small")
        #expect(try mime(detector, "A.QQA") == "application/x-strong")
        #expect(try mime(detector, "qqfile") == "application/x-literal")
        #expect(try mime(detector, "a.qq7b") == "application/x-range")
        #expect(try mime(detector, "a.qqz") == "application/octet-stream")
    }

    @Test("A dot at the beginning hides a name, and begins no extension: a pattern's star is for one byte at least")
    func hiddenNames() throws {
        let place = try DatabaseFolder([
            "globs2": Array(
                """
                50:application/x-plain:*.qqa
                60:application/x-double:*.qqb.qqa
                50:application/x-range:*.[1-9]
                50:application/x-literal:.qqrc

                """.utf8)
        ])
        let detector = Detector(places: place.places)
        for name in [".qqa", ".QQA", ".7"] {
            #expect(try mime(detector, name) == "application/octet-stream", "\(name)")
        }
        #expect(try mime(detector, "a.qqa") == "application/x-plain")
        #expect(try mime(detector, "..qqa") == "application/x-plain")
        #expect(try mime(detector, ".a.qqa") == "application/x-plain")
        #expect(try mime(detector, "a.qqb.qqa") == "application/x-double")
        #expect(try mime(detector, ".qqb.qqa") == "application/x-plain", "as its number goes before .qqa")
        #expect(try mime(detector, ".a.7") == "application/x-range")
        #expect(try mime(detector, ".qqrc") == "application/x-literal")
    }

    @Test("mime.types settles ties and fills gaps")
    func mimeTypes() throws {
        let place = try DatabaseFolder(
            ["globs2": Array("50:application/x-first:*.qqb\n50:application/x-second:*.qqb\n".utf8)],
            mimeTypes: "# list\napplication/x-second qqb\napplication/x-gap\t\tqqg qqh # rest\napplication/x-none\n")
        let detector = Detector(places: place.places)
        #expect(try mime(detector, "a.qqb") == "application/x-second")
        #expect(try mime(detector, "a.qqg") == "application/x-gap")
        #expect(try mime(detector, "a.QQH") == "application/x-gap")
        let type = detector.detect(named: try #require(FileName("a.qqg"))).type
        #expect(type.isDynamic)
        #expect(type.preferredFilenameExtension == "qqg")
        #expect(type.preferredMIMEType == "application/x-gap")
        #expect(type.conforms(to: .data))
    }

    @Test("A MIME type without an identifier becomes a dynamic type under its superclass, else under its kind")
    func dynamicTypes() throws {
        let place = try DatabaseFolder([
            "globs2": Array(
                """
                50:application/x-qq-drawing:*.qqa
                50:image/x-qq:*.qqb
                50:video/x-qq:*.qqc
                50:application/x-qq+json:*.qqd
                50:application/x-qq+zip:*.qqe
                50:text/x-qq:*.qqf
                50:application/x-qq-far:*.qqg

                """.utf8),
            "subclasses": Array(
                """
                application/x-qq-drawing application/zip
                application/x-qq-far application/x-qq-middle
                application/x-qq-middle application/pdf

                """.utf8),
        ])
        let detector = Detector(places: place.places)
        func type(_ name: String) throws -> UTType { detector.detect(named: try #require(FileName(name))).type }
        #expect(try type("a.qqa").conforms(to: .zip))
        #expect(try type("a.qqb").conforms(to: .image))
        #expect(try type("a.qqc").conforms(to: .movie))
        #expect(try type("a.qqd").conforms(to: .json))
        #expect(try type("a.qqe").conforms(to: .zip))
        #expect(try type("a.qqf").conforms(to: .text))
        #expect(try type("a.qqg").conforms(to: .pdf))
        let both = try type("a.qqa")
        #expect(both.preferredFilenameExtension == "qqa")
        #expect(both.preferredMIMEType == "application/x-qq-drawing")
        #expect(UTType(both.identifier) == both)
        // Its carrier alone does not contradict it.
        let archive = Build.zip([("a", "a")])
        let name = try #require(FileName("a.qqa"))
        let found = archive.withUnsafeBytes { detector.detect(name, content: $0) }
        #expect(found.evidence == .nameAndContent)
        #expect(found.mime == "application/x-qq-drawing")
    }

    @Test("Aliases lead to canonical names, and the same name in capitals to the database's spelling")
    func aliases() throws {
        let place = try DatabaseFolder([
            "globs2": Array("50:application/x-qq:*.qqa\n".utf8),
            "aliases": Array("image/x-png-alias image/png\nimage/png image/x-canonical-png\n".utf8),
        ])
        let detector = Detector(places: place.places)
        #expect(mime(detector, content: SampleText.bytes("89'PNG'0D0A1A0A")) == "image/x-canonical-png")
        #expect(detector.type(mime: "APPLICATION/X-QQ; charset=x")?.mime == "application/x-qq")
        #expect(detector.type(fileExtension: ".QQA")?.mime == "application/x-qq")
        #expect(detector.type(fileExtension: "pdf")?.type == .pdf)
        #expect(detector.type(fileExtension: "") == nil)
        #expect(detector.type(fileExtension: "qqnone")?.type.isDynamic == true)
    }

    private func magic(_ body: [[UInt8]]) -> [UInt8] { Array("MIME-Magic\0\n".utf8) + body.flatMap { $0 } }

    private func rule(_ head: String, _ value: [UInt8], _ tail: [UInt8] = []) -> [UInt8] {
        Array(head.utf8) + [UInt8(value.count >> 8), UInt8(value.count & 255)] + value + tail + [0x0A]
    }

    @Test("Rules hold by offset, mask, range, nesting and priority")
    func rules() throws {
        let file = magic([
            Array("[80:application/x-qq-high]\n".utf8), rule(">4=", Array("QQHI".utf8)),
            Array("[50:application/x-qq-low]\n".utf8), rule(">4=", Array("QQHI".utf8)),
            Array("[50:application/x-qq-mask]\n".utf8),
            rule(">0=", [0x51, 0xF0, 0x51], Array("&".utf8) + [0xFF, 0xF0, 0xFF]),
            Array("[50:application/x-qq-range]\n".utf8), rule(">0=", Array("\u{1}QQRANGE".utf8), Array("+64".utf8)),
            Array("[50:application/x-qq-nested]\n".utf8), rule(">0=", [2, 3]), rule("1>8=", Array("yes".utf8)),
            rule("1>8=", Array("too".utf8)),
            Array("[50:application/x-qq-word]\n".utf8), rule(">0=", [0x12, 0x34, 0x0A, 0x00], Array("~2".utf8)),
        ])
        let place = try DatabaseFolder(["globs2": [], "magic": file])
        let detector = Detector(places: place.places)
        #expect(mime(detector, content: SampleText.bytes("00010203'QQHI'")) == "application/x-qq-high")
        #expect(mime(detector, content: SampleText.bytes("51F751 00")) == "application/x-qq-mask")
        #expect(mime(detector, content: SampleText.bytes("51E751 00")) == "application/octet-stream")
        #expect(mime(detector, content: SampleText.bytes("*40 01'QQRANGE'")) == "application/x-qq-range")
        #expect(mime(detector, content: SampleText.bytes("*70 01'QQRANGE'")) == "application/octet-stream")
        #expect(mime(detector, content: SampleText.bytes("0203000000000000'too'")) == "application/x-qq-nested")
        #expect(mime(detector, content: SampleText.bytes("0203000000000000'not'")) == "application/octet-stream")
        // A word is in this machine's order: little-endian here.
        #expect(mime(detector, content: SampleText.bytes("3412000A 01")) == "application/x-qq-word")
    }

    @Test("An earlier folder hides what a later one says")
    func hiding() throws {
        let first = try DatabaseFolder([
            "globs2": Array("50:application/x-qq:__NOGLOBS__\n50:application/x-qq:*.qqa\n".utf8),
            "magic": magic([Array("[50:application/x-qq]\n".utf8), rule(">0=", Array("__NOMAGIC__".utf8))]),
        ])
        let second = try DatabaseFolder([
            "globs2": Array("50:application/x-qq:*.qqb\n50:application/x-other:*.qqc\n".utf8),
            "magic": magic([Array("[50:application/x-qq]\n".utf8), rule(">0=", [1, 2, 0x51, 0x51])]),
        ])
        let detector = Detector(
            places: MIMEDatabasePlaces(dataFolders: [BytePath(first.path), BytePath(second.path)], mimeTypes: nil))
        #expect(try mime(detector, "a.qqa") == "application/x-qq")
        #expect(try mime(detector, "a.qqb") == "application/octet-stream")
        #expect(try mime(detector, "a.qqc") == "application/x-other")
        #expect(mime(detector, content: [1, 2, 0x51, 0x51, 0]) == "application/octet-stream")
    }

    @Test("The database is read when the first document is inspected")
    func lazy() throws {
        let detector = Detector(places: .standard)
        #expect(detector.databaseProblems == nil)
        _ = detector.detectFolder(try #require(FileName("a")))
        #expect(detector.databaseProblems == nil)
        _ = detector.detect(named: try #require(FileName("a")))
        #expect(detector.databaseProblems != nil)
    }

    @Test(
        "A file of the database that cannot be read is named once the database was read, and one that is absent is not")
    func unread() throws {
        let place = try DatabaseFolder(["aliases": []])
        let path = place.path + "/mime/globs2"
        mkdir(path, 0o700)
        defer { rmdir(path) }
        let detector = Detector(places: place.places)
        #expect(detector.databaseProblems == nil)
        _ = detector.detect(named: try #require(FileName("a")))
        let problems = try #require(detector.databaseProblems)
        #expect(problems.map(\.path) == [BytePath(path)])
        #expect(problems.map(\.reason) == ["pread: Is a directory"])
    }

    @Test("The places follow the XDG specification")
    func places() {
        func folders(_ home: String?, _ dataHome: String?, _ dirs: String?) -> [String] {
            MIMEDatabasePlaces(
                home: home.map { Array($0.utf8) }, dataHome: dataHome.map { Array($0.utf8) },
                dataDirs: dirs.map { Array($0.utf8) }
            ).dataFolders.map(\.description)
        }
        #expect(folders("/home/a", nil, nil) == ["/home/a/.local/share", "/usr/local/share", "/usr/share"])
        #expect(folders("/home/a", "/d", "/x:/y") == ["/d", "/x", "/y"])
        #expect(folders(nil, "relative", "relative:/y:") == ["/y"])
        #expect(folders(nil, nil, "") == ["/usr/local/share", "/usr/share"])
    }

    @Test(
        "Every plain extension of the database has a type, and its MIME type unless that means another type",
        .enabled(if: access("/usr/share/mime/globs2", R_OK) == 0, "shared-mime-info is not installed"))
    func everyExtension() throws {
        let detector = Detector(places: MIMEDatabasePlaces(home: nil, dataHome: nil, dataDirs: nil))
        let mimes = Self.plainExtensions()
        #expect(mimes.count > 800)
        for (tag, known) in mimes {
            let found = detector.detect(named: try #require(FileName("x." + tag)))
            #expect(found.evidence == .name, "\(tag)")
            #expect(found.type != .data, "\(tag)")
            // The declared type leads: for .m4a that is Apple's, whose MIME type is not that of all MPEG-4 audio.
            let means = known.map { detector.type(mime: $0)?.type }
            let isOthers = !found.type.isDynamic && !means.contains(found.type)
            #expect(
                found.mime.map(known.contains) ?? false || isOthers,
                "\(tag): \(found.mime ?? "-") is none of \(known)")
            let hidden = detector.detect(named: try #require(FileName("." + tag)))
            #expect(hidden.evidence == .none && hidden.type == .data, ".\(tag)")
        }
    }

    /// The extensions of the installed database that are neither patterns nor in capitals, with their best MIME types.
    static func plainExtensions() -> [String: [String]] {
        var weights: [String: Int] = [:]
        var mimes: [String: [String]] = [:]
        for line in String(decoding: readFile("/usr/share/mime/globs2") ?? [], as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: ":").map(String.init)
            guard fields.count == 3, let weight = Int(fields[0]), fields[2].hasPrefix("*.") else { continue }
            let tag = String(fields[2].dropFirst(2))
            guard tag.lowercased() == tag, !tag.contains(where: { "*?[.".contains($0) }) else { continue }
            if weight > weights[tag, default: -1] { mimes[tag] = [] }
            if weight >= weights[tag, default: -1] { mimes[tag, default: []].append(fields[1]) }
            weights[tag] = max(weight, weights[tag, default: -1])
        }
        return mimes
    }
}
