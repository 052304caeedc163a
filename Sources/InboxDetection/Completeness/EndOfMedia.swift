/// The ends of sounds and films.
enum EndOfMedia {
    /// Boxes in a row, each with its length (ISO/IEC 14496-12); the last one may reach to the end without saying so.
    static func boxes(_ content: inout Content, _ size: Int) -> Completeness {
        var place = 0
        var names: Set<UInt32> = []
        while place < size {
            if size - place < 8 { break }
            let box = content.reading(at: place, count: 16) { bytes, _ -> (name: UInt32, length: Int?)? in
                guard let short = bytes.big32(at: 0), let name = bytes.big32(at: 4) else { return nil }
                guard (4..<8).allSatisfy({ (0x20...0x7E).contains(bytes[$0]) || bytes[$0] == 0xA9 }) else { return nil }
                guard short == 1 else { return (UInt32(name), short) }
                guard let upper = bytes.big32(at: 8), let lower = bytes.big32(at: 12), upper < 1 << 28 else {
                    return (UInt32(name), nil)
                }
                return (UInt32(name), upper << 32 | lower)
            }
            // What follows the last box is none of the film's, unless nothing was read.
            guard let box else { return .unknown }
            guard let length = box.length else { return .incomplete("a film that ends inside a header") }
            names.insert(box.name)
            if length == 0 {
                place = size
                break
            }
            guard length >= 8 else { return .unknown }
            place += length
        }
        if place > size { return .needs(place, of: size, "a film") }
        let isIndexed = [0x6D6F_6F76, 0x6D65_7461, 0x6D6F_6F66].contains { names.contains($0) }
        // `ftyp` and `mdat` without `moov`: the index is written last.
        if names.contains(0x6674_7970), names.contains(0x6D64_6174), !isIndexed {
            return .incomplete("a film without its index")
        }
        return .complete
    }

    /// Chunks in one that has their length (RIFF and IFF). What streams leaves that open: zero, or next to the largest
    /// number.
    static func chunks(_ content: inout Content, _ size: Int) -> Completeness {
        let head = content.head
        var needed: Int?
        if head.has("RF64") {
            needed = head.has("ds64", at: 12) ? head.littleOffset(at: 20).map { $0 + 8 } : nil
        } else if let length = head.has("RIFF") ? head.little32(at: 4) : head.big32(at: 4), length > 0,
            length < 0x7FFF_F000
        {
            needed = length + 8
        }
        guard let needed, needed > 8 else { return .unknown }
        // Some writers count the eight bytes of the header too, and some leave the last byte of padding out.
        if needed <= size + 8 {
            guard needed < size, head.has("RIFF"), head.has("AVI ", at: 8) else { return .complete }
            return moreOfFilm(&content, from: needed + needed % 2, size)
        }
        return .needs(
            needed, of: size, head.has("WEBP", at: 8) ? "a WebP picture" : "a recording")
    }

    /// The further parts of a film of more than a gigabyte.
    private static func moreOfFilm(_ content: inout Content, from start: Int, _ size: Int) -> Completeness {
        var place = start
        while place + 12 <= size {
            let length = content.reading(at: place, count: 12) { bytes, _ in
                bytes.has("RIFF") && bytes.has("AVIX", at: 8) ? bytes.little32(at: 4) : nil
            }
            guard let length, length > 0, length < 0x7FFF_F000 else { return .complete }
            place += 8 + length + length % 2
        }
        return .needs(place, of: size + 8, "a film")
    }

    /// A segment that knows its length (RFC 9559); a stream's does not.
    static func matroska(_ content: inout Content, _ size: Int) -> Completeness {
        let head = content.head
        guard let header = number(head, at: 4) else { return .unknown }
        let segment = 4 + header.width + header.value
        guard head.big32(at: segment) == 0x1853_8067, let body = number(head, at: segment + 4) else { return .unknown }
        let isOpen = body.value == 1 << (7 * body.width) - 1
        if isOpen { return .unknown }
        return .needs(segment + 4 + body.width + body.value, of: size, "a Matroska film")
    }

    /// A number whose first byte says how many there are.
    private static func number(_ bytes: Bytes, at place: Int) -> (value: Int, width: Int)? {
        guard let first = bytes.byte(at: place), first != 0 else { return nil }
        let width = first.leadingZeroBitCount + 1
        var value = Int(first) & (0xFF >> width)
        for index in 1..<max(1, width) {
            guard let byte = bytes.byte(at: place + index) else { return nil }
            value = value << 8 | Int(byte)
        }
        return value < 1 << 57 ? (value, width) : nil
    }
}
