import InboxConfiguration
import InboxLinux

/// What is started for a document: a pure function of the command, the document and the daemon's own environment.
struct HandlerPlan: Sendable, Hashable {
    /// The program's path.
    let program: BytePath
    /// The program and its arguments, the program's path first.
    let arguments: [[UInt8]]
    /// Each `NAME=VALUE`.
    let environment: [[UInt8]]

    /// The variables of the daemon that a program needs to find its way; all others are its own business, and some would
    /// have a program take itself for the daemon (`NOTIFY_SOCKET`, `LISTEN_FDS`).
    static let inherited = ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LC_TIME", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER"]
    private static let usualPath = "/usr/local/bin:/usr/bin:/bin"

    /// - Parameter variable: the daemon's own environment.
    init(_ command: CommandTemplate, _ document: HandledDocument, variable: (String) -> [UInt8]?) {
        program = command.program
        arguments = command.arguments.map { parts in
            Array(parts.map { Self.bytes(of: $0, document) }.joined())
        }
        var environment: [[UInt8]] = []
        func add(_ name: String, _ value: [UInt8]) {
            environment.append(Array(name.utf8) + [UInt8(ascii: "=")] + value)
        }
        for name in Self.inherited {
            if let value = variable(name) ?? (name == "PATH" ? Array(Self.usualPath.utf8) : nil) { add(name, value) }
        }
        add("INBOX_PATH", document.path.bytes)
        add("INBOX_NAME", document.path.lastComponent)
        add("INBOX_TYPE", Array(document.type.utf8))
        add("INBOX_CONFORMS_TO", Array(document.supertypes.joined(separator: " ").utf8))
        add("INBOX_MIME", Array((document.mime ?? "").utf8))
        add("INBOX_SIZE", Array("\(document.size)".utf8))
        add("INBOX_ID", Array(document.id.utf8))
        add("INBOX_DOCUMENT_TYPE", Array(document.documentType.utf8))
        add("INBOX_SOURCE", document.source.bytes)
        for key in ["date", "title", "author", "origin", "application"] {
            guard let value = document.told[key], !value.utf8.contains(0) else { continue }
            add("INBOX_" + key.uppercased(), Array(value.utf8))
        }
        // A variable ends at the first NUL, and half a value would be another one.
        for (key, value) in document.annotations.sorted(by: { $0.key < $1.key }) where !value.utf8.contains(0) {
            add("INBOX_ANNOTATION_" + key, Array(value.utf8))
        }
        self.environment = environment
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
