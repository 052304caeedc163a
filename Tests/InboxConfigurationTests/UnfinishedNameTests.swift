import InboxLinux
import Testing

@testable import InboxConfiguration

/// The table of names that show something unfinished.
struct UnfinishedNameTests {
    private static func name(_ text: String) throws -> FileName { try #require(FileName(text)) }

    /// Whether a name is ignored and shows something of the other.
    private static func shows(_ name: String, of other: String) throws -> Bool {
        let found = try UnfinishedName(ignored: Self.name(name)) ?? UnfinishedName(document: Self.name(name))
        let subjects = try UnfinishedName.subjects(of: Self.name(other))
        return found?.subjects.contains { subjects.contains($0) } ?? false
    }

    @Test(
        "A program's name for what is unfinished shows it of the document's own name",
        arguments: [
            ("Firefox, older", "film.mkv.part", "film.mkv"), ("Firefox", "film.iyR3xQ_Y.mkv.part", "film.mkv"),
            ("Firefox, two extensions", "a.Zk3-x_9Q.tar.gz.part", "a.tar.gz"),
            ("Chromium", "a.zip.crdownload", "a.zip"),
            ("Opera", "a.zip.opdownload", "a.zip"), ("rclone", "a.zip.1f2e3d4c.partial", "a.zip"),
            ("WinSCP", "a.zip.filepart", "a.zip"), ("aria2", "a.zip.aria2", "a.zip"),
            ("lftp", "a.lftp-pget-status", "a"),
            ("yt-dlp", "film.mp4.ytdl", "film.mp4"), ("yt-dlp, fragments", "film.mp4.part-Frag12", "film.mp4"),
            ("yt-dlp, fragment under way", "film.mp4.part-Frag12.part", "film.mp4"),
            ("yt-dlp, the other stream", "film.f140.m4a.part", "film.f137.mp4"),
            ("yt-dlp, the other stream is there", "film.f140.m4a", "film.f137.mp4"),
            ("yt-dlp, merging", "film.temp.mp4", "film.f137.mp4"), ("yt-dlp, fixing", "film.temp.mp4", "film.mp4"),
            ("qBittorrent", "a.iso.!qB", "a.iso"), ("µTorrent", "a.iso.!UT", "a.iso"),
            ("BitComet", "a.iso.bc!", "a.iso"),
            ("Resilio", "a.iso.!sync", "a.iso"), ("Thunder", "a.iso.td.cfg", "a.iso"),
            ("Thunder, data", "a.iso.td.cfg", "a.iso.td"),
            ("axel", "a.iso.st", "a.iso"), ("Syncthing", ".syncthing.a.txt.tmp", "a.txt"),
            ("ProFTPD", ".in.a.txt.", "a.txt"),
            ("LibreOffice", ".~lock.a.odt#", "a.odt"), ("Excel", "~$report.xlsx", "report.xlsx"),
            ("Word", "~$cument1.docx", "document1.docx"), ("Word, seven letters", "~$ügung1.docx", "fügung1.docx"),
            ("Word, umlaut", "~$ferung12.docx", "Lüferung12.docx"), ("Vim", ".a.txt.swp", "a.txt"),
            ("Vim, second", ".a.txt.swo", "a.txt"),
            ("Kate", ".a.txt.kate-swp", "a.txt"), ("Emacs", ".#a.txt", "a.txt"), ("AutoCAD", "house.dwl2", "house.dwg"),
            ("TextEdit", "a.txt.sb-1a2b3c4d-AbCdEf", "a.txt"),
            ("Access", "a.laccdb", "a.accdb"), ("Access, older", "a.ldb", "a.mdb"),
            ("KeePass", "a.kdbx.lock", "a.kdbx"),
            ("KeePassXC", ".a.kdbx.lock", "a.kdbx"), ("KiCad", "~a.kicad_pcb.lck", "a.kicad_pcb"),
            ("GnuCash", "a.gnucash.LCK", "a.gnucash"), ("InDesign", "~my doc~b_8q1.idlk", "my doc.indd"),
            ("Lightroom", "a.lrcat.lock", "a.lrcat"), ("Thunar", "a.iso.partial~", "a.iso"),
            ("Nicotine+", "INCOMPLETE~a.mp3", "a.mp3"), ("7z", "a.7z", "a.docx"), ("zip", "a.docx.zip", "a.docx"),
            ("yt-dlp -x", "film.temp.mp3", "film.webm"), ("yt-dlp, picture", "film.f137.mp4.part", "film.webp"),
            ("yt-dlp, subtitles", "film.mp4.part", "film.de.vtt"),
            ("Nextcloud", ".a.mov.~4af3c21b", "a.mov"), ("Epiphany", "a.pdf.wkdownload", "a.pdf"),
            ("gsutil", "a.tar_.gstmp", "a.tar"), ("MinIO", "a.0cc175b9c0f1b6a8.part.minio", "a"),
            ("DC++", "a.iso.dctmp", "a.iso"), ("Vuze", "a.iso.az!", "a.iso"), ("WPS Office", ".~a.docx", "a.docx"),
            ("Affinity", "a.afdesign~lock~", "a.afdesign"), ("GnuCash, linked", "a.gnucash.host.47.LNK", "a.gnucash"),
        ])
    func shown(program: String, name: String, other: String) throws {
        #expect(try Self.shows(name, of: other), "\(program)")
    }

    @Test(
        "Other documents beside it are not concerned",
        arguments: [
            ("film.mkv.part", "film.mp4"), ("a.longer-word.part", "a"), ("film.f137.mp4", "film.f137.mp4.txt"),
            ("IMG.f2.jpg", "IMG.f4.jpg"), ("~$port.docx", "report.docx"), ("~$a.docx", "ba.docx"), ("a.sty", "a"),
            ("a.ldb", "a.accdb"), ("Cargo.lock", "Cargo"), ("~a.idlk", "a.indd"), ("film.mp4.part", "film.webm"),
            ("a.7z", "b.docx"), (".swp", "a"), (".part", ""), (".#", "a"), ("a.td", "a"),
        ])
    func notShown(name: String, other: String) throws {
        if other.isEmpty { return #expect(try UnfinishedName(ignored: Self.name(name)) == nil) }
        #expect(try !Self.shows(name, of: other))
    }

    @Test("What shows something and is no document itself is ignored, and real documents are not")
    func ignored() throws {
        let rule = Ignoring(InboxSettings())
        let litter = [
            "a.part", "a.lftp-pget-status", ".~lock.a#", "~$a.docx", ".a.swo", "a.part-Frag3", "a.sb-1a2b3c4d-AbCdEf",
            "Icon\r",
            "$RECYCLE.BIN", "System Volume Information", "#recycle", "a.pdf.nextcloud", ".pending-17-a.jpg", ".DAV",
            "a.pdf:Zone.Identifier", ".rsync-partial", "story.kate-swp", ".sync", ".owncloudsync.log", ".a.pdf.icloud",
            ".recycle", "@tmp", "RECYCLED", ".tmp.driveupload", "INCOMPLETE~a.mp3", "a.laccdb", "a.kdbx.lock",
        ]
        for name in litter where name != "story.kate-swp" {
            #expect(try rule.ignores(Self.name(name), isInside: true), "\(name)")
        }
        for name in [
            "Ops.td", "macro.swp", "a.download", "a.st", "story.kate-swp", "Trash", "a.incoming", "000005.ldb",
            "Cargo.lock",
        ] {
            #expect(try !rule.ignores(Self.name(name), isInside: true), "\(name)")
        }
    }

    @Test("Any bytes are looked up, and the names of partials are names or left out")
    func hostile() throws {
        for bytes in [
            [0xFF, 0x2E, 0xFE], Array(repeating: UInt8(ascii: "."), count: 200), Array("~$".utf8), [0x2E, 0x23],
        ] {
            guard let name = FileName(bytes) else { continue }
            _ = (UnfinishedName(ignored: name), UnfinishedName(document: name), UnfinishedName.subjects(of: name))
        }
        let long = try Self.name(String(repeating: "x", count: FileName.longestFound - 5))
        #expect(UnfinishedName.partialNames(of: long).contains { $0.count == FileName.longestFound })
        #expect(try UnfinishedName.partialNames(of: Self.name("a")).contains(Self.name("a.part")))
    }
}
