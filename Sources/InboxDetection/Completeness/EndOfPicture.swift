/// The ends of pictures.
enum EndOfPicture {
    /// The last chunk has no data; some programs append something of their own.
    static func png(_ content: inout Content, _ size: Int) -> Completeness {
        let tail = content.readingTail(of: size) { bytes, _ in bytes.findLast("IEND") == nil ? .unknown : .complete }
        if tail == .complete || content.isExhausted { return tail }
        var place = 8
        while place < size {
            let chunk = content.reading(at: place, count: 8) { bytes, _ -> (length: Int, isLast: Bool)? in
                bytes.big32(at: 0).map { ($0, bytes.has("IEND", at: 4)) }
            }
            // More chunks than are followed: nothing shows an end, neither here nor at the end of the file.
            if content.isExhausted { content = content.renewed(bytes: 0, reads: 0) }
            guard let chunk, size - place >= 8 else { break }
            if chunk.isLast { return .complete }
            place += 12 + chunk.length
        }
        return .incomplete("a PNG picture without its last chunk")
    }

    /// Segments with their lengths, then packed data that hold no mark of an end, then that mark.
    static func jpeg(_ content: inout Content, _ size: Int) -> Completeness {
        var place = 2
        var isFollowed = false
        while !isFollowed {
            if place + 4 > size { return .incomplete("a JPEG picture that ends before its image") }
            let segment = content.reading(at: place, count: 4) { bytes, _ -> (marker: UInt8, length: Int)? in
                guard bytes[0] == 0xFF, let length = bytes.big16(at: 2) else { return nil }
                return (bytes[1], length)
            }
            guard let segment else { return .unknown }
            switch segment.marker {
            case 0xFF: place += 1
            case 0xD9: return .unknown
            case 0x01, 0xD0...0xD8: place += 2
            default:
                guard segment.length >= 2 else { return .unknown }
                place += 2 + segment.length
                isFollowed = segment.marker == 0xDA
            }
        }
        if place > size { return .incomplete("a JPEG picture that ends before its image") }
        return content.readingTail(of: size, notBefore: place) { bytes, _ in
            var place = bytes.count - 2
            var marks = 0
            var hasOthers = false
            while place >= 0 {
                if bytes[place] == 0xFF {
                    switch bytes[place + 1] {
                    case 0xD9: return .complete
                    case 0x00, 0xFF, 0xD0...0xD7, 0xC4, 0xDA, 0xDB, 0xDD: marks += 1
                    default: hasOthers = true
                    }
                }
                place -= 1
            }
            // What is no packed data, such as a film, was appended to a picture whose end lies further ahead.
            if bytes.count == Content.tailSize, hasOthers || marks == 0 { return .unknown }
            return .incomplete("a JPEG picture without the mark of its end")
        }
    }

    /// The last byte is the trailer; short ones are followed block by block.
    static func gif(_ content: inout Content, _ size: Int) -> Completeness {
        let cut = Completeness.incomplete("a GIF picture without its trailer")
        return content.readingTail(of: size) { bytes, _ in
            if bytes.count == size, let isWhole = followGIF(bytes) { return isWhole ? .complete : cut }
            return bytes.withoutPadding.ends(with: ";") ? .complete : cut
        }
    }

    /// Returns whether the blocks lead to the trailer before the end; nil where they lead to something else.
    private static func followGIF(_ bytes: Bytes) -> Bool? {
        func table(_ flags: UInt8) -> Int { flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0 }
        var place = 13 + table(bytes[10])
        while place < bytes.count {
            switch bytes[place] {
            case 0x3B: return true
            case 0x21: place += 2
            case 0x2C:
                guard let flags = bytes.byte(at: place + 9) else { return false }
                place += 10 + table(flags) + 1
            case 0x00:
                place += 1
                continue
            default: return nil
            }
            while let length = bytes.byte(at: place), length > 0 { place += 1 + Int(length) }
            place += 1
        }
        return false
    }

    /// Directories that say where the strips or tiles lie (TIFF 6.0); what is furthest must be there.
    static func tiff(_ content: inout Content, _ size: Int) -> Completeness {
        let isBig = content.head.has("MM")
        guard let first = content.head.number32(at: 4, big: isBig) else { return .unknown }
        var open = [first]
        var seen: Set<Int> = []
        var needed = 0
        while let place = open.popLast(), seen.count < 16 {
            guard place > 0, seen.insert(place).inserted else { continue }
            var directory = TIFFExtent(isBig: isBig)
            guard directory.read(at: place, size, &content) else {
                return content.isExhausted ? .unknown : .incomplete("a TIFF picture without its directory")
            }
            needed = max(needed, directory.needed)
            open += directory.others
        }
        return .needs(needed, of: size, "a TIFF picture")
    }
}

/// The extent of one directory of a TIFF file.
private struct TIFFExtent {
    let isBig: Bool
    private(set) var needed = 0
    private(set) var others: [Int] = []

    init(isBig: Bool) {
        self.isBig = isBig
    }

    /// Returns false where the directory itself is not all there.
    mutating func read(at place: Int, _ size: Int, _ content: inout Content) -> Bool {
        let head = content.reading(at: place, count: 2) { [isBig] bytes, _ in bytes.number16(at: 0, big: isBig) }
        guard let count = head, count > 0, count <= 512, place + 2 + 12 * count <= size else { return false }
        var starts: (count: Int, last: Int)?
        var lengths: (count: Int, last: Int)?
        var old: (start: Int, length: Int) = (0, 0)
        let isRead = content.reading(at: place + 2, count: 12 * count + 4) { bytes, content in
            for index in 0..<count {
                let here = 12 * index
                guard let tag = bytes.number16(at: here, big: isBig),
                    let kind = bytes.number16(at: here + 2, big: isBig),
                    let values = bytes.number32(at: here + 4, big: isBig),
                    let value = bytes.number32(at: here + 8, big: isBig)
                else { return false }
                switch tag {
                case 273, 324:
                    starts = Self.last(kind, values, bytes.from(here + 8), value, isBig, &content).map { (values, $0) }
                case 279, 325:
                    lengths = Self.last(kind, values, bytes.from(here + 8), value, isBig, &content).map { (values, $0) }
                case 513: old.start = value
                case 514: old.length = value
                case 330 where values == 1: others.append(value)
                case 330 where values <= 8 && kind != 3:
                    let offsets = content.reading(at: value, count: 4 * values) { bytes, _ in
                        (0..<values).compactMap { bytes.number32(at: 4 * $0, big: isBig) }
                    }
                    others += offsets
                default: break
                }
            }
            if let next = bytes.number32(at: 12 * count, big: isBig), next > 0 { others.append(next) }
            return true
        }
        guard isRead else { return false }
        if let starts, let lengths, starts.count == lengths.count { needed = starts.last + lengths.last }
        if old.start > 0, old.length > 0 { needed = max(needed, old.start + old.length) }
        return true
    }

    /// The last of a tag's values, which are short or long; nil where they are others, or not there.
    private static func last(
        _ kind: Int, _ count: Int, _ field: Bytes, _ place: Int, _ isBig: Bool, _ content: inout Content
    ) -> Int? {
        guard count > 0, kind == 3 || kind == 4 else { return nil }
        let width = kind == 3 ? 2 : 4
        let offset = (count - 1) * width
        if count * width <= 4 {
            return width == 2 ? field.number16(at: offset, big: isBig) : field.number32(at: offset, big: isBig)
        }
        return content.reading(at: place + offset, count: width) { bytes, _ in
            width == 2 ? bytes.number16(at: 0, big: isBig) : bytes.number32(at: 0, big: isBig)
        }
    }
}
