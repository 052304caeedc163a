/// Makes what a document says of itself a part of one name.
enum CleanedValue {
    /// Bytes: the longest value.
    static let longest = 120

    /// The value as a part of a name: no slash, control or bidirectional-formatting character, one space for white space,
    /// neither leading dots nor blanks at its ends, at most 120 bytes of whole grapheme clusters. Nil where nothing is left.
    static func cleaned(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        // What is far longer is cut all the same; white space may take any length.
        let bytes = bytes.prefix(65536)
        // Of ASCII each byte is a character; only a line's end has two, which become a space.
        guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) else {
            return cleaned(byByte: bytes)
        }
        var cleaned = String.UnicodeScalarView()
        var (count, isBlank) = (0, false)
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                isBlank = true
                continue
            }
            if cleaned.isEmpty, scalar == "." { continue }
            if isBlank, !cleaned.isEmpty { cleaned.append(" ") }
            isBlank = false
            cleaned.append(isHarmful(scalar) ? "-" : scalar)
            count += 1
            if count > 4 * longest { break }
        }
        let cut = Self.cut(String(cleaned), to: longest)
        return cut.isEmpty ? nil : cut
    }

    /// Returns whether a character moves or hides what is beside it, or separates folders.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2F, 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// As many whole grapheme clusters as fit, without a blank at the end; of one that does not fit by itself, its first
    /// characters.
    static func cut(_ text: String, to room: Int) -> [UInt8] {
        var cut: [UInt8] = []
        for character in text {
            guard cut.count + character.utf8.count <= room else {
                if cut.isEmpty {
                    for scalar in character.unicodeScalars {
                        let bytes = Array(String(Character(scalar)).utf8)
                        guard cut.count + bytes.count <= room else { break }
                        cut += bytes
                    }
                }
                break
            }
            cut += Array(character.utf8)
        }
        while cut.last == UInt8(ascii: " ") { cut.removeLast() }
        return cut
    }

    /// The same for ASCII, and for bytes that are no UTF-8.
    private static func cleaned(byByte bytes: some Collection<UInt8>) -> [UInt8]? {
        var cleaned: [UInt8] = []
        cleaned.reserveCapacity(min(bytes.count, longest + 1))
        var isBlank = false
        for byte in bytes where cleaned.count < longest {
            if byte == 0x20 || (0x09...0x0D).contains(byte) {
                isBlank = true
                continue
            }
            if cleaned.isEmpty, byte == UInt8(ascii: ".") { continue }
            if isBlank, !cleaned.isEmpty { cleaned.append(0x20) }
            isBlank = false
            cleaned.append(byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") ? UInt8(ascii: "-") : byte)
        }
        cleaned = Array(cleaned.prefix(longest))
        while cleaned.last == 0x20 { cleaned.removeLast() }
        return cleaned.isEmpty ? nil : cleaned
    }
}
