import InboxConfiguration
import InboxVarlink
import UniformTypeIdentifiers

extension Verb {
    static let conforms = Verb(
        name: "conforms", operands: "A B", summary: "check whether the type A conforms to the type B",
        options: [.config], examples: ["inboxctl conforms public.jpeg public.image"]
    ) { invocation throws(CommandFailure) in
        try invocation.expectOperands(atMost: 2)
        guard invocation.arguments.operands.count == 2 else { throw .usage("two type identifiers are wanted") }
        _ = try invocation.detector()
        let type = try UTType(named: invocation.arguments.operands[0])
        let supertype = try UTType(named: invocation.arguments.operands[1])
        let conforms = type.conforms(to: supertype)
        if invocation.wantsJSON {
            let answer: [String: JSONValue] = [
                "type": .string(type.identifier), "supertype": .string(supertype.identifier),
                "conforms": .bool(conforms),
            ]
            try invocation.output.write(JSONValue.object(answer).text + "\n")
        } else {
            let word = conforms ? "conforms" : "does not conform"
            try invocation.output.write("\(type.identifier) \(word) to \(supertype.identifier)\n")
        }
        return conforms ? .done : .failed
    }
}

extension UTType {
    /// The type with the identifier that someone typed; an unknown one is wrong usage.
    init(named bytes: [UInt8]) throws(CommandFailure) {
        let name = printable(bytes)
        guard let identifier = String(validating: bytes, as: UTF8.self), let type = UTType(identifier) else {
            let known = UTType.allDeclared.map(\.identifier)
            let meant = TypeSuggestion.type(meantBy: name) ?? nearest(to: name, among: known)
            throw .usage("unknown type \"\(name)\"" + (meant.map { ": did you mean \"\($0)\"?" } ?? ""))
        }
        self = type
    }
}
