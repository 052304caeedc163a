import FoundationEssentials
import InboxLinux

/// A JSON value (RFC 8259) as it travels in a Varlink message.
///
/// Whole numbers within 64 bits stay exact; all others are IEEE 754 doubles.
package enum JSONValue: Hashable, Sendable {
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
    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number where this is a whole one.
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The truth where this is a boolean.
    package var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }

    /// The members where this is an object.
    package var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// The member of that name where this is an object that has it.
    package subscript(name: String) -> JSONValue? { object?[name] }

    /// The text in one line: members sorted by name, no blanks, slashes as they are.
    package var text: String {
        var writer = JSONWriter()
        writer.append(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Makes a plain structure of the value, by its `Decodable` conformance.
    package func decoded<Plain: Decodable>(as type: Plain.Type) throws -> Plain {
        var writer = JSONWriter()
        writer.append(self)
        return try JSONDecoder().decode(type, from: Data(writer.bytes))
    }
}

extension JSONValue: Encodable {
    /// Writes the value as it is, so that it can be a part of a plain structure.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let truth): try container.encode(truth)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

/// Text that is not JSON, or more deeply nested than this program reads.
package struct JSONError: Error, Hashable {
    /// Where, in bytes from the beginning.
    package let offset: Int
    /// The error at that place.
    package let reason: String
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
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: scalar.value)]
            case "\n": bytes += "\\n".utf8
            case "\t": bytes += "\\t".utf8
            case "\r": bytes += "\\r".utf8
            case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            // RFC 8259 demands it of C0 alone, but no terminal should receive the others raw either.
            case _ where EscapedBytes.isUnprintable(scalar):
                for unit in scalar.utf16 { appendEscape(unit) }
            default: bytes += scalar.utf8
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// `\unnnn`; a scalar beyond 16 bits has two of them (RFC 8259, section 7).
    private mutating func appendEscape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        bytes += ("\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits).utf8
    }
}

extension JSONValue: Decodable {
    /// Takes whatever value is there, as a part of a plain structure.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let truth = try? container.decode(Bool.self) {
            self = .bool(truth)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let values = try? container.decode([JSONValue].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
