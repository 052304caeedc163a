/// Bytes as text: reversible for JSON and other programs, and printable for people.
package enum EscapedBytes {
    private static let digits = Array("0123456789abcdef".utf8)
    private static let backslash = UInt8(ascii: "\\")

    /// UTF-8 as it is; a byte that is not UTF-8 is `\xnn` in lower case and a backslash is `\\`.
    ///
    /// Every byte string has a text of its own, and `bytes(_:)` turns it back.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: escape(bytes) { _ in false }, as: UTF8.self)
    }

    /// As `text(_:)`, with the characters of ``isUnprintable(_:)`` escaped by their bytes as well: safe in a log line and
    /// on a terminal.
    package static func printable(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: escape(bytes, hiding: isUnprintable), as: UTF8.self)
    }

    /// Appends ``printable(_:)``.
    package static func appendPrintable(_ bytes: [UInt8], to result: inout [UInt8]) {
        // Nearly every path is ASCII that means itself.
        let others = bytes.withUnsafeBufferPointer { bytes in
            // Without a branch for each byte, so that the compiler takes many at once.
            bytes.reduce(into: 0 as UInt8) { $0 |= ($1 &- 0x20 >= 0x5F ? 1 : 0) | ($1 == backslash ? 1 : 0) }
        }
        if others == 0 { result += bytes } else { result += escape(bytes, hiding: isUnprintable) }
    }

    /// Words from outside for one line of a log: what a terminal would obey is escaped, the rest stays as it is, and
    /// what goes on beyond 600 characters is cut off.
    package static func hidingControls(_ words: String) -> String {
        let head = words.unicodeScalars.prefix(600)
        var result: [UInt8] = []
        for scalar in head {
            let encoded = String(scalar).utf8
            if isUnprintable(scalar) { encoded.forEach { append($0, to: &result) } } else { result += encoded }
        }
        let text = String(decoding: result, as: UTF8.self)
        return head.endIndex < words.unicodeScalars.endIndex ? text + "…" : text
    }

    private static func append(_ byte: UInt8, to result: inout [UInt8]) {
        result += [backslash, UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// The bytes that `text(_:)` was made of; nil where an escape is malformed.
    package static func bytes(_ text: String) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == backslash else {
                result.append(byte)
                continue
            }
            switch rest.popFirst() {
            case backslash: result.append(backslash)
            case UInt8(ascii: "x"):
                guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
                    return nil
                }
                result.append(high << 4 | low)
            default: return nil
            }
        }
        return result
    }

    private static func escape(_ bytes: some Collection<UInt8>, hiding: (Unicode.Scalar) -> Bool) -> [UInt8] {
        bytes.withContiguousStorageIfAvailable { escape($0, hiding) }
            ?? Array(bytes).withUnsafeBufferPointer { escape($0, hiding) }
    }

    private static func escape(_ bytes: UnsafeBufferPointer<UInt8>, _ hiding: (Unicode.Scalar) -> Bool) -> [UInt8] {
        // Nearly every name is ASCII that means itself.
        if bytes.allSatisfy({ $0 < 0x80 && $0 != backslash && !hiding(Unicode.Scalar($0)) }) { return Array(bytes) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var parser = Unicode.UTF8.ForwardParser()
        var input = bytes.makeIterator()
        var rest = Array(bytes)[...]
        while true {
            switch parser.parseScalar(from: &input) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if scalar == "\\" {
                    result += [backslash, backslash]
                } else if hiding(scalar) {
                    for byte in encoded { append(byte, to: &result) }
                } else {
                    result.append(contentsOf: encoded)
                }
                rest = rest.dropFirst(encoded.count)
            case .error(let length):
                for byte in rest.prefix(length) { append(byte, to: &result) }
                rest = rest.dropFirst(length)
            case .emptyInput:
                return result
            }
        }
    }

    /// Returns whether a person would not see the character, or a terminal would obey it: control characters (C0,
    /// DEL, C1), line separators, characters that reorder a line, and those without any shape, such as zero-width
    /// spaces and tags.
    ///
    /// Variation selectors are left alone: they belong to the character before them.
    package static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0...0x1F, 0x7F...0x9F: true
        // Soft hyphen, grapheme joiner, Arabic letter mark, Hangul fillers, Khmer inherent vowels, Mongolian separator.
        case 0xAD, 0x034F, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180E: true
        // Zero-width spaces and joiners, marks of direction, line separators, embeddings, invisible operators, isolates.
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
        // Hangul fillers, the byte order mark, interlinear annotations, musical formatting, tags.
        case 0x3164, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0x1D173...0x1D17A, 0xE0000...0xE007F: true
        default: false
        }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
