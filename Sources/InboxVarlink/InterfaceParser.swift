/// Reads the interface definition language, token by token.
struct InterfaceParser {
    private var tokens: [(text: Substring, line: Int)] = []
    private var position = 0
    /// The names that are types of the language itself.
    private(set) var referenced: Set<String> = []

    init(_ text: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var rest = line.prefix { $0 != "#" }
            while let first = rest.first {
                let length: Int
                if first.isWhitespace {
                    rest.removeFirst()
                    continue
                } else if Self.isWordCharacter(first) {
                    length = rest.prefix(while: Self.isWordCharacter).count
                } else {
                    length = ["->", "[]"].contains { rest.hasPrefix($0) } ? 2 : 1
                }
                tokens.append((rest.prefix(length), index + 1))
                rest = rest.dropFirst(length)
            }
        }
    }

    /// The hyphen that the language allows in an interface's name is left out: none here has one.
    private static func isWordCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == ".")
    }

    func error(_ reason: String) -> InterfaceSyntaxError {
        let token = tokens.isEmpty ? nil : tokens[min(max(0, position - 1), tokens.count - 1)]
        return InterfaceSyntaxError(line: token?.line ?? 1, reason: reason)
    }

    mutating func nextToken() -> Substring? {
        guard position < tokens.count else { return nil }
        defer { position += 1 }
        return tokens[position].text
    }

    private mutating func take(_ token: String) -> Bool {
        guard position < tokens.count, tokens[position].text == token else { return false }
        position += 1
        return true
    }

    mutating func expect(_ token: String) throws(InterfaceSyntaxError) {
        guard take(token) else { throw error("\(token) is missing") }
    }

    /// Two parts at least, separated by dots.
    mutating func interfaceName() throws(InterfaceSyntaxError) -> String {
        guard let name = nextToken(), name.first?.isLetter == true, !name.contains("_"),
            name.split(separator: ".", omittingEmptySubsequences: false).filter({ !$0.isEmpty }).count >= 2,
            !name.contains(".."), !name.hasSuffix(".")
        else { throw error("not the name of an interface") }
        return String(name)
    }

    /// An upper-case letter, then letters and digits.
    mutating func memberName() throws(InterfaceSyntaxError) -> String {
        guard let name = nextToken(), name.first?.isUppercase == true, !name.contains(where: { "._".contains($0) })
        else { throw error("not the name of a type, method or error") }
        return String(name)
    }

    private mutating func fieldName() throws(InterfaceSyntaxError) -> String {
        guard let name = nextToken(), name.first?.isLetter == true, !name.contains("."), !name.contains("__"),
            !name.hasSuffix("_")
        else { throw error("not the name of a field") }
        return String(name)
    }

    /// Fields in brackets, perhaps none.
    mutating func structure() throws(InterfaceSyntaxError) -> [VarlinkField] {
        guard case .structure(let fields) = try definition() else { throw error("types of the fields are missing") }
        return fields
    }

    /// A structure, or the words of an enumeration.
    mutating func definition() throws(InterfaceSyntaxError) -> VarlinkType {
        try expect("(")
        if take(")") { return .structure([]) }
        let first = try fieldName()
        guard take(":") else {
            var words = [first]
            while take(",") { words.append(try fieldName()) }
            try expect(")")
            return .enumeration(words)
        }
        var fields = [VarlinkField(name: first, type: try type())]
        while take(",") {
            let name = try fieldName()
            try expect(":")
            fields.append(VarlinkField(name: name, type: try type()))
        }
        try expect(")")
        guard Set(fields.map(\.name)).count == fields.count else { throw error("a field is defined twice") }
        return .structure(fields)
    }

    private mutating func type() throws(InterfaceSyntaxError) -> VarlinkType {
        if take("?") {
            let type = try type()
            if case .nullable = type { throw error("?? is not a type") }
            return .nullable(type)
        }
        if take("[]") { return .array(try type()) }
        if take("[") {
            try expect("string")
            try expect("]")
            return .map(try type())
        }
        if position < tokens.count, tokens[position].text == "(" { return try definition() }
        switch nextToken() {
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        case let name?:
            guard name.first?.isUppercase == true else { throw error("\(name) is not a type") }
            referenced.insert(String(name))
            return .named(String(name))
        case nil: throw error("a type is missing")
        }
    }
}
