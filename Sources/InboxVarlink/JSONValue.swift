import FoundationEssentials

/// A JSON value (RFC 8259) as it travels in a Varlink message.
///
/// Whole numbers within 64 bits stay exact; all others are IEEE 754 doubles.
public enum JSONValue: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without fraction and exponent that 64 bits hold.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// Text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by their names.
    case object([String: JSONValue])

    /// The text where this is a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number where this is a whole one.
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The truth where this is a boolean.
    public var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }

    /// The members where this is an object.
    public var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// The member of that name where this is an object that has it.
    public subscript(name: String) -> JSONValue? { object?[name] }

    /// The text in one line: members sorted by name, no blanks, slashes as they are.
    public var text: String {
        var writer = JSONWriter()
        writer.append(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Makes a plain structure of the value, by its `Decodable` conformance.
    public func decoded<Plain: Decodable>(as type: Plain.Type) throws -> Plain {
        var writer = JSONWriter()
        writer.append(self)
        return try JSONDecoder().decode(type, from: Data(writer.bytes))
    }
}

/// Text that is not JSON, or more deeply nested than this program reads.
public struct JSONError: Error, Hashable {
    /// Where, in bytes from the beginning.
    public let offset: Int
    /// What was wrong there.
    public let reason: String
}

/// Writes values as text.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let truth): bytes += (truth ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        // JSON has no infinity; a null is what a reader can live with.
        case .number(let number): bytes += (number.isFinite ? String(number) : "null").utf8
        case .string(let text): append(text)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(value)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(member.key)
                bytes.append(UInt8(ascii: ":"))
                append(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            case UInt8(ascii: "\r"): bytes += "\\r".utf8
            // Control characters have to be escaped; DEL need not be, but no terminal should meet it raw.
            case 0..<0x20, 0x7F:
                let digits = String(byte, radix: 16)
                bytes += ("\\u00" + (digits.utf8.count < 2 ? "0" : "") + digits).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
