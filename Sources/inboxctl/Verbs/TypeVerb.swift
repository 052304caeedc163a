import InboxCore
import InboxVarlink
import UniformTypeIdentifiers

extension Verb {
    static let type = Verb(
        name: "type", operands: "", summary: "tell the type of a file-name extension, a MIME type or an identifier",
        options: [
            Option(name: "extension", argument: "E", help: "the type of names that end in .E"),
            Option(name: "mime", argument: "M", help: "the type of this MIME type"),
            Option(name: "identifier", argument: "UTI", help: "the type of this identifier"),
            Option(name: "conforming-to", argument: "UTI", help: "look for extensions and MIME types under this type"),
        ]
    ) { invocation throws(CommandFailure) in
        try invocation.expectOperands(atMost: 0)
        let supertype = try invocation.arguments.value("conforming-to").map(UTType.init(named:)) ?? .data
        var answers: [TypeAnswer] = []
        for option in invocation.arguments.options {
            guard let value = option.value else { continue }
            switch option.name {
            case "extension": answers.append(try .init(filenameExtension: value, under: supertype))
            case "mime": answers.append(try .init(mimeType: value, under: supertype))
            case "identifier": answers.append(try .init(identifier: value))
            default: continue
            }
        }
        guard !answers.isEmpty else { throw .usage("nothing to identify: give --extension, --mime or --identifier") }
        let lines = invocation.wantsJSON ? answers.map(\.object.text) : TypeAnswer.table(answers)
        try invocation.output.write(lines.map { $0 + "\n" }.joined())
        return .done
    }
}

/// What is known of a type that was asked for.
struct TypeAnswer {
    /// What was asked, printable.
    let question: String
    let type: UTType
    /// Whether the name or nothing tells the type; there is no content here.
    let evidence: String

    init(filenameExtension bytes: [UInt8], under supertype: UTType) throws(CommandFailure) {
        let text = try Arguments.text(bytes, of: "option \"--extension\"")
        // People type `.pdf` as they say it.
        let bare = text.hasPrefix(".") ? String(text.dropFirst()) : text
        guard let type = UTType(filenameExtension: bare, conformingTo: supertype) else {
            throw .usage("\"\(printable(bytes))\" is no file-name extension")
        }
        (question, self.type, evidence) = (printable(bytes), type, "name")
    }

    init(mimeType bytes: [UInt8], under supertype: UTType) throws(CommandFailure) {
        let text = try Arguments.text(bytes, of: "option \"--mime\"")
        guard let type = UTType(mimeType: text, conformingTo: supertype) else {
            throw .usage("\"\(printable(bytes))\" is no MIME type")
        }
        (question, self.type, evidence) = (printable(bytes), type, "none")
    }

    init(identifier bytes: [UInt8]) throws(CommandFailure) {
        (question, type, evidence) = (printable(bytes), try UTType(named: bytes), "none")
    }

    /// The object that section 3.2 of the contract lists, less `path`.
    var object: JSONValue {
        .object([
            "type": .string(type.identifier),
            "description": type.localizedDescription.map(JSONValue.string) ?? .null,
            "mime": type.preferredMIMEType.map(JSONValue.string) ?? .null,
            "extension": type.preferredFilenameExtension.map(JSONValue.string) ?? .null,
            "conformsTo": .array(type.conformanceList.map { .string($0.identifier) }),
            "evidence": .string(evidence),
            "mismatch": .bool(false),
            "unread": .bool(false),
        ])
    }

    /// Aligned lines: what was asked, the identifier, the MIME type and the description.
    static func table(_ answers: [TypeAnswer]) -> [String] {
        let rows = answers.map { answer in
            [
                answer.question, answer.type.identifier, answer.type.preferredMIMEType ?? "-",
                answer.type.localizedDescription ?? "-",
            ].map { printable($0.utf8) }
        }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ") + "  " + row[3]
        }
    }
}
