/// The mark that every text of a format has, so that a text without it is another one.
enum RequiredMark: Sendable {
    case markup, object, propertyList, calendar, card, armour

    /// Returns whether a text without a byte order mark has the mark.
    func isFound(_ text: Bytes) -> Bool {
        var start = 0
        while start < text.count, ASCII.isSpace(text[start]) { start += 1 }
        // Nothing but blanks contradicts nothing.
        guard start < text.count else { return true }
        switch self {
        case .markup: return has(text, "<")
        case .object: return has(text, "{") || has(text, "[") || Self.isScalar(text.from(start))
        case .propertyList: return has(text, "<") || has(text, "{") || has(text, "(") || has(text, "=")
        // Data of genomes have the same extension as cards.
        case .card: return Self.begins(text) || text.has("##", at: start) || text.has("#CHROM", at: start)
        case .calendar: return Self.begins(text)
        case .armour: return text.contains("-----BEGIN ") || text.contains("---- BEGIN ")
        }
    }

    private func has(_ text: Bytes, _ sign: Unicode.Scalar) -> Bool { text.index(of: UInt8(ascii: sign)) != nil }

    private static func begins(_ text: Bytes) -> Bool {
        var place = 0
        while let found = text.index(of: UInt8(ascii: ":"), from: place) {
            if text.hasIgnoringCase("begin", at: found - 5) { return true }
            place = found + 1
        }
        return false
    }

    /// A value alone, or a comment, which some programs accept in their settings.
    private static func isScalar(_ text: Bytes) -> Bool {
        switch text[0] {
        case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "#"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            return true
        default: return text.has("true") || text.has("false") || text.has("null")
        }
    }
}
