import FoundationEssentials

/// Any JSON, to be looked into by key.
package enum JSONValue: Decodable, Equatable, Sendable {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case null

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? value.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    /// Reads one JSON text; anything else is a failure that shows it.
    package static func parse(_ text: some StringProtocol) throws -> JSONValue {
        do {
            return try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            throw Failure("not JSON (\(error)): \(text)")
        }
    }

    /// One JSON object a line.
    package static func parseLines(_ text: String) throws -> [JSONValue] {
        try text.split(separator: "\n").map { try parse($0) }
    }

    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The names of an object's members.
    package var keys: Set<String> {
        guard case .object(let members) = self else { return [] }
        return Set(members.keys)
    }

    package var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    package var integer: Int? {
        guard case .integer(let integer) = self else { return nil }
        return integer
    }

    package var array: [JSONValue]? {
        guard case .array(let array) = self else { return nil }
        return array
    }

    /// A scalar as the scenario language writes it.
    package var word: String {
        switch self {
        case .string(let string): string
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        case .boolean(let boolean): String(boolean)
        case .null: "null"
        case .array, .object: String(describing: self)
        }
    }
}
