/// An interface: its definition as text, and what the text says.
///
/// The text is the only source: what clients are shown is what their calls are held to.
package struct Interface: Sendable {
    /// A method's input and output.
    package struct Method: Hashable, Sendable {
        /// The fields that a call may have.
        package let input: [VarlinkField]
        /// The fields of a reply.
        package let output: [VarlinkField]
    }

    /// The name, such as `org.varlink.service`.
    package let name: String
    /// The definition, comments included.
    package let text: String
    /// The types that it defines: structures and enumerations.
    package let types: [String: VarlinkType]
    /// The methods.
    package let methods: [String: Method]
    /// The errors and the parameters of each.
    package let errors: [String: [VarlinkField]]

    /// Reads a definition.
    package init(parsing text: String) throws(InterfaceSyntaxError) {
        var parser = InterfaceParser(text)
        try parser.expect("interface")
        let name = try parser.interfaceName()
        var types: [String: VarlinkType] = [:]
        var methods: [String: Method] = [:]
        var errors: [String: [VarlinkField]] = [:]
        while let keyword = parser.nextToken() {
            let member = try parser.memberName()
            guard types[member] == nil, methods[member] == nil, errors[member] == nil else {
                throw parser.error("\(member) is defined twice")
            }
            switch keyword {
            case "type": types[member] = try parser.definition()
            case "error": errors[member] = try parser.structure()
            case "method":
                let input = try parser.structure()
                try parser.expect("->")
                methods[member] = Method(input: input, output: try parser.structure())
            default: throw parser.error("type, method or error is missing before \(member)")
            }
        }
        if let name = parser.referenced.subtracting(types.keys).sorted().first {
            throw parser.error("the type \(name) is not defined")
        }
        self.name = name
        self.text = text
        self.types = types
        self.methods = methods
        self.errors = errors
    }
}

/// A definition that breaks the grammar.
package struct InterfaceSyntaxError: Error, Hashable {
    /// The line, counted from 1.
    package let line: Int
    /// The error in that line.
    package let reason: String
}
