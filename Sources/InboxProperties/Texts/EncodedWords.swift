import InboxDetection

/// Words of other alphabets in fields of mails (RFC 2047).
enum EncodedWords {
    /// The text of a field, in which blanks between two encoded words are none.
    static func text(_ field: Bytes) -> String {
        guard field.contains("=?") else { return trimmed(TextDecoding.plain(field)) }
        var text = ""
        var place = 0
        var pending: (charset: String, bytes: [UInt8])?
        func flush() {
            guard let word = pending else { return }
            text += word.bytes.withUnsafeBytes { TextDecoding.text(Bytes($0), charset: word.charset) }
            pending = nil
        }
        while place < field.count {
            let start = field.find("=?", from: place) ?? field.count
            let word = word(field, at: start)
            let plain = field[place..<(start < field.count && word == nil ? start + 2 : start)]
            if plain.hasInk || pending == nil || word == nil {
                flush()
                text += TextDecoding.plain(plain)
            }
            guard let word else {
                place = min(field.count, start + 2)
                continue
            }
            // A character may begin in one word and end in the next.
            if let last = pending, last.charset == word.charset {
                pending = (last.charset, last.bytes + word.bytes)
            } else {
                flush()
                pending = (word.charset, word.bytes)
            }
            place = word.end
        }
        flush()
        return trimmed(text)
    }

    private static func trimmed(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(scalars)
    }

    private static func word(_ field: Bytes, at start: Int) -> (charset: String, bytes: [UInt8], end: Int)? {
        let question = UInt8(ascii: "?")
        guard let first = field.index(of: question, from: start + 2), first - start < 48,
            field[first + 2] == question
        else { return nil }
        let data = first + 3
        guard let last = field.index(of: question, from: data), field[last + 1] == UInt8(ascii: "=") else { return nil }
        var charset = field[(start + 2)..<first]
        // A language may follow the encoding's name (RFC 2231).
        if let star = charset.index(of: UInt8(ascii: "*")) { charset = charset[0..<star] }
        let encoded = field[data..<last]
        let bytes: [UInt8]
        switch ASCII.lower(field[first + 1]) {
        case UInt8(ascii: "q"): bytes = quoted(encoded)
        case UInt8(ascii: "b"): bytes = base64(encoded)
        default: return nil
        }
        return (charset.text.lowercased(), bytes, last + 2)
    }

    private static func quoted(_ encoded: Bytes) -> [UInt8] {
        var bytes: [UInt8] = []
        var place = 0
        while place < encoded.count {
            let byte = encoded[place]
            if byte == UInt8(ascii: "="), let high = TextDecoding.hexadecimal(encoded[place + 1]),
                let low = TextDecoding.hexadecimal(encoded[place + 2])
            {
                bytes.append(high << 4 | low)
                place += 3
                continue
            }
            bytes.append(byte == UInt8(ascii: "_") ? 0x20 : byte)
            place += 1
        }
        return bytes
    }

    private static func base64(_ encoded: Bytes) -> [UInt8] {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for index in 0..<encoded.count {
            let value: UInt8
            switch encoded[index] {
            case let byte where byte >= 0x41 && byte <= 0x5A: value = byte - 0x41
            case let byte where byte >= 0x61 && byte <= 0x7A: value = byte - 0x61 + 26
            case let byte where byte >= 0x30 && byte <= 0x39: value = byte - 0x30 + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: continue
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
