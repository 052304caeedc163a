/// A window on bytes that somebody else owns for the length of a call.
///
/// Every access is checked against the window and answers nil outside: no content can lead a parser astray.
struct Bytes {
    private let raw: UnsafeRawBufferPointer

    init(_ raw: UnsafeRawBufferPointer) {
        self.raw = raw
    }

    var count: Int { raw.count }
    var isEmpty: Bool { raw.isEmpty }

    /// The byte at an index, for loops that stay below `count`; 0 outside.
    @inline(__always)
    subscript(index: Int) -> UInt8 {
        index >= 0 && index < raw.count ? raw[index] : 0
    }

    /// A part of the window, cut where the window ends.
    subscript(range: Range<Int>) -> Bytes {
        let lower = min(max(range.lowerBound, 0), raw.count)
        let upper = min(max(range.upperBound, lower), raw.count)
        return Bytes(UnsafeRawBufferPointer(rebasing: raw[lower..<upper]))
    }

    /// What follows an offset.
    func from(_ offset: Int) -> Bytes { self[max(0, offset)..<max(count, max(0, offset))] }

    func byte(at offset: Int) -> UInt8? {
        offset >= 0 && offset < raw.count ? raw[offset] : nil
    }

    func little16(at offset: Int) -> Int? {
        fits(2, at: offset) ? Int(raw.loadUnaligned(fromByteOffset: offset, as: UInt16.self).littleEndian) : nil
    }

    func little32(at offset: Int) -> Int? {
        fits(4, at: offset) ? Int(raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian) : nil
    }

    func big16(at offset: Int) -> Int? {
        fits(2, at: offset) ? Int(raw.loadUnaligned(fromByteOffset: offset, as: UInt16.self).bigEndian) : nil
    }

    func big32(at offset: Int) -> Int? {
        fits(4, at: offset) ? Int(raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian) : nil
    }

    func little64(at offset: Int) -> UInt64? {
        fits(8, at: offset) ? raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian : nil
    }

    /// A number in the byte order that a format's header chose.
    func number16(at offset: Int, big: Bool) -> Int? { big ? big16(at: offset) : little16(at: offset) }
    func number32(at offset: Int, big: Bool) -> Int? { big ? big32(at: offset) : little32(at: offset) }

    @inline(__always)
    private func fits(_ size: Int, at offset: Int) -> Bool {
        offset >= 0 && offset <= raw.count - size
    }

    /// Whether the text's bytes stand at the offset.
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        let size = text.utf8CodeUnitCount
        guard fits(size, at: offset) else { return false }
        let wanted = text.utf8Start
        for index in 0..<size where raw[offset + index] != wanted[index] { return false }
        return true
    }

    /// As `has`, with ASCII letters equal in either case; the text is given in lower case.
    func hasIgnoringCase(_ text: StaticString, at offset: Int = 0) -> Bool {
        let size = text.utf8CodeUnitCount
        guard fits(size, at: offset) else { return false }
        let wanted = text.utf8Start
        for index in 0..<size where ASCII.lower(raw[offset + index]) != wanted[index] { return false }
        return true
    }

    /// Whether a stretch of an array stands at the offset.
    @inline(__always)
    func has(_ bytes: [UInt8], _ stretch: Range<Int>, at offset: Int) -> Bool {
        guard fits(stretch.count, at: offset), stretch.upperBound <= bytes.count else { return false }
        var here = offset
        for index in stretch {
            if raw[here] != bytes[index] { return false }
            here += 1
        }
        return true
    }

    /// Where the text first stands, if it begins below `limit`.
    func find(_ text: StaticString, from start: Int = 0, before limit: Int = .max) -> Int? {
        let size = text.utf8CodeUnitCount
        guard size > 0 else { return nil }
        let first = text.utf8Start[0]
        var index = start
        let end = min(limit, raw.count - size + 1)
        while let place = scan(for: first, from: index, before: end) {
            if has(text, at: place) { return place }
            index = place + 1
        }
        return nil
    }

    /// Whether the window is exactly this text.
    func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && has(text)
    }

    /// Whether the window ends with this text.
    func ends(with text: StaticString) -> Bool {
        has(text, at: count - text.utf8CodeUnitCount)
    }

    func contains(_ text: StaticString) -> Bool { find(text) != nil }

    /// Where a byte first stands at or behind `start`.
    func index(of byte: UInt8, from start: Int = 0) -> Int? {
        scan(for: byte, from: start, before: raw.count)
    }

    /// Nil where a control character stands that no text has; else whether there are bytes beyond ASCII.
    ///
    /// Eight bytes at a time, since this looks at the whole head of every text: a byte below 0x20 leaves its top bit
    /// clear when 0x60 is added to its lower seven.
    func textSurvey() -> Bool? {
        let tops: UInt64 = 0x8080_8080_8080_8080
        var place = 0
        var high: UInt64 = 0
        while place + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            high |= word & tops
            let controls = ~((word & ~tops) &+ 0x6060_6060_6060_6060) & ~word & tops
            if controls | Word.zeros(word ^ 0x7F7F_7F7F_7F7F_7F7F) != 0 {
                for index in place..<(place + 8) where isHarmful(raw[index]) { return nil }
            }
            place += 8
        }
        while place < raw.count {
            if isHarmful(raw[place]) { return nil }
            high |= UInt64(raw[place] & 0x80)
            place += 1
        }
        return high != 0
    }

    @inline(__always)
    private func isHarmful(_ byte: UInt8) -> Bool {
        byte < 0x20 ? !TextSniffer.isHarmless(byte) : byte == 0x7F
    }

    /// Where a byte first stands at or behind `start`, eight bytes at a time.
    func scan(for byte: UInt8, from start: Int, before limit: Int) -> Int? {
        let pattern = UInt64(byte) &* 0x0101_0101_0101_0101
        var place = max(0, start)
        let end = min(limit, raw.count)
        while place + 8 <= end {
            if Word.zeros(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ pattern) != 0 { break }
            place += 8
        }
        while place < end {
            if raw[place] == byte { return place }
            place += 1
        }
        return nil
    }

    /// Lends the window's memory.
    func withRaw<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { body(raw) }

    /// The window's bytes as text, repaired: only for identifiers that are compared with known ones.
    var text: String { String(decoding: raw, as: UTF8.self) }
}

/// Eight bytes in a word.
enum Word {
    /// Not zero where one of the eight bytes is zero.
    @inline(__always)
    static func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }
}

/// ASCII by hand: no locale and no Unicode tables on the path of a document.
enum ASCII {
    @inline(__always)
    static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { lower(byte) >= 0x61 && lower(byte) <= 0x7A }

    /// The value of a hexadecimal digit.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
