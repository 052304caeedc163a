/// Where a zip archive's directory lies, as the record at the archive's end says: APPNOTE.TXT, sections 4.3.14 to 4.3.16.
package struct ZipEnd {
    /// Where the directory begins.
    package let offset: Int
    /// Bytes of the directory.
    package let length: Int

    /// Bytes of the record without its comment.
    static let recordSize = 22
    /// Bytes of an archive's end that are read first: nearly every archive has no comment, or a short one.
    private static let usualReach = 1024
    /// Bytes of an archive's end that hold the record, whatever its comment: the comment's length has 16 bits.
    private static let longestReach = recordSize + 0xFFFF

    /// Finds the record of an archive of this size.
    package static func find(_ content: inout Content, size: Int) -> ZipEnd? {
        var found = lookup(&content, size, reach: usualReach)
        if found?.isFitting != true, size > usualReach {
            content.allow(bytes: longestReach)
            found = lookup(&content, size, reach: longestReach) ?? found
        }
        guard let found else { return nil }
        return found.end.isFull ? large(&content, before: found.offset) ?? found.end : found.end
    }

    /// Finds the record where no comment, or a short one, follows it.
    static func findNearby(_ content: inout Content, size: Int) -> ZipEnd? {
        guard let found = lookup(&content, size, reach: usualReach), found.isFitting else { return nil }
        return found.end
    }

    private struct Candidate {
        let offset: Int
        let end: ZipEnd
        /// The comment ends where the archive does: a signature inside a comment seldom fits so.
        let isFitting: Bool
    }

    /// The last record that fits; where none does, as in an archive with more behind it, the last signature.
    private static func lookup(_ content: inout Content, _ size: Int, reach: Int) -> Candidate? {
        let tail = min(size, reach)
        return content.reading(at: size - tail, count: tail) { bytes, _ in
            var best: Candidate?
            var here = 0
            while let found = bytes.find("PK\u{5}\u{6}", from: here), let length = bytes.little32(at: found + 12),
                let offset = bytes.little32(at: found + 16), let comment = bytes.little16(at: found + 20)
            {
                let isFitting = found + recordSize + comment == bytes.count
                if isFitting || best?.isFitting != true {
                    let end = ZipEnd(offset: offset, length: length)
                    best = Candidate(offset: size - tail + found, end: end, isFitting: isFitting)
                }
                here = found + 1
            }
            return best
        }
    }

    /// A number does not fit into the record.
    private var isFull: Bool { offset == ZipLargeField.full || length == ZipLargeField.full }

    /// The record with longer numbers; what precedes the usual one says where it lies.
    private static func large(_ content: inout Content, before place: Int) -> ZipEnd? {
        let record = content.reading(at: place - 20, count: 20) { bytes, _ in
            bytes.has("PK\u{6}\u{7}") ? bytes.littleOffset(at: 8) : nil
        }
        guard let record else { return nil }
        return content.reading(at: record, count: 56) { bytes, _ in
            guard bytes.has("PK\u{6}\u{6}"), let length = bytes.littleOffset(at: 40),
                let offset = bytes.littleOffset(at: 48)
            else { return nil }
            return ZipEnd(offset: offset, length: length)
        }
    }
}

/// The extra field with an entry's numbers of more than 32 bits: APPNOTE.TXT, section 4.5.3.
struct ZipLargeField {
    /// The value that an entry has in place of a number that is in this field.
    static let full = 0xFFFF_FFFF

    /// The numbers that were not asked for yet.
    private var rest: Bytes

    /// Finds the field among all extra fields of an entry.
    init?(_ extra: Bytes) {
        var here = 0
        while let kind = extra.little16(at: here), let count = extra.little16(at: here + 2) {
            if kind == 1 {
                rest = extra[(here + 4)..<(here + 4 + count)]
                return
            }
            here += 4 + count
        }
        return nil
    }

    /// The entry's number itself, or the one that is in this field instead: asked in the order of the field, which is
    /// size, packed size and offset.
    mutating func number(_ short: Int) -> Int {
        guard short == Self.full, let long = rest.littleOffset(at: 0) else { return short }
        rest = rest.from(8)
        return long
    }
}
