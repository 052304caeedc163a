/// The `Magic=` of an own type: which bytes its documents have where.
package struct TypeMagic: Sendable, Equatable {
    /// Bytes at an offset from the file's beginning, in bytes.
    package struct Part: Sendable, Equatable {
        /// Less than ``TypeMagic/reach`` together with the length of ``bytes``.
        package let offset: Int
        /// At least one.
        package let bytes: [UInt8]
    }

    /// The identifier that it belongs to.
    package let identifier: String
    /// Each is enough; all parts of one must match. At least one, and at least one part each.
    package let alternatives: [[Part]]
}

extension TypeMagic {
    /// Bytes from the document's beginning: only these are read.
    static let reach = 4096
    /// The largest number of alternatives of one type: each costs a comparison for every document.
    static let mostAlternatives = 256

    /// Reads one value: words `OFFSET:HEX`, of which all must match.
    static func parse(_ value: [UInt8]) throws(ValueProblem) -> [Part] {
        var parts: [Part] = []
        for word in try WordList.split(value) { parts.append(try part(word)) }
        // A pair of quotes with a blank inside is no word of an alternative, nor is nothing.
        guard !parts.isEmpty else { throw ValueProblem("there is no OFFSET:HEX, such as 0:25504446") }
        return parts
    }

    /// Writes an alternative in a form that ``parse(_:)`` reads as the same.
    static func text(_ parts: [Part]) -> String {
        parts.map { part in "\(part.offset):" + part.bytes.map(hexadecimal).joined() }.joined(separator: " ")
    }

    private static func part(_ word: [UInt8]) throws(ValueProblem) -> Part {
        guard let colon = word.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            throw .notA("OFFSET:HEX, such as 0:25504446", word)
        }
        let digits = word[..<colon]
        let isDecimal = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isDecimal else {
            throw ValueProblem("\(quotedExcerpt(digits)) is not an offset: a decimal number of bytes")
        }
        let bytes = try hexadecimalBytes(word[(colon + 1)...])
        // What is no Int at all lies beyond every reach.
        let offset = Int(String(decoding: digits, as: UTF8.self)) ?? Int.max
        guard offset <= reach - min(bytes.count, reach), bytes.count <= reach else {
            throw ValueProblem(
                "\(quotedExcerpt(word)) reaches beyond the first \(reach) bytes, which are all that is read")
        }
        return Part(offset: offset, bytes: bytes)
    }

    private static func hexadecimalBytes(_ digits: ArraySlice<UInt8>) throws(ValueProblem) -> [UInt8] {
        guard !digits.isEmpty else { throw ValueProblem("no bytes follow the colon") }
        var bytes: [UInt8] = []
        var high: UInt8?
        for (index, digit) in digits.enumerated() {
            guard let value = hexadecimalValue(digit) else {
                throw ValueProblem(
                    "\(quotedExcerpt([digit])), character \(index + 1) of \(quotedExcerpt(digits)), is not a "
                        + "hexadecimal digit")
            }
            if let first = high.take() { bytes.append(first << 4 | value) } else { high = value }
        }
        guard high == nil else {
            throw ValueProblem(
                "\(quotedExcerpt(digits)) has an odd number of digits (\(digits.count)): each byte needs two")
        }
        return bytes
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    }
}
