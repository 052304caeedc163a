/// The completeness of a document, by what its own format says about its length or its end.
///
/// Only what a format *shows* counts: the sizes in its header, the mark that every whole file of it ends with.
/// Nothing is unpacked but a short gzip stream, and nothing is read but the end, or a bounded number of headers in a
/// row.
package enum Completeness: Equatable, Sendable {
    /// The format's end is there.
    case complete
    /// The format goes on; what is missing, in words.
    case incomplete(String)
    /// The format does not show its end, or there is none that is known here.
    case unknown

    /// Bytes of a file that has hardly more than a signature: that is a stub which somebody wrote, rather than a
    /// document that was cut off.
    private static let leastSize = 100

    /// Returns how much of a file with this content is there.
    /// - Parameter isDisc: whether its content was identified as a disc's image, which has its size far from the beginning.
    static func of(_ content: Content, isDisc: Bool = false) -> Completeness {
        if isLog(content.head) { return .incomplete("the log of an SQLite database, which is not here") }
        guard content.head.count >= leastSize else {
            return isBegunFilm(content.head) ? .incomplete("a film without its index") : .unknown
        }
        var content = content.renewed(bytes: 192 * 1024, reads: 96)
        guard let size = content.size(), let check = check(for: content.head, isDisc: isDisc) else { return .unknown }
        let found = check(&content, size)
        // What could not be read shows nothing.
        if case .incomplete = found, content.isExhausted { return .unknown }
        return found
    }

    /// Returns whether a file is a database's log or journal, without which the database may lack what was written
    /// last.
    private static func isLog(_ head: Bytes) -> Bool {
        switch head.big32(at: 0) {
        case 0x377F_0682, 0x377F_0683: head.count >= 32 && head.big32(at: 4) == 3_007_000
        case 0xD9D5_05F9: head.big32(at: 4) == 0x20A1_63D7
        default: false
        }
    }

    /// Returns whether a file is what ffmpeg writes first, and has for minutes where frames arrive slowly: the header of a
    /// film's data, without their length.
    private static func isBegunFilm(_ head: Bytes) -> Bool {
        head.has("ftyp", at: 4) && head.has("mdat", at: head.count - 4) && head.big32(at: head.count - 8) == 0
    }

    typealias Check = (inout Content, Int) -> Completeness

    /// Returns the check that the first bytes ask for; nil for most documents, of which nothing more is read.
    static func check(for head: Bytes, isDisc: Bool) -> Check? {
        if isDisc { return EndOfData.disc }
        if head.has("ustar", at: 257) { return EndOfArchive.tape }
        switch head[0] {
        case 0x00 where head.has("\u{0}\u{1}\u{0}\u{0}"): return EndOfData.font
        case 0x1A where head.big32(at: 0) == 0x1A45_DFA3: return EndOfMedia.matroska
        case 0x1F where head[1] == 0x8B && head[2] == 8: return EndOfArchive.gzip
        case UInt8(ascii: "%") where head.has("%PDF-"): return EndOfData.pages
        case 0x28 where head.big32(at: 0) == 0x28B5_2FFD: return EndOfArchive.zstandard
        case UInt8(ascii: "7") where head.has("7z") && head.big32(at: 2) == 0xBCAF_271C: return EndOfArchive.seven
        case UInt8(ascii: "<"), 0xEF: return EndOfData.markup
        case UInt8(ascii: "B") where head.has("BZh") && head.has("1AY&SY", at: 4): return EndOfArchive.bzip
        case UInt8(ascii: "F") where head.has("FORM") && head.has("AIF", at: 8): return EndOfMedia.chunks
        case UInt8(ascii: "G") where head.has("GIF8"): return EndOfPicture.gif
        case UInt8(ascii: "I") where head.has("II*\u{0}"): return EndOfPicture.tiff
        case UInt8(ascii: "M") where head.has("MM\u{0}*"): return EndOfPicture.tiff
        case UInt8(ascii: "O") where head.has("OTTO"): return EndOfData.font
        case UInt8(ascii: "P") where head.has("PK\u{3}\u{4}"): return EndOfArchive.zip
        case UInt8(ascii: "R") where head.has("RIFF") || head.has("RIFX") || head.has("RF64"): return EndOfMedia.chunks
        case UInt8(ascii: "R") where head.has("Rar!\u{1A}\u{7}\u{0}"): return EndOfArchive.rar
        case UInt8(ascii: "R") where head.has("Rar!\u{1A}\u{7}\u{1}\u{0}"): return EndOfArchive.rar5
        case UInt8(ascii: "S") where head.has("SQLite format 3\u{0}"): return EndOfData.database
        case UInt8(ascii: "t") where head.has("true\u{0}"): return EndOfData.font
        case UInt8(ascii: "w") where head.has("wOFF") || head.has("wOF2"): return EndOfData.webFont
        case 0x89 where head.big32(at: 0) == 0x8950_4E47: return EndOfPicture.png
        case 0xD0 where head.big32(at: 0) == 0xD0CF_11E0: return CompoundFile.completeness
        case 0xFD where head.has("7zXZ\u{0}", at: 1): return EndOfArchive.xz
        case 0xFF where head[1] == 0xD8 && head[2] == 0xFF: return EndOfPicture.jpeg
        default: break
        }
        for name: StaticString in ["ftyp", "moov", "mdat", "wide", "free", "skip"] where head.has(name, at: 4) {
            return EndOfMedia.boxes
        }
        return nil
    }

    /// Says that a format needs more bytes than there are.
    static func needs(_ needed: Int, of size: Int, _ what: String) -> Completeness {
        needed > size ? .incomplete("\(what) of at least \(needed) bytes, of which \(size) are there") : .complete
    }
}

extension Content {
    /// Bytes of a file's end that are read to find the mark of its end.
    static let tailSize = 64 * 1024

    /// Hands the end of the file to `body`: at most so many bytes, and none before an offset.
    mutating func readingTail(
        of size: Int, count: Int = Content.tailSize, notBefore start: Int = 0,
        _ body: (Bytes, inout Content) -> Completeness
    ) -> Completeness {
        let first = max(start, size - count)
        return reading(at: first, count: size - first, body)
    }
}

extension Bytes {
    /// The last offset of the text.
    func findLast(_ text: StaticString) -> Int? {
        var last: Int?
        var here = 0
        while let found = find(text, from: here) {
            last = found
            here = found + 1
        }
        return last
    }

    /// The window without zeros and white space at its end, which some programs pad with.
    var withoutPadding: Bytes {
        var end = count
        while end > 0, self[end - 1] == 0 || ASCII.isSpace(self[end - 1]) { end -= 1 }
        return self[0..<end]
    }
}
