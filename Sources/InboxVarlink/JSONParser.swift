/// Reads JSON strictly (RFC 8259), in time that grows with the text alone.
///
/// It exists beside the one of FoundationEssentials because a daemon's only thread reads what strangers send: there
/// 120 bytes of nested brackets take 3 ms, and numbers beyond 64 bits are rounded without a word.
struct JSONParser {
    /// The deepest nesting of lists and objects that is read; the parser is recursive, the stack is not endless.
    static let deepest = 64

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The one value that the bytes hold, with blanks around it.
    static func value(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSONValue {
        var parser = JSONParser(Array(bytes))
        let value = try parser.value(depth: 0)
        parser.skipBlanks()
        guard parser.position == parser.bytes.count else { throw parser.error("text after the value") }
        return value
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func error(_ reason: String) -> JSONError { JSONError(offset: position, reason: reason) }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return try number()
        default: throw error("a value is missing")
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let expected = word.utf8
        guard bytes[position...].starts(with: expected) else { throw error("an unknown word") }
        position += expected.count
        return value
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= Self.deepest else { throw error("nested too deeply") }
        position += 1
        skipBlanks()
        if take("]") { return .array([]) }
        var values: [JSONValue] = []
        while true {
            values.append(try value(depth: depth))
            skipBlanks()
            if take("]") { return .array(values) }
            guard take(",") else { throw error("a comma or a bracket is missing") }
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= Self.deepest else { throw error("nested too deeply") }
        position += 1
        skipBlanks()
        if take("}") { return .object([:]) }
        var members: [String: JSONValue] = [:]
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw error("a name is missing") }
            let name = try string()
            skipBlanks()
            guard take(":") else { throw error("a colon is missing") }
            // Two readers could disagree on which of two equal names counts.
            guard members.updateValue(try value(depth: depth), forKey: name) == nil else {
                throw error("a name that occurs twice")
            }
            skipBlanks()
            if take("}") { return .object(members) }
            guard take(",") else { throw error("a comma or a brace is missing") }
        }
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        var isWhole = true
        if take(".") {
            isWhole = false
            try digits()
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let number = Int64(text) { return .integer(number) }
        guard let number = Double(text), number.isFinite else { throw error("a number out of range") }
        return .number(number)
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw error("a digit is missing") }
    }

    private mutating func string() throws(JSONError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw error("text that is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
            case 0..<0x20: throw error("a control character in text")
            default: text.append(byte)
            }
        }
        throw error("text without an end")
    }

    private mutating func escape() throws(JSONError) -> [UInt8] {
        guard let byte = next else { throw error("text without an end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            // RFC 8259, section 7: beyond the first plane two escapes make one character.
            if (0xD800..<0xDC00).contains(code) {
                guard take("\\"), take("u") else { throw error("half a character") }
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw error("half a character") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw error("half a character") }
            return Array(String(Character(scalar)).utf8)
        default: throw error("an unknown escape")
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw error("a hexadecimal digit is missing")
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }
}

extension JSONValue {
    /// Reads the one value that the bytes hold. Nesting deeper than 64 levels, names that occur twice in an object, and
    /// numbers that no double holds are refused.
    package init(parsing bytes: some Collection<UInt8>) throws(JSONError) {
        self = try JSONParser.value(bytes)
    }
}
