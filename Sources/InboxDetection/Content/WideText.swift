/// UTF-16 without a byte order mark.
struct WideText {
    private var separators = 0
    private var others = 0
    private var alphabetic = 0
    private var hangul = 0
    private var ideographs = 0
    /// Characters of alphabets in blocks of 256, of which a text uses one beside the Latin one.
    private var blocks = [UInt16](repeating: 0, count: 0x20)

    /// Returns whether the bytes are such text in big-endian order; nil if they are not such text.
    static func order(_ head: Bytes) -> Bool? {
        guard head.count >= 16, head.count % 2 == 0 else { return nil }
        return western(head) ?? [false, true].first { isText(head, big: $0) }
    }

    /// Western text has a zero in every other byte.
    private static func western(_ head: Bytes) -> Bool? {
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

    /// Returns whether the units are the characters of one script, with blanks, line ends or full stops between them:
    /// numbers and arbitrary bytes are of many.
    private static func isText(_ head: Bytes, big isBig: Bool) -> Bool {
        var text = WideText()
        let units = head.count / 2
        for index in 0..<units {
            guard let value = head.number16(at: 2 * index, big: isBig), text.take(value),
                // The first few settle it for nearly all that is no text.
                index != 32 || text.others <= 4
            else { return false }
        }
        guard text.separators > 0, text.others * 32 <= units else { return false }
        let main = Int(text.blocks.max() ?? 0)
        guard (text.alphabetic - main) * 16 <= units else { return false }
        // Korean has few ideographs between its syllables, and the other languages no syllables.
        return min(text.hangul, text.ideographs) * 4 <= text.hangul
            && text.alphabetic + text.hangul + text.ideographs >= 4
    }

    /// Counts a unit; false for what is in no text.
    private mutating func take(_ value: Int) -> Bool {
        switch value {
        case 0..<0x20:
            guard TextEncoding.isHarmless(UInt8(value)) else { return false }
            if value == 0x0A { separators += 1 }
        case 0x20, 0x3000...0x3002, 0xFF0C, 0x0964: separators += 1
        case 0x21..<0x7F, 0xA0..<0x250, 0x2010..<0x2040, 0x3003..<0x3040, 0xFF01..<0xFF66: break
        case 0x370..<0x1200, 0x1E00..<0x2000:
            alphabetic += 1
            blocks[value >> 8] += 1
        case 0x3040..<0x3100, 0x4E00..<0x9FB0: ideographs += 1
        case 0xAC00..<0xD7A4: hangul += 1
        case 0xFFFE, 0xFFFF: return false
        default: others += 1
        }
        return true
    }
}
