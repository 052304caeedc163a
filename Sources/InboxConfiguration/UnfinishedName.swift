import InboxLinux

/// The names by which programs show that a file is not finished, or that somebody edits it: one table, of which the ignore list
/// has those that are no documents themselves (section 2a of the contract).
///
/// A row says which name shows it of which other one. What follows is decided by the intake, which also knows the times.
package struct UnfinishedName: Equatable, Sendable {
    /// The way in which a name shows that another one is unfinished.
    package enum Kind: Equatable, Sendable {
        /// It is a part of the other one, or says how far that has come; it is ignored.
        case partial
        /// It says how far the other one has come, and may also be the name of a document: it waits with the other one.
        case control
        /// It is there as long as somebody edits the other one.
        case lock
        /// Its editor has it open as long as it edits the other one.
        case openLock
        /// A link that names the process that edits the other one.
        case processLock
        /// It is made of the other one, or the other one of it, as long as a program has either open for writing.
        case output
    }

    /// The way in which it shows that.
    package let kind: Kind
    /// The subjects that it shows to be unfinished: see ``Subject``.
    package let subjects: [Subject]
}

extension UnfinishedName {
    /// The thing shown to be unfinished: a name, or a part that several names share.
    package struct Subject: Hashable, Sendable {
        /// A name's bytes; with a `/`, which no name has, what several have in common.
        let bytes: [UInt8]

        init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

        /// The streams of a film that yt-dlp downloads one after the other and then merges.
        static func streams(of stem: ArraySlice<UInt8>) -> Subject { Subject(stem + "/f".utf8) }

        /// The files from which ffmpeg makes a film or a sound of this name, each with its own extension.
        static func sources(of stem: ArraySlice<UInt8>) -> Subject { Subject(stem + "/s".utf8) }

        /// The files of this name, with any extension, that are packed into an archive of the name.
        static func packed(_ stem: ArraySlice<UInt8>) -> Subject { Subject(stem + "/p".utf8) }

        /// The names that end so, the first two letters of which a lock of Office lacks.
        static func shortened(_ ending: ArraySlice<UInt8>) -> Subject { Subject(Array("~/".utf8) + ending) }

        /// The name that is meant; nil for what several have in common.
        package var name: FileName? { FileName(bytes) }
    }

    /// One kind of name: the bytes before and after the other name in it.
    private struct Row {
        let before: [UInt8]
        let after: [UInt8]
        /// The end of the other name, which this one lacks.
        let ending: [UInt8]
        let kind: Kind

        init(_ before: String, _ after: String, _ kind: Kind, of ending: String = "") {
            self.before = Array(before.utf8)
            self.after = Array(after.utf8)
            self.ending = Array(ending.utf8)
            self.kind = kind
        }

        /// The other name; nil where this row is not meant.
        func rest(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
            guard name.count > before.count + after.count, name.starts(with: before, by: UnfinishedName.isSame),
                name.suffix(after.count).elementsEqual(after, by: UnfinishedName.isSame)
            else { return nil }
            return name.dropFirst(before.count).dropLast(after.count)
        }
    }

    /// The partials, each with the programs that make it.
    private static let partials: [Row] = [
        // Firefox, curl, wget2, yt-dlp, Nextcloud; Chromium; Opera.
        Row("", ".part", .partial), Row("", ".crdownload", .partial), Row("", ".opdownload", .partial),
        // rclone and Konqueror; WinSCP; aria2; yt-dlp; lftp.
        Row("", ".partial", .partial), Row("", ".filepart", .partial), Row("", ".aria2", .partial),
        Row("", ".ytdl", .partial), Row("", ".lftp-pget-status", .partial), Row("", ".lftp", .partial),
        // qBittorrent, µTorrent, BitComet, Resilio Sync, Thunder, UC, Free Download Manager, DownThemAll, PutDL.
        Row("", ".!qB", .partial), Row("", ".!ut", .partial), Row("", ".bc!", .partial), Row("", ".!sync", .partial),
        Row("", ".xltd", .partial), Row("", ".ucdownload", .partial), Row("", ".fdmdownload", .partial),
        Row("", ".dtapart", .partial), Row("", ".putdl", .partial),
        // Chromium's File System Access; Syncthing; ProFTPD.
        Row("", ".crswap", .partial), Row(".syncthing.", ".tmp", .partial), Row("~syncthing~", ".tmp", .partial),
        Row(".in.", ".", .partial),
        // Thunar; FreeFileSync; Baidu; Epiphany and other browsers on WebKitGTK; Nicotine+.
        Row("", ".partial~", .partial), Row("", ".ffs_tmp", .partial), Row("", ".downloading", .partial),
        Row("", ".wkdownload", .partial),
        // gsutil, MinIO, DC++, Vuze and BiglyBT.
        Row("", "_.gstmp", .partial), Row("", ".part.minio", .partial), Row("", ".dctmp", .partial),
        Row("", ".az!", .partial),
        Row("INCOMPLETE~", "", .partial),
    ]

