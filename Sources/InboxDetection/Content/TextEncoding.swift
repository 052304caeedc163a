/// The encoding of a text.
enum TextEncoding {
    /// Not at all: these bytes are no text.
    case none
    /// ASCII, UTF-8 or an older encoding that holds ASCII, after a byte order mark of this many bytes.
    case bytes(Int)
    /// UTF-16 or UTF-32.
    case wide(unit: Int, isBig: Bool, skipped: Int)

    init(_ head: Bytes) {
        if head.has("\u{FEFF}") {
            self = Self.isText(head.from(3)) ? .bytes(3) : .none
        } else if head[0] == 0xFF, head[1] == 0xFE, head.count >= 4, head[2] == 0, head[3] == 0 {
            self = Self.wide(head, 4, false, 4)
        } else if head[0] == 0, head[1] == 0, head[2] == 0xFE, head[3] == 0xFF {
            self = Self.wide(head, 4, true, 4)
        } else if head[0] == 0xFF, head[1] == 0xFE {
            self = Self.wide(head, 2, false, 2)
        } else if head[0] == 0xFE, head[1] == 0xFF {
            self = Self.wide(head, 2, true, 2)
        } else if Self.isText(head) {
            self = .bytes(0)
        } else if let isBig = WideText.order(head) {
            self = Self.wide(head, 2, isBig, 0)
        } else if MultibyteText.isShifted(head) || Self.isInterrupted(head) {
            self = .bytes(0)
        } else {
            self = .none
        }
    }

    /// Text in wide units has no control characters, and none that Unicode does not have.
    private static func wide(_ head: Bytes, _ unit: Int, _ isBig: Bool, _ skipped: Int) -> TextEncoding {
        var place = skipped
        while place + unit <= head.count {
            guard
                let value = unit == 2 ? head.number16(at: place, big: isBig) : head.number32(at: place, big: isBig),
                value >= 0x20 || isHarmless(UInt8(value)), value < 0x110000, value != 0xFFFF
            else { return .none }
            place += unit
        }
        return .wide(unit: unit, isBig: isBig, skipped: skipped)
    }

    /// Control characters that text files hold: bell to carriage return, end of file, escape.
    @inline(__always)
    static func isHarmless(_ byte: UInt8) -> Bool {
        (byte >= 0x07 && byte <= 0x0D) || byte == 0x1A || byte == 0x1B
    }

    /// Returns whether bytes are text throughout, in one of the encodings of `bytes` or after a byte order mark.
    static func isTextThroughout(_ head: Bytes) -> Bool {
        if head.has("\u{FEFF}") { return isText(head.from(3)) }
        guard head.big16(at: 0) == 0xFFFE || head.big16(at: 0) == 0xFEFF else { return isText(head) }
        if case .wide = TextEncoding(head) { return true }
        return false
    }

    /// Returns whether bytes are text in ASCII, UTF-8 or an older encoding.
    private static func isText(_ bytes: Bytes) -> Bool {
        guard let hasHigh = bytes.textSurvey() else { return false }
        guard hasHigh, !isUTF8(bytes) else { return true }
        var high = 0
        var spaces = 0
        for index in 0..<bytes.count {
            if bytes[index] >= 0x80 { high += 1 }
            if bytes[index] <= 0x20 { spaces += 1 }
        }
        // Words in an older encoding are parted by blanks; packed data without control characters is not.
        let isMixed = high * 10 > bytes.count * 3
        if isMixed, bytes.count < 16 || spaces * 33 < bytes.count { return MultibyteText.matches(bytes) }
        // A few random bytes may be no control characters either.
        return bytes.count >= 128 || isShortText(bytes, high: high, isMixed: isMixed) || MultibyteText.matches(bytes)
    }

    /// Returns whether a few bytes in an older encoding are words: letters with few signs between them, unless nearly
    /// all is ASCII, and no control characters but those of lines; in scripts of their own, words do not mix both halves of
    /// the encoding.
    private static func isShortText(_ bytes: Bytes, high: Int, isMixed: Bool) -> Bool {
        var (signs, changes) = (0, 0)
        for index in 0..<bytes.count {
            let byte = bytes[index]
            if byte < 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 { return false }
            if byte > 0x20, byte < 0x80, !ASCII.isLetter(byte) { signs += 1 }
            let before = bytes[index - 1]
            if ASCII.isLetter(byte) && before >= 0x80 || byte >= 0x80 && ASCII.isLetter(before) { changes += 1 }
        }
        return (signs * 4 <= bytes.count || high * 10 <= bytes.count) && (!isMixed || changes * 10 <= bytes.count)
    }

    /// Lines of ASCII with a single NUL between words, as a program that counted wrongly leaves behind.
    private static func isInterrupted(_ head: Bytes) -> Bool {
        guard let place = head.index(of: 0), place >= 8, place + 4 < head.count, head[head.count - 1] == 0x0A,
            head[0..<place].textSurvey() == false, head.from(place + 1).textSurvey() == false
        else { return false }
        var letters = 0
        for index in 0..<head.count where ASCII.isLetter(head[index]) || head[index] == 0x20 { letters += 1 }
        return letters * 4 >= head.count * 3 && head[0..<place].index(of: 0x20) != nil
    }

    /// Returns whether all of the bytes are UTF-8; a last character may be cut off.
    private static func isUTF8(_ bytes: Bytes) -> Bool {
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte < 0x80 {
                place = bytes.endOfASCII(from: place)
                continue
            }
            let more =
                byte >= 0xC2 && byte < 0xE0 ? 1 : byte >= 0xE0 && byte < 0xF0 ? 2 : byte >= 0xF0 && byte < 0xF5 ? 3 : 0
            guard more > 0 else { return false }
            for index in 1...more {
                guard let next = bytes.byte(at: place + index) else { return true }
                guard next & 0xC0 == 0x80 else { return false }
            }
            place += more + 1
        }
        return true
    }
}
