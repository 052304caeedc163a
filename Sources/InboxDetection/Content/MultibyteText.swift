/// Text in the older encodings of East Asia, whose characters are two bytes or more and hardly parted by blanks.
///
/// Every sequence must be one of the encoding, and nearly every character one of those that texts are made of:
/// arbitrary bytes are neither.
enum MultibyteText {
    /// Fewer characters than this are no evidence.
    private static let least = 4

    private enum Family: CaseIterable {
        /// EUC-JP, EUC-KR and GB 2312, which have the same rows.
        case rows
        /// GBK and GB 18030.
        case chinese
        case big5
        case shiftJIS
    }

    /// Returns whether bytes without control characters are text in one of the encodings.
    static func matches(_ bytes: Bytes) -> Bool {
        Family.allCases.contains { matches(bytes, $0) }
    }

    private static func matches(_ bytes: Bytes, _ family: Family) -> Bool {
        var characters = 0
        var common = 0
        var place = bytes.endOfASCII(from: 0)
        while place < bytes.count {
            guard let found = character(bytes.from(place), family) else {
                // The last one may be cut off.
                guard bytes.count - place < (family == .chinese ? 4 : 2), bytes.count == Content.headSize else {
                    return false
                }
                break
            }
            characters += 1
            if found.isCommon { common += 1 }
            place = bytes.endOfASCII(from: place + found.length)
        }
        return characters >= least && common * 10 >= characters * 9
    }

    /// The character that begins with a byte beyond ASCII; nil where the sequence is none of the encoding.
    private static func character(_ bytes: Bytes, _ family: Family) -> (length: Int, isCommon: Bool)? {
        let (lead, trail) = (bytes[0], bytes[1])
        switch family {
        case .rows:
            // Single shifts: half-width katakana, and the rows of a third set.
            if lead == 0x8E, isHigh(trail) { return (2, false) }
            if lead == 0x8F, isHigh(trail), isHigh(bytes[2]) { return (3, false) }
            guard isHigh(lead), isHigh(trail) else { return nil }
            return (2, isUsual(lead))
        case .chinese:
            guard lead > 0x80, lead < 0xFF else { return nil }
            if ASCII.isDigit(trail) {
                guard bytes[2] > 0x80, bytes[2] < 0xFF, ASCII.isDigit(bytes[3]) else { return nil }
                return (4, false)
            }
            guard trail >= 0x40, trail != 0x7F, trail < 0xFF else { return nil }
            return (2, isUsual(lead) && isHigh(trail))
        case .big5:
            guard lead > 0x80, lead < 0xFF, (0x40...0x7E).contains(trail) || isHigh(trail) else { return nil }
            return (2, (0xA1...0xC6).contains(lead))
        case .shiftJIS:
            if (0xA1...0xDF).contains(lead) { return (1, false) }
            guard lead > 0x80, lead < 0xFD, trail >= 0x40, trail != 0x7F, trail < 0xFD else { return nil }
            return (2, isJapanese(lead, trail))
        }
    }

    private static func isHigh(_ byte: UInt8) -> Bool { byte > 0xA0 && byte < 0xFF }

    /// The rows of signs, of kana or hangul, and of the frequent ideographs.
    private static func isUsual(_ row: UInt8) -> Bool { (0xA1...0xA5).contains(row) || (0xB0...0xD7).contains(row) }

    /// Signs, digits and letters, both kana, and the frequent ideographs.
    private static func isJapanese(_ lead: UInt8, _ trail: UInt8) -> Bool {
        switch lead {
        case 0x81: trail <= 0xAC
        case 0x82: trail >= 0x4F && trail <= 0xF1
        case 0x83: trail <= 0x96
        case 0x88: trail >= 0x9F
        case 0x98: trail <= 0x72
        default: lead > 0x88 && lead < 0x98
        }
    }

    /// ISO-2022-KR and ISO-2022-CN (RFC 1557, RFC 1922): seven bits, with shifts after an escape sequence that names
    /// the set.
    static func isShifted(_ bytes: Bytes) -> Bool {
        guard bytes.find("\u{1B}$)", before: 1024) != nil else { return false }
        for index in 0..<bytes.count {
            let byte = bytes[index]
            guard byte < 0x7F, byte >= 0x20 || byte == 0x0E || byte == 0x0F || TextEncoding.isHarmless(byte) else {
                return false
            }
        }
        return true
    }
}