    /// The locks. Those of Office and InDesign are found by their own rules.
    private static let locks: [Row] = [
        // LibreOffice; Kate; Emacs; KiCad; Access; AutoCAD.
        Row(".~lock.", "#", .lock), Row(".", ".kate-swp", .openLock), Row(".#", "", .processLock),
        Row("~", ".lck", .lock), Row("", ".laccdb", .lock, of: ".accdb"),
        Row("", ".dwl", .lock, of: ".dwg"), Row("", ".dwl2", .lock, of: ".dwg"),
        // WPS Office; Affinity.
        Row(".~", "", .lock), Row("", "~lock~", .lock),
        // KeePassXC, KeePass; Lightroom.
        Row(".", ".kdbx.lock", .lock, of: ".kdbx"), Row("", ".kdbx.lock", .lock, of: ".kdbx"),
        Row("", ".lrcat.lock", .lock, of: ".lrcat"),
    ]

    /// The names that may also be those of documents: axel's state, Safari's folder as other programs make it,
    /// Thunder's state; the locks of Access, and of KiCad, GnuCash and others. The second name of GnuCash's lock is found by
    /// its own rule.
    private static let controls: [Row] = [
        Row("", ".st", .control), Row("", ".download", .control), Row("", ".td.cfg", .control),
        Row("", ".ldb", .lock, of: ".mdb"), Row("", ".lck", .lock),
    ]

    /// The files that gzip, bzip2, xz, zstd, lzip, lz4, brotli and archivers make of one before they remove it, or unpack;
    /// and those that ExifTool and qpdf write before they replace it.
    private static let outputs: [Row] =
        [".gz", ".bz2", ".xz", ".zst", ".lz", ".lz4", ".br", "_exiftool_tmp", ".~qpdf-temp#"].map {
            Row("", $0, .output)
        } + archives
    private static let archives: [Row] = [".7z", ".zip", ".rar"].map { Row("", $0, .output) }

    /// The globs of the names in the table that are no documents.
    package static let ignored: [String] =
        (partials + locks).map {
            String(decoding: $0.before, as: UTF8.self) + "*" + String(decoding: $0.after, as: UTF8.self)
        } + [
            "*.part-Frag*", "~$*", "~*.idlk", ".*.sw[a-p]", "*.sb-????????-??????",
            ".*.~[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]*",
        ]

    private static func isSame(_ one: UInt8, _ other: UInt8) -> Bool { Glob.lowered(one) == Glob.lowered(other) }
}

// What a name shows.
extension UnfinishedName {
    /// Interprets an ignored name; nil if it shows nothing of others.
    package init?(ignored name: FileName) {
        let bytes = name.bytes
        for row in Self.partials {
            guard let rest = row.rest(of: bytes) else { continue }
            self.init(kind: .partial, subjects: Self.subjects(ofPartial: rest))
            return
        }
        for row in Self.locks {
            guard let rest = row.rest(of: bytes) else { continue }
            self.init(kind: row.kind, subjects: [Subject(rest + row.ending)])
            return
        }
        guard
            let other = Self.vimSwap(bytes) ?? Self.office(bytes) ?? Self.layout(bytes) ?? Self.nextcloud(bytes)
                ?? Self.piece(bytes)
        else { return nil }
        self = other
    }

