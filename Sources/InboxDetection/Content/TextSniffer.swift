/// Determines whether bytes are text, in which encoding, and what the text is.
struct TextSniffer {
    /// Bytes of a text that are inspected for its format; whether it is text is judged by the whole head.
    private static let reach = 2048

    private let head: Bytes
    private let encoding: TextEncoding

    init(_ head: Bytes) {
        self.head = head
        encoding = TextEncoding(head)
    }

    /// Returns the finding for the head as text; nil if it is not text.
    func finding() -> TextFinding? {
        reading { text, isWhole, hasSignature in
            TextRules.finding(text, isWhole: isWhole, hasSignature: hasSignature)
        }
    }

    /// Returns what a text of which nothing else is known looks like, by weak rules that judge many lines.
    func guess() -> TextFinding? {
        reading { text, isWhole, _ in TextRules.guess(text, isWhole: isWhole) }
    }

    /// Returns whether the head is a text that has none of the marks.
    func lacks(_ marks: [RequiredMark]) -> Bool {
        var isLacking = false
        _ = reading { text, _, _ in
            isLacking = !marks.contains { $0.isFound(text) }
            return .plain
        }
        return isLacking
    }

    /// Hands out the text without a byte order mark, whether it is all of the file, and whether it begins with a fixed
    /// signature, where that is known.
    private func reading(_ body: (Bytes, Bool, Bool?) -> TextFinding) -> TextFinding? {
        switch encoding {
        case .none: return nil
        case .bytes(let skipped):
            return body(head.from(skipped), head.count < Content.headSize, skipped == 0 ? false : nil)
        case .wide(let unit, let isBig, let skipped):
            // The rules read UTF-8.
            return withUnsafeTemporaryAllocation(byteCount: Self.reach, alignment: 1) { buffer in
                var count = 0
                var place = skipped
                while count + 3 <= Self.reach,
                    let value = unit == 2 ? head.number16(at: place, big: isBig) : head.number32(at: place, big: isBig)
                {
                    count += Self.encode(value, buffer, at: count)
                    place += unit
                }
                let text = Bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                return body(text, place + unit > head.count && head.count < Content.headSize, nil)
            }
        }
    }

    /// Writes a character as UTF-8; three bytes for those beyond the first plane too, which no rule asks for.
    private static func encode(_ value: Int, _ buffer: UnsafeMutableRawBufferPointer, at place: Int) -> Int {
        if value < 0x80 {
            buffer[place] = UInt8(value)
            return 1
        }
        let isShort = value < 0x800
        if isShort {
            buffer[place] = UInt8(0xC0 | value >> 6)
        } else {
            buffer[place] = UInt8(0xE0 | value >> 12 & 0x0F)
            buffer[place + 1] = UInt8(0x80 | value >> 6 & 0x3F)
        }
        let last = isShort ? 1 : 2
        buffer[place + last] = UInt8(0x80 | value & 0x3F)
        return last + 1
    }
}

/// A judgement about a text.
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
