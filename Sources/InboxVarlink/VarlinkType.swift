/// A type of the interface definition language (https://varlink.org/Interface-Definition).
package indirect enum VarlinkType: Hashable, Sendable {
    /// `bool`
    case bool
    /// `int`: whole, 64 bits
    case int
    /// `float`
    case float
    /// `string`
    case string
    /// `object`: any JSON object
    case object
    /// A type that the interface defines under this name.
    case named(String)
    /// `(one, two)`: one of these words
    case enumeration([String])
    /// `(a: int, b: string)`
    case structure([VarlinkField])
    /// `[]T`
    case array(VarlinkType)
    /// `[string]T`
    case map(VarlinkType)
    /// `?T`: the value, `null`, or nothing at all
    case nullable(VarlinkType)
}

/// A named value of a structure, or of a method's input or output.
package struct VarlinkField: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The type.
    package let type: VarlinkType
}

extension Interface {
    /// The first parameter that does not fit the fields: one of a wrong type or that is missing, in the order of the
    /// definition, else one that is not defined, in the order of names. Nil where all fit.
    package func misfit(among parameters: [String: JSONValue], of fields: [VarlinkField]) -> String? {
        for field in fields where !fits(parameters[field.name], field.type) { return field.name }
        let known = Set(fields.map(\.name))
        return parameters.keys.sorted().first { !known.contains($0) }
    }

    /// Returns whether the value has the type; nil means a member that is absent.
    ///
    /// The recursion ends with the value, whose depth the parser bounds: a nullable type never holds another.
    private func fits(_ value: JSONValue?, _ type: VarlinkType) -> Bool {
        switch (type, value) {
        case (.nullable, nil), (.nullable, .null?): true
        case (.nullable(let type), let value): fits(value, type)
        case (.bool, .bool?), (.int, .integer?), (.float, .integer?), (.float, .number?), (.string, .string?),
            (.object, .object?):
            true
        case (.named(let name), let value): types[name].map { fits(value, $0) } ?? false
        case (.enumeration(let words), .string(let word)?): words.contains(word)
        case (.structure(let fields), .object(let members)?): misfit(among: members, of: fields) == nil
        case (.array(let type), .array(let values)?): values.allSatisfy { fits($0, type) }
        case (.map(let type), .object(let members)?): members.values.allSatisfy { fits($0, type) }
        default: false
        }
    }
}