    /// Interprets a name that may be a document's; nil if it shows nothing of others, as nearly all do.
    package init?(document name: FileName) {
        let bytes = name.bytes
        // Few names end in such letters, and none of the others costs more than this.
        guard bytes.count > 3, Self.mayEnd(with: Self.lastTwo(bytes)) else { return nil }
        for row in Self.controls {
            guard let rest = row.rest(of: bytes) else { continue }
            let isThunder = row.after.last == UInt8(ascii: "g")
            let own = [Subject(rest + row.ending)] + (isThunder ? [Subject(rest + ".td".utf8)] : [])
            self.init(kind: row.kind, subjects: own)
            return
        }
        for row in Self.outputs {
            guard let rest = row.rest(of: bytes) else { continue }
            let isArchive = Self.archives.contains { $0.after == row.after }
            self.init(kind: .output, subjects: [Subject(rest)] + (isArchive ? [.packed(rest)] : []))
            return
        }
        if let lock = Self.gnuCash(bytes) {
            self = lock
        } else if let stream = Stream(bytes) {
            self.init(kind: .control, subjects: stream.subjects)
        } else {
            return nil
        }
    }

    /// By the last letter of the names of ``controls`` and ``outputs``, and of films and sounds: the lower five bits of those
    /// before it, one bit each. It is asked for of every name, and a set would hash each.
    private static let lastLetters =
        ((controls + outputs).map { lastTwo($0.after[...]) } + [lastTwo(Array("nk".utf8)[...])]
        + Stream.extensions.map { lastTwo($0[...]) }).reduce(into: [UInt32](repeating: 0, count: 256)) {
            $0[Int($1 & 0xFF)] |= 1 << UInt32($1 >> 8 & 31)
        }

    /// Returns whether some of these names may end with two letters.
    private static func mayEnd(with letters: UInt16) -> Bool {
        lastLetters[Int(letters & 0xFF)] >> UInt32(letters >> 8 & 31) & 1 != 0
    }

    private static func lastTwo(_ name: ArraySlice<UInt8>) -> UInt16 {
        name.suffix(2).reduce(0) { $0 << 8 | UInt16(Glob.lowered($1)) }
    }

    /// Returns whether it is the name of a partial of another file.
    static func isPartial(_ name: FileName) -> Bool { Self(ignored: name)?.kind == .partial }

    /// Returns the subjects that a partial is a part of, given its name without the mark of a partial.
    private static func subjects(ofPartial rest: ArraySlice<UInt8>) -> [Subject] {
        var subjects = [Subject(rest)]
        let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // Firefox puts eight random letters into the name, rclone a hash at its end. Few names have so many dots.
        let last = parts.count - 1
        for (index, part) in parts.enumerated().dropFirst().prefix(16) where isRandom(part, isLast: index == last) {
            let others = parts[..<index] + parts[(index + 1)...]
            subjects.append(Subject(others.joined(separator: [UInt8(ascii: ".")])))
        }
        if let stream = Stream(rest) {
            subjects += stream.subjects
        } else if let dot = rest.lastIndex(of: UInt8(ascii: ".")), dot > rest.startIndex,
            Stream.extensions.contains(where: rest[(dot + 1)...].elementsEqual)
        {
            subjects.append(.streams(of: rest[..<dot]))
        }
        if let piece = piece(rest) { subjects += piece.subjects }
        return subjects
    }

    private static func isRandom(_ part: ArraySlice<UInt8>, isLast: Bool) -> Bool {
        if part.count == 8 {
            return part.allSatisfy { $0.isASCIILetter || $0.isDecimal || $0 == 0x2D || $0 == 0x5F }
        }
        return isLast && (6...64).contains(part.count) && part.allSatisfy(\.isHexadecimal)
    }

    /// `.NAME.swp` to `.NAME.swa`, which Vim has open.
    private static func vimSwap(_ name: ArraySlice<UInt8>) -> Self? {
        guard name.count > 5, name.first == UInt8(ascii: "."), let last = name.last,
            (UInt8(ascii: "a")...UInt8(ascii: "p")).contains(Glob.lowered(last)),
            name.dropLast().suffix(3).elementsEqual(".sw".utf8, by: isSame)
        else { return nil }
        return Self(kind: .openLock, subjects: [Subject(name.dropFirst().dropLast(4))])
    }

