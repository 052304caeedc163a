import InboxConfiguration
import InboxLinux

extension ProgramPlan {
    /// Plans the program that is started for a document: a pure function of the command, the document and the
    /// daemon's own environment.
    /// - Parameter variable: the daemon's own environment.
    init(_ command: CommandTemplate, _ document: HandledDocument, variable: (String) -> [UInt8]?) {
        self.init(
            command.program,
            command.arguments.map { parts in Array(parts.map { Self.bytes(of: $0, document) }.joined()) },
            variable: variable)
        add("INBOX_PATH", document.path.bytes)
        add("INBOX_NAME", document.path.lastComponent)
        add("INBOX_TYPE", document.type)
        add("INBOX_CONFORMS_TO", document.supertypes.joined(separator: " "))
        add("INBOX_MIME", document.mime ?? "")
        add("INBOX_SIZE", "\(document.size)")
        add("INBOX_ID", document.id)
        add("INBOX_DOCUMENT_TYPE", document.documentType)
        add("INBOX_SOURCE", document.source.bytes)
        for key in ["date", "title", "author", "origin", "application"] {
            if let value = document.told[key] { add("INBOX_" + key.uppercased(), value) }
        }
        for (key, value) in document.annotations.sorted(by: { $0.key < $1.key }) {
            add("INBOX_ANNOTATION_" + key, value)
        }
        for (key, value) in document.facts.sorted(by: { $0.key < $1.key }) { add("INBOX_FACT_" + key, value) }
    }

    private static func bytes(of part: CommandTemplate.Part, _ document: HandledDocument) -> [UInt8] {
        switch part {
        case .literal(let bytes): bytes
        case .placeholder(.path): document.path.bytes
        case .placeholder(.name): document.path.lastComponent
        case .placeholder(.folder): document.path.parent?.bytes ?? [UInt8(ascii: "/")]
        case .placeholder(.type): Array(document.type.utf8)
        case .placeholder(.mime): Array((document.mime ?? "").utf8)
        case .placeholder(.size): Array("\(document.size)".utf8)
        case .placeholder(.id): Array(document.id.utf8)
        case .placeholder(.documentType): Array(document.documentType.utf8)
        case .placeholder(.source): document.source.bytes
        }
    }
}
