import InboxLinux

/// The C escapes that systemd understands in quoted words (systemd.syntax(7), systemd.service(5)).
enum CharacterEscape {
    /// Decodes what follows a backslash and takes it from `rest`.
    /// - Returns: the bytes that it means.
    /// - Throws: where the escape is unknown or cut off, or means NUL or no character.
    static func decode(from rest: inout ArraySlice<UInt8>) throws(ValueProblem) -> [UInt8] {
        guard let kind = rest.first else {
            throw ValueProblem("a backslash at the end escapes nothing")
        }
        // An octal escape has no letter: its first digit counts.
        if (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(kind) {
            return [try oneByte(number("", 3, radix: 8, from: &rest))]
        }
        rest.removeFirst()
        switch kind {
        case UInt8(ascii: "a"): return [0x07]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "v"): return [0x0b]
        case UInt8(ascii: "s"): return [0x20]
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return [kind]
        // What a glob escapes stays escaped, for the glob.
        case UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"):
            return [UInt8(ascii: "\\"), kind]
        case UInt8(ascii: "x"):
            return [try oneByte(number("x", 2, radix: 16, from: &rest))]
        case UInt8(ascii: "u"):
            return try character(number("u", 4, radix: 16, from: &rest))
        case UInt8(ascii: "U"):
            return try character(number("U", 8, radix: 16, from: &rest))
        default:
            throw ValueProblem("\(quotedExcerpt([UInt8(ascii: "\\"), kind])) is an unknown escape")
        }
    }

    private static func number(
        _ letter: String, _ digits: Int, radix: UInt32, from rest: inout ArraySlice<UInt8>
    ) throws(ValueProblem) -> UInt32 {
        let text = rest.prefix(digits)
        var value: UInt32 = 0
        for byte in text {
            guard let digit = hexadecimalValue(byte), UInt32(digit) < radix else { break }
            value = value &* radix &+ UInt32(digit)
            rest.removeFirst()
        }
        // Eight hexadecimal digits fill 32 bits exactly: the sum cannot wrap.
        guard text.count == digits, rest.startIndex == text.endIndex else {
            throw ValueProblem("the escape \(quotedExcerpt("\\\(letter)".utf8 + text)) needs \(digits) digits")
        }
        return value
    }

    private static func oneByte(_ value: UInt32) throws(ValueProblem) -> UInt8 {
        guard let byte = UInt8(exactly: value), byte != 0 else {
            throw ValueProblem("an escape is no byte from 1 to 255")
        }
        return byte
    }

    private static func character(_ value: UInt32) throws(ValueProblem) -> [UInt8] {
        guard value != 0, let scalar = Unicode.Scalar(value) else {
            throw ValueProblem("an escape is no character")
        }
        return Array(String(Character(scalar)).utf8)
    }
}

/// The value of one hexadecimal digit in ASCII, either case; nil for any other byte.
func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