    /// `~$NAME` of Microsoft Office, of a longer name without its first two letters.
    private static func office(_ name: ArraySlice<UInt8>) -> Self? {
        guard name.count > 2, name.starts(with: "~$".utf8) else { return nil }
        let rest = name.dropFirst(2)
        return Self(kind: .lock, subjects: [Subject(rest), .shortened(rest)])
    }

    /// `~STEM~LETTERS.idlk` of InDesign and InCopy.
    private static func layout(_ name: ArraySlice<UInt8>) -> Self? {
        guard name.first == UInt8(ascii: "~"), name.suffix(5).elementsEqual(".idlk".utf8, by: isSame),
            let end = name.dropLast(5).lastIndex(of: UInt8(ascii: "~")), end > name.startIndex + 1
        else { return nil }
        let stem = name[(name.startIndex + 1)..<end]
        return Self(
            kind: .lock, subjects: [".indd", ".indt", ".indl", ".indb", ".icml"].map { Subject(stem + $0.utf8) })
    }

    /// `.NAME.~1a2b3c4d`, into which the clients of Nextcloud and ownCloud download.
    private static func nextcloud(_ name: ArraySlice<UInt8>) -> Self? {
        guard name.first == UInt8(ascii: "."), let dot = name.lastIndex(of: UInt8(ascii: ".")),
            dot > name.startIndex + 1
        else { return nil }
        let end = name[(dot + 1)...]
        guard end.first == UInt8(ascii: "~"), (7...9).contains(end.count), end.dropFirst().allSatisfy(\.isHexadecimal)
        else { return nil }
        return Self(kind: .partial, subjects: [Subject(name[..<dot].dropFirst())])
    }

    /// `NAME.HOST.PROCESS.LNK`, the second name of GnuCash's `NAME.LCK`.
    private static func gnuCash(_ name: ArraySlice<UInt8>) -> Self? {
        let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count > 3, let last = parts.last, last.elementsEqual("lnk".utf8, by: isSame) else { return nil }
        let (host, process) = (parts[parts.count - 3], parts[parts.count - 2])
        guard !process.isEmpty, process.allSatisfy(\.isDecimal), host.startIndex > name.startIndex + 1 else {
            return nil
        }
        return Self(kind: .lock, subjects: [Subject(name[..<host.startIndex].dropLast())])
    }

    /// `NAME.part-Frag3` of yt-dlp, `NAME.sb-1a2b3c4d-AbCdEf` of macOS.
    private static func piece(_ name: ArraySlice<UInt8>) -> Self? {
        let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard
            let index = parts.lastIndex(where: {
                $0.starts(with: "part-Frag".utf8) || ($0.starts(with: "sb-".utf8) && $0.count == 18)
            }), index > 0
        else { return nil }
        let rest = name[name.startIndex..<parts[index].startIndex].dropLast()
        return Self(kind: .partial, subjects: subjects(ofPartial: rest))
    }
}

extension UnfinishedName {
    /// Safari downloads into a folder `NAME.download`, and keeps beside the document a file of this name that says how far
    /// it has come.
    package static let safariProgress = FileName("Info.plist").unsafelyUnwrapped

    /// Returns whether a folder is named as Safari names the one that it downloads into.
    package static func isSafariFolder(_ name: FileName) -> Bool {
        name.count > 9 && name.bytes.suffix(9).elementsEqual(".download".utf8)
    }

    /// Returns the subjects to look up in the table of a name's folder: everything that another name may show of this
    /// one.
    package static func subjects(of name: FileName) -> [Subject] {
        let bytes = name.bytes
        var subjects = [Subject(bytes)]
        let dot = bytes.lastIndex(of: UInt8(ascii: "."))
        let letters = bytes[..<(dot ?? bytes.endIndex)].count { $0 & 0xC0 != 0x80 }
        if letters >= 7 { subjects.append(.shortened(bytes.dropLetters(letters == 7 ? 1 : 2))) }
        guard let end = dot, end > bytes.startIndex else { return subjects }
        let stem = bytes[..<end]
        subjects.append(.packed(stem))
        if Stream.extensions.contains(where: bytes[(end + 1)...].elementsEqual) {
            subjects.append(.sources(of: stem))
        }
        if let stream = Stream(bytes), stream.isPart { subjects.append(.streams(of: stream.stem)) }
        subjects += Stream.stems(ofCompanion: bytes).map(Subject.streams)
        return subjects
    }

