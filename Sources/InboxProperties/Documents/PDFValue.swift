import InboxDetection

/// An object of a PDF (ISO 32000-1, 7.3), as far as properties need it.
indirect enum PDFValue {
    case number(Int)
    case string(Bytes, isHex: Bool)
    case name(Bytes)
    case reference(Int)
    case array([PDFValue])
    case dictionary([(name: Bytes, value: PDFValue)])
    case other

    /// The entry of a dictionary.
    subscript(_ name: StaticString) -> PDFValue? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries.first { $0.name.equals(name) }?.value
    }

    var number: Int? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    var reference: Int? {
        guard case .reference(let object) = self else { return nil }
        return object
    }

    /// The numbers of an array.
    var numbers: [Int] {
        guard case .array(let values) = self else { return [] }
        return values.map { $0.number ?? 0 }
    }

    /// Returns whether the value is this name, or an array of it alone.
    func isName(_ name: StaticString) -> Bool {
        switch self {
        case .name(let own): own.equals(name)
        case .array(let values): values.count == 1 && values[0].isName(name)
        default: false
        }
    }

    /// The first dictionary of an array, or the dictionary itself.
    var firstDictionary: PDFValue? {
        switch self {
        case .dictionary: self
        case .array(let values): values.first?.firstDictionary
        default: nil
        }
    }
}

/// Reads objects of a PDF out of bytes.
struct PDFReader {
    private static let deepest = 16
    /// Entries of a dictionary or an array that are kept.
    private static let mostEntries = 4096

    let bytes: Bytes
    var place: Int

    init(_ bytes: Bytes, at place: Int = 0) {
        self.bytes = bytes
        self.place = place
    }

    mutating func skipBlanks() {
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "%") {
                while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D { place += 1 }
            } else if bytes[place] == 0 || ASCII.isSpace(bytes[place]) {
                place += 1
            } else {
                return
            }
        }
    }

    mutating func skip(_ word: StaticString) -> Bool {
        skipBlanks()
        guard bytes.has(word, at: place) else { return false }
        place += word.utf8CodeUnitCount
        return true
    }

    /// A number without a sign, as the tables have them.
    mutating func count() -> Int? {
        skipBlanks()
        var value = 0
        let start = place
        while place - start < 15, ASCII.isDigit(bytes[place]) {
            value = value * 10 + Int(bytes[place] - 0x30)
            place += 1
        }
        return place > start && !ASCII.isDigit(bytes[place]) ? value : nil
    }

    /// `12 0 obj`: the number.
    mutating func objectStart() -> Int? {
        guard let number = count(), count() != nil, skip("obj") else { return nil }
        return number
    }

    mutating func value(depth: Int = 0) -> PDFValue? {
        skipBlanks()
        guard let byte = bytes.byte(at: place), depth < Self.deepest else { return nil }
        switch byte {
        case UInt8(ascii: "("): return literal()
        case UInt8(ascii: "/"): return name()
        case UInt8(ascii: "["):
            place += 1
            var values: [PDFValue] = []
            while !skip("]") {
                guard values.count < Self.mostEntries, let value = value(depth: depth + 1) else { return nil }
                values.append(value)
            }
            return .array(values)
        case UInt8(ascii: "<"):
            return bytes[place + 1] == byte ? dictionary(depth) : hexadecimal()
        default: return word()
        }
    }

    private mutating func dictionary(_ depth: Int) -> PDFValue? {
        place += 2
        var entries: [(name: Bytes, value: PDFValue)] = []
        while true {
            skipBlanks()
            if bytes.has(">>", at: place) {
                place += 2
                return .dictionary(entries)
            }
            // What is cut off has said enough, perhaps.
            guard bytes[place] == UInt8(ascii: "/"), case .name(let name) = name(),
                entries.count < Self.mostEntries, let value = value(depth: depth + 1)
            else { return .dictionary(entries) }
            entries.append((name, value))
        }
    }

    private func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            true
        default: byte == 0 || ASCII.isSpace(byte)
        }
    }

    private mutating func name() -> PDFValue {
        place += 1
        let start = place
        while place < bytes.count, !isDelimiter(bytes[place]) { place += 1 }
        return .name(bytes[start..<place])
    }

    private mutating func word() -> PDFValue? {
        let start = place
        while place < bytes.count, !isDelimiter(bytes[place]) { place += 1 }
        guard place > start else { return nil }
        let word = bytes[start..<place]
        guard let number = Int(word.count <= 15 ? word.text : "") else { return .other }
        // `12 0 R`
        let end = place
        if number >= 0, count() != nil {
            skipBlanks()
            if bytes[place] == UInt8(ascii: "R"), place + 1 >= bytes.count || isDelimiter(bytes[place + 1]) {
                place += 1
                return .reference(number)
            }
        }
        place = end
        return .number(number)
    }

    private mutating func literal() -> PDFValue {
        place += 1
        let start = place
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\\"): place += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                if depth == 0 {
                    defer { place += 1 }
                    return .string(bytes[start..<place], isHex: false)
                }
                depth -= 1
            default: break
            }
            place += 1
        }
        return .string(bytes[start..<place], isHex: false)
    }

    private mutating func hexadecimal() -> PDFValue {
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") { place += 1 }
        defer { place += 1 }
        return .string(bytes[start..<place], isHex: true)
    }

    /// The bytes that a string is written for.
    static func plain(_ written: Bytes, isHex: Bool) -> [UInt8] {
        var plain: [UInt8] = []
        var place = 0
        if isHex {
            var half: UInt8?
            for index in 0..<min(written.count, 2 * TextDecoding.longest) {
                guard let digit = TextDecoding.hexadecimal(written[index]) else { continue }
                if let high = half {
                    plain.append(high << 4 | digit)
                    half = nil
                } else {
                    half = digit
                }
            }
            if let half { plain.append(half << 4) }
            return plain
        }
        while place < written.count, plain.count < TextDecoding.longest {
            var byte = written[place]
            place += 1
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            byte = written[place]
            place += 1
            switch byte {
            case UInt8(ascii: "n"): plain.append(0x0A)
            case UInt8(ascii: "r"): plain.append(0x0D)
            case UInt8(ascii: "t"): plain.append(0x09)
            case UInt8(ascii: "b"): plain.append(0x08)
            case UInt8(ascii: "f"): plain.append(0x0C)
            case 0x0A: break
            case 0x0D: if written[place] == 0x0A { place += 1 }
            case 0x30...0x37:
                var value = Int(byte - 0x30)
                var digits = 1
                while digits < 3, written[place] >= 0x30, written[place] <= 0x37 {
                    value = value * 8 + Int(written[place] - 0x30)
                    place += 1
                    digits += 1
                }
                plain.append(UInt8(truncatingIfNeeded: value))
            default: plain.append(byte)
            }
        }
        return plain
    }
}
