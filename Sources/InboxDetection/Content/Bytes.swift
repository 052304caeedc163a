import InboxLinux

/// A window on bytes that somebody else owns for the length of a call.
///
/// Every access is checked against the window and gives nil or 0 outside: no content makes a parser read elsewhere.
package struct Bytes {
    @usableFromInline let raw: UnsafeRawBufferPointer

    /// A window on all of a buffer.
    @inlinable
    package init(_ raw: UnsafeRawBufferPointer) {
        self.raw = raw
    }

    /// A text of the program, which lives as long as it.
    package init(_ text: StaticString) {
        self.init(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Bytes of the window.
    @inlinable package var count: Int { raw.count }
    package var isEmpty: Bool { raw.isEmpty }

    /// The byte at an index, for loops that stay below `count`; 0 outside.
    @inlinable @inline(__always)
    package subscript(index: Int) -> UInt8 {
        index >= 0 && index < raw.count ? raw[index] : 0
    }

    /// A part of the window, cut where the window ends.
    @inlinable @inline(__always)
    package subscript(range: Range<Int>) -> Bytes {
        let lower = min(max(range.lowerBound, 0), raw.count)
        let upper = min(max(range.upperBound, lower), raw.count)
        return Bytes(UnsafeRawBufferPointer(rebasing: raw[lower..<upper]))
    }

    /// Returns what follows an offset.
    package func from(_ offset: Int) -> Bytes { self[max(0, offset)..<max(count, max(0, offset))] }

    /// Returns where this window begins in one that it is a part of.
    package func offset(in whole: Bytes) -> Int {
        guard let start = whole.raw.baseAddress, let own = raw.baseAddress else { return 0 }
        return own - start
    }

    @inlinable @inline(__always)
    package func byte(at offset: Int) -> UInt8? {
        offset >= 0 && offset < raw.count ? raw[offset] : nil
    }

    /// Returns a number of the format, at an offset; nil where the window ends before it.
    package func little16(at offset: Int) -> Int? {
        fits(2, at: offset) ? Int(raw.loadUnaligned(fromByteOffset: offset, as: UInt16.self).littleEndian) : nil
    }

    package func little32(at offset: Int) -> Int? {
        fits(4, at: offset) ? Int(raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian) : nil
    }

    package func big16(at offset: Int) -> Int? {
        fits(2, at: offset) ? Int(raw.loadUnaligned(fromByteOffset: offset, as: UInt16.self).bigEndian) : nil
    }

    package func big32(at offset: Int) -> Int? {
        fits(4, at: offset) ? Int(raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian) : nil
    }

    package func little64(at offset: Int) -> UInt64? {
        fits(8, at: offset) ? raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian : nil
    }

    /// An offset or a size of 64 bits; nil for one so large that sums of a few of them would not fit.
    package func littleOffset(at offset: Int) -> Int? {
        little64(at: offset).flatMap { $0 < 1 << 60 ? Int($0) : nil }
    }

    /// Returns a number in the byte order that a format's header chose.
    package func number16(at offset: Int, big: Bool) -> Int? { big ? big16(at: offset) : little16(at: offset) }
    package func number32(at offset: Int, big: Bool) -> Int? { big ? big32(at: offset) : little32(at: offset) }

    @inline(__always)
    private func fits(_ size: Int, at offset: Int) -> Bool {
        offset >= 0 && offset <= raw.count - size
    }

    /// Returns whether the bytes at the offset are this text.
    package func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        let size = text.utf8CodeUnitCount
        guard fits(size, at: offset) else { return false }
        let wanted = text.utf8Start
        for index in 0..<size where raw[offset + index] != wanted[index] { return false }
        return true
    }

    /// As `has`, with ASCII letters equal in either case; the text is given in lower case.
    package func hasIgnoringCase(_ text: StaticString, at offset: Int = 0) -> Bool {
        let size = text.utf8CodeUnitCount
        guard fits(size, at: offset) else { return false }
        let wanted = text.utf8Start
        for index in 0..<size where ASCII.lower(raw[offset + index]) != wanted[index] { return false }
        return true
    }

    /// Returns whether the bytes at the offset are this part of an array.
    @inline(__always)
    package func has(_ bytes: [UInt8], _ stretch: Range<Int>, at offset: Int) -> Bool {
        guard fits(stretch.count, at: offset), stretch.upperBound <= bytes.count else { return false }
        var here = offset
        for index in stretch {
            if raw[here] != bytes[index] { return false }
            here += 1
        }
        return true
    }

    /// Returns the first offset of the text, if it begins below `limit`.
    package func find(_ text: StaticString, from start: Int = 0, before limit: Int = .max) -> Int? {
        let size = text.utf8CodeUnitCount
        guard size > 0 else { return nil }
        let anchor = Self.anchor(of: text)
        let end = min(limit, raw.count - size + 1) + anchor
        var index = max(0, start) + anchor
        while let place = scan(for: text.utf8Start[anchor], from: index, before: end) {
            if has(text, at: place - anchor) { return place - anchor }
            index = place + 1
        }
        return nil
    }

    /// The index of the first sign in a text, which is rarer than letters, blanks and the ends of lines: searching for
    /// it stops least often. 0 where there is none.
    private static func anchor(of text: StaticString) -> Int {
        for index in 0..<text.utf8CodeUnitCount {
            let byte = text.utf8Start[index]
            if byte > 0x20, !ASCII.isLetter(byte), !ASCII.isDigit(byte) { return index }
        }
        return 0
    }

    /// Returns whether the window is exactly this text.
    @inline(__always)
    package func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && has(text)
    }

    /// Returns whether both windows have the same bytes, eight at a time.
    @inline(__always)
    package func isEqual(to other: Bytes) -> Bool {
        guard raw.count == other.raw.count else { return false }
        var place = 0
        while place + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if word != other.raw.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
            place += 8
        }
        if place > 0 {
            // The last eight bytes: some of them are compared twice.
            let last = raw.count - 8
            return raw.loadUnaligned(fromByteOffset: last, as: UInt64.self)
                == other.raw.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        }
        while place < raw.count {
            if raw[place] != other.raw[place] { return false }
            place += 1
        }
        return true
    }

    /// Returns whether the bytes are these, where capitals among them count as small letters.
    package func isEqual(loweredTo lowered: [UInt8]) -> Bool {
        lowered.withUnsafeBytes { isEqual(loweredTo: Bytes($0)) }
    }

    /// As `isEqual(loweredTo:)`, for a window.
    package func isEqual(loweredTo lowered: Bytes) -> Bool {
        guard raw.count == lowered.count else { return false }
        for index in 0..<raw.count where ASCII.lower(raw[index]) != lowered[index] { return false }
        return true
    }

    /// A hash of the bytes, eight at a time. It keeps no secret: only for files of the administrator and the program's
    /// own texts.
    @inline(__always)
    package var hash: UInt32 {
        var hash = UInt64(truncatingIfNeeded: raw.count)
        var place = 0
        while place + 8 <= raw.count {
            hash = Word.mix(hash ^ raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        var rest: UInt64 = 0
        if place < raw.count, place > 0 {
            // The last eight bytes: some of them count twice.
            rest = raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)
        } else {
            while place < raw.count {
                rest = rest << 8 | UInt64(raw[place])
                place += 1
            }
        }
        return UInt32(truncatingIfNeeded: Word.mix(hash ^ rest))
    }

    /// No byte is a capital letter.
    package var isLowered: Bool {
        for byte in raw where ASCII.lower(byte) != byte { return false }
        return true
    }

    /// Returns whether the window ends with this text.
    package func ends(with text: StaticString) -> Bool {
        has(text, at: count - text.utf8CodeUnitCount)
    }

    package func contains(_ text: StaticString) -> Bool { find(text) != nil }

    /// Returns the first offset of a byte, from `start` on.
    package func index(of byte: UInt8, from start: Int = 0) -> Int? {
        scan(for: byte, from: start, before: raw.count)
    }

    /// Nil where there is a control character that text does not contain; else whether there are bytes beyond ASCII.
    package func textSurvey() -> Bool? { raw.hasHighByte }

    /// Returns the first offset of a byte beyond ASCII, from `start` on, eight bytes at a time; the end where there is
    /// none.
    package func endOfASCII(from start: Int) -> Int {
        var place = max(0, start)
        while place + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let high = word & 0x8080_8080_8080_8080
            guard high == 0 else { return place + high.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < raw.count, raw[place] < 0x80 { place += 1 }
        return place
    }

    /// Returns the first offset of a separator or the end of a line, from `start` on, eight bytes at a time; the end
    /// where there is none.
    @inline(__always)
    package func endOfField(from start: Int, separator: UInt8) -> Int {
        var place = max(0, start)
        let wanted = UInt64(separator) &* 0x0101_0101_0101_0101
        while place + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let separators = word ^ wanted
            let ends = word ^ 0x0A0A_0A0A_0A0A_0A0A
            // The lowest mark is at the first byte that is either.
            let marks =
                ((separators &- 0x0101_0101_0101_0101) & ~separators | (ends &- 0x0101_0101_0101_0101) & ~ends)
                & 0x8080_8080_8080_8080
            guard marks == 0 else { return place + marks.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < raw.count, raw[place] != separator, raw[place] != 0x0A { place += 1 }
        return place
    }

    /// Returns the first offset of a byte, from `start` on and before `limit`.
    package func scan(for byte: UInt8, from start: Int, before limit: Int) -> Int? {
        let place = max(0, start)
        let end = min(limit, raw.count)
        guard place < end else { return nil }
        return UnsafeRawBufferPointer(rebasing: raw[place..<end]).firstOffset(of: byte).map { place + $0 }
    }

    /// Returns the first offset of a blank, a tab or the like, from `start` on, eight bytes at a time; the end where
    /// there is none.
    package func endOfWord(from start: Int) -> Int {
        var place = max(0, start)
        while place + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            // The lowest mark is at the first byte below 0x21, which nearly always is a blank.
            let low = (word &- 0x2121_2121_2121_2121) & ~word & 0x8080_8080_8080_8080
            place += low == 0 ? 8 : low.trailingZeroBitCount / 8
            if low != 0 {
                if ASCII.isSpace(raw[place]) { return place }
                place += 1
            }
        }
        while place < raw.count, !ASCII.isSpace(raw[place]) { place += 1 }
        return place
    }

    /// Lends the bytes of a text.
    package static func lending<Result>(_ text: String, _ body: (Bytes) -> Result) -> Result {
        var text = text
        return text.withUTF8 { body(Bytes(UnsafeRawBufferPointer($0))) }
    }

    /// Lends the window's memory.
    package func withRaw<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { body(raw) }

    /// Lends the window's memory as a span.
    package func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        raw.withMemoryRebound(to: UInt8.self) { body($0.span) }
    }

    /// Puts the window's bytes into `buffer`, ASCII letters in lower case.
    package func lower(into buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        for byte in raw { buffer.append(ASCII.lower(byte)) }
    }

    /// A copy of the window's bytes.
    package var array: [UInt8] { Array(raw) }

    /// The window's bytes as text, repaired: only for identifiers that are compared with known ones.
    package var text: String { String(decoding: raw, as: UTF8.self) }
}

/// Eight bytes in a word.
enum Word {
    /// Spreads every bit over the word: a multiplication, and its upper half, which all bits reach, on the lower.
    @inline(__always)
    static func mix(_ word: UInt64) -> UInt64 {
        let product = word &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }
}

/// ASCII by hand: no locale and no Unicode tables on the path of a document.
package enum ASCII {
    @inlinable @inline(__always)
    package static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    @inlinable @inline(__always)
    package static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
    }

    @inlinable @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    @inlinable @inline(__always)
    package static func isLetter(_ byte: UInt8) -> Bool { lower(byte) >= 0x61 && lower(byte) <= 0x7A }
}
