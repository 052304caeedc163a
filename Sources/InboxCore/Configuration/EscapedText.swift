/// Bytes as text that can be told from every other name and turned back into the same bytes (spec section 5).
public enum EscapedText {
    /// Writes bytes as text: a byte that is not part of valid UTF-8 becomes `\xnn` (lower case), a backslash `\\`.
    ///
    /// Control characters stay as they are; a terminal or a log wants ``forDisplay(_:)``.
    public static func exact(_ bytes: some Sequence<UInt8>) -> String {
        escape(bytes) { _ in false }
    }

    /// The same with control characters, line separators and direction marks as `\xnn` too: safe on one line of a
    /// log or a terminal, and still turned back by ``bytes(of:)``.
    public static func forDisplay(_ bytes: some Sequence<UInt8>) -> String {
        escape(bytes, hiding: isUnsafeOnTerminal)
    }

    /// Words of a message, which may quote what is not to be trusted: control characters and the like as `\xnn`, on one
    /// line, cut where it is long; a backslash stays as it is.
    static func hidingControls(_ words: String) -> String {
        let longest = 600
        let head = words.unicodeScalars.prefix(longest)
        var text = ""
        for scalar in head {
            if isUnsafeOnTerminal(scalar) {
                String(scalar).utf8.forEach { text += hexadecimalEscape($0) }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return head.endIndex < words.unicodeScalars.endIndex ? text + "…" : text
    }

    /// Turns either form back into bytes; nil where a backslash starts neither `\\` nor `\xnn`.
    public static func bytes(of text: String) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\\"):
                result.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "x"):
                guard let high = rest.popFirst().flatMap(hexadecimalValue),
                    let low = rest.popFirst().flatMap(hexadecimalValue)
                else { return nil }
                result.append(high << 4 | low)
            default:
                return nil
            }
        }
        return result
    }

    /// An ASCII letter or a byte beyond ASCII, as in `µs`.
    static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The value of one hexadecimal digit in ASCII, either case; nil for any other byte.
    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func escape(
        _ bytes: some Sequence<UInt8>, hiding isHidden: (Unicode.Scalar) -> Bool
    ) -> String {
        // The parser rejects bytes one ill-formed stretch at a time; what it rejects is counted, not returned, so the
        // bytes are kept beside it.
        let all = Array(bytes)
        var iterator = all.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var position = 0
        var text = ""
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if scalar == "\\" {
                    text += "\\\\"
                } else if isHidden(scalar) {
                    all[position..<(position + encoded.count)].forEach { text += hexadecimalEscape($0) }
                } else {
                    text.unicodeScalars.append(scalar)
                }
                position += encoded.count
            case .error(let length):
                all[position..<(position + length)].forEach { text += hexadecimalEscape($0) }
                position += length
            case .emptyInput:
                return text
            }
        }
    }

    private static func hexadecimalEscape(_ byte: UInt8) -> String {
        (byte < 0x10 ? "\\x0" : "\\x") + String(byte, radix: 16)
    }

    private static func isUnsafeOnTerminal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0: true
        case 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
        default: false
        }
    }
}