    /// The names that one program or another gives to a partial of a file.
    package static func partialNames(of name: FileName) -> [FileName] {
        partials.compactMap { FileName($0.before + name.bytes + $0.after) }
    }
}

/// `STEM.fID.EXT`, one stream of a film, or `STEM.temp.EXT`, into which yt-dlp merges them.
private struct Stream {
    static let extensions = [
        "mp4", "webm", "m4a", "mkv", "mp3", "opus", "ogg", "flv", "mov", "aac", "3gp", "m4v", "weba", "wav", "ts",
        "vtt",
    ].map { Array($0.utf8) }

    /// Returns whether a name ends as films and sounds do.
    static func isFilm(_ name: ArraySlice<UInt8>) -> Bool {
        name.lastIndex(of: UInt8(ascii: ".")).map { dot in
            extensions.contains { name[(dot + 1)...].elementsEqual($0) }
        } ?? false
    }

    let stem: ArraySlice<UInt8>
    /// It is one of the streams.
    let isPart: Bool
    private let middle: ArraySlice<UInt8>

    init?(_ name: ArraySlice<UInt8>) {
        let parts = name.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count > 2, let last = parts.last, Self.extensions.contains(where: { $0.elementsEqual(last) }) else {
            return nil
        }
        middle = parts[parts.count - 2]
        isPart = middle.count > 1 && middle.count <= 32 && middle.first == UInt8(ascii: "f")
        guard isPart || middle.elementsEqual("temp".utf8) else { return nil }
        stem = name[name.startIndex..<middle.startIndex].dropLast()
        if stem.isEmpty { return nil }
    }

    /// The subjects that the stream shows to be under way.
    var subjects: [UnfinishedName.Subject] {
        isPart ? [.streams(of: stem)] : [.streams(of: stem), .sources(of: stem)]
    }

    /// Its name is certainly one that yt-dlp gives: `f137`, `fhls-720`.
    var isSure: Bool { isPart && (middle.dropFirst().first?.isDecimal == true || middle.contains(UInt8(ascii: "-"))) }

    private static let companions = ["webp", "jpg", "png", "vtt", "srt", "ass", "lrc", "json", "description"].map {
        Array($0.utf8)
    }

    /// Returns the names without extension of the films that a picture, subtitles or a description may belong to, which
    /// yt-dlp puts into the film once that is there: `STEM.jpg`, `STEM.de.vtt`, `STEM.info.json`.
    static func stems(ofCompanion name: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let dot = UInt8(ascii: ".")
        guard let end = name.lastIndex(of: dot), companions.contains(where: name[(end + 1)...].elementsEqual) else {
            return []
        }
        let stem = name[..<end]
        return [stem] + (stem.lastIndex(of: dot).map { [stem[..<$0]] } ?? [])
    }
}

extension ArraySlice<UInt8> {
    /// Without so many letters at its beginning.
    fileprivate func dropLetters(_ count: Int) -> ArraySlice<UInt8> {
        var rest = self
        for _ in 0..<count { rest = rest.dropFirst().drop { $0 & 0xC0 == 0x80 } }
        return rest
    }
}

extension UInt8 {
    fileprivate var isDecimal: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isHexadecimal: Bool {
        isDecimal || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(Glob.lowered(self))
    }
}

extension FileName {
    /// It is the name of a partial of another file.
    package var isPartial: Bool { UnfinishedName.isPartial(self) }

    /// It is a name that yt-dlp gives to one stream of a film.
    package var isStream: Bool { Stream(bytes)?.isSure == true }

    /// It ends as films and sounds do.
    package var isFilm: Bool { Stream.isFilm(bytes) }
}

extension UnfinishedName {
    /// It is named as a stream of a film is, which other films may be too.
    package var isStream: Bool { kind == .control && subjects.contains { $0.bytes.suffix(2).elementsEqual("/f".utf8) } }

    /// The program that makes this one of its subjects may remove those when this one is complete.
    package var endsSubjects: Bool {
        kind == .output || subjects.contains { $0.bytes.suffix(2).elementsEqual("/s".utf8) }
    }
}
