/// Whether bytes are text, in which encoding, and what the text is.
struct TextSniffer {
    /// Bytes of a text that are inspected for its format; whether it is text is judged by the whole head.
    private static let reach = 2048

    private let head: Bytes
    private let encoding: Encoding

    init(_ head: Bytes) {
        self.head = head
        encoding = Encoding(head)
    }

    /// What the head is as text; nil where it is not text.
    func finding() -> TextFinding? {
        reading { text, isWhole, hasSignature in
            TextRules.finding(text, isWhole: isWhole, hasSignature: hasSignature)
        }
    }

    /// What a text of which nothing else is known looks like, by weak rules that judge many lines.
    func guess() -> TextFinding? {
        reading { text, isWhole, _ in TextRules.guess(text, isWhole: isWhole) }
    }

    /// Hands out the text without a byte order mark, whether it is all of the file, and whether it begins with a fixed
    /// signature, where that is known.
    private func reading(_ body: (Bytes, Bool, Bool?) -> TextFinding) -> TextFinding? {
        switch encoding {
        case .none: return nil
        case .bytes(let skipped):
            return body(head.from(skipped), head.count < Content.headSize, skipped == 0 ? false : nil)
        case .wide(let unit, let isBig, let skipped):
            // Markup and keywords are ASCII: whatever else is written becomes a question mark.
            return withUnsafeTemporaryAllocation(byteCount: Self.reach, alignment: 1) { buffer in
                var count = 0
                var place = skipped
                while count < Self.reach, place + unit <= head.count {
                    let value = unit == 2 ? head.number16(at: place, big: isBig) : head.number32(at: place, big: isBig)
                    buffer[count] = value.map { $0 < 0x80 ? UInt8($0) : UInt8(ascii: "?") } ?? 0
                    count += 1
                    place += unit
                }
                let text = Bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                return body(text, place + unit > head.count, nil)
            }
        }
    }

    /// How a text is encoded.
    private enum Encoding {
        /// Not at all: these bytes are no text.
        case none
        /// ASCII, UTF-8 or an older 8-bit encoding, after a byte order mark of this many bytes.
        case bytes(Int)
        /// UTF-16 or UTF-32.
        case wide(unit: Int, isBig: Bool, skipped: Int)

        init(_ head: Bytes) {
            if head.has("\u{FEFF}") {
                self = TextSniffer.isText(head.from(3)) ? .bytes(3) : .none
            } else if head[0] == 0xFF, head[1] == 0xFE, head.count >= 4, head[2] == 0, head[3] == 0 {
                self = Self.wide(head, 4, false, 4)
            } else if head[0] == 0, head[1] == 0, head[2] == 0xFE, head[3] == 0xFF {
                self = Self.wide(head, 4, true, 4)
            } else if head[0] == 0xFF, head[1] == 0xFE {
                self = Self.wide(head, 2, false, 2)
            } else if head[0] == 0xFE, head[1] == 0xFF {
                self = Self.wide(head, 2, true, 2)
            } else if TextSniffer.isText(head) {
                self = .bytes(0)
            } else if let isBig = Self.unmarked(head) {
                self = Self.wide(head, 2, isBig, 0)
            } else {
                self = .none
            }
        }

        /// Text in wide units has no control characters, and none that Unicode does not have.
        private static func wide(_ head: Bytes, _ unit: Int, _ isBig: Bool, _ skipped: Int) -> Encoding {
            var place = skipped
            while place + unit <= head.count {
                guard
                    let value = unit == 2 ? head.number16(at: place, big: isBig) : head.number32(at: place, big: isBig),
                    value >= 0x20 || TextSniffer.isHarmless(UInt8(value)), value < 0x110000, value != 0xFFFF
                else { return .none }
                place += unit
            }
            return .wide(unit: unit, isBig: isBig, skipped: skipped)
        }

        /// UTF-16 without a mark: Western text has a zero in every other byte. Returns whether the order is big-endian.
        private static func unmarked(_ head: Bytes) -> Bool? {
            guard head.count >= 16, head.count % 2 == 0 else { return nil }
            var zeros = (even: 0, odd: 0)
            for index in 0..<head.count {
                if head[index] == 0 {
                    if index % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
                }
            }
            let half = head.count / 2
            if zeros.even == 0, zeros.odd * 10 >= half * 9 { return false }
            if zeros.odd == 0, zeros.even * 10 >= half * 9 { return true }
            return nil
        }
    }

    /// Control characters that text files hold: bell to carriage return, end of file, escape.
    @inline(__always)
    static func isHarmless(_ byte: UInt8) -> Bool {
        (byte >= 0x07 && byte <= 0x0D) || byte == 0x1A || byte == 0x1B
    }

    /// Whether bytes are text in ASCII, UTF-8 or an older 8-bit encoding.
    static func isText(_ bytes: Bytes) -> Bool {
        guard let hasHigh = bytes.textSurvey() else { return false }
        guard hasHigh, !isUTF8(bytes) else { return true }
        var high = 0
        var spaces = 0
        for index in 0..<bytes.count {
            if bytes[index] >= 0x80 { high += 1 }
            if bytes[index] <= 0x20 { spaces += 1 }
        }
        // Words in an older encoding are parted by blanks; packed data without control characters is not.
        if high * 10 <= bytes.count * 3 { return true }
        return bytes.count >= 16 && spaces * 33 >= bytes.count
    }

    /// Whether all of the bytes are UTF-8; a last character may be cut off.
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

/// What a text is.
enum TextFinding {
    /// Text, and nothing more is known.
    case plain
    /// A guess that a name outweighs.
    case guess(String)
    /// Text that reads like this format.
    case likely(String, Carrier?)
    /// Text that begins as only this format does.
    case sure(String, Carrier?, fixed: Int)
}
