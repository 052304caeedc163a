import InboxConfiguration
import InboxDetection
import InboxVarlink
import UniformTypeIdentifiers

/// The answer about a type that was asked for by a tag or by its name.
struct TypeAnswer {
    /// The question, printable.
    let question: String
    /// There is no content here: the type follows from the name or is unknown.
    let detection: Detection

    init(filenameExtension bytes: [UInt8], under supertype: UTType, _ detector: Detector) throws(CommandFailure) {
        let text = try Arguments.text(bytes, of: "option \"--extension\"")
        guard let found = detector.type(fileExtension: text, conformingTo: supertype) else {
            throw .usage("\"\(printable(bytes))\" is no file-name extension")
        }
        self.init(bytes, found.type, found.mime, .name)
    }

    init(mimeType bytes: [UInt8], under supertype: UTType, _ detector: Detector) throws(CommandFailure) {
        let text = try Arguments.text(bytes, of: "option \"--mime\"")
        guard let found = detector.type(mime: text, conformingTo: supertype) else {
            throw .usage("\"\(printable(bytes))\" is no MIME type")
        }
        self.init(bytes, found.type, found.mime, .none)
    }

    init(identifier bytes: [UInt8], _ detector: Detector) throws(CommandFailure) {
        let type = try UTType(named: bytes)
        self.init(bytes, type, detector.mime(of: type), .none)
    }

    private init(_ question: [UInt8], _ type: UTType, _ mime: String?, _ evidence: Evidence) {
        self.question = printable(question)
        detection = Detection(type: type, mime: mime, evidence: evidence, mismatch: false, unread: false)
    }

    /// The object that section 3.2 of the contract lists, less `path`.
    var object: JSONValue { .object(detection.members) }

    /// Aligned lines: what was asked, the identifier, the MIME type and the description.
    static func table(_ answers: [TypeAnswer]) -> [String] {
        let rows = answers.map { answer in
            [
                answer.question, printable(answer.detection.type.shownIdentifier.utf8),
                answer.detection.mime.map { printable($0.utf8) } ?? "-",
                answer.detection.type.localizedDescription.map { printable($0.utf8) } ?? "-",
            ]
        }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ") + "  " + row[3]
        }
    }
}

extension Detection {
    /// The members that section 3.2 of the contract lists, less `path`.
    var members: [String: JSONValue] {
        [
            "type": .string(type.identifier),
            "description": type.localizedDescription.map(JSONValue.string) ?? .null,
            "mime": mime.map(JSONValue.string) ?? .null,
            "extension": type.preferredFilenameExtension.map(JSONValue.string) ?? .null,
            "conformsTo": .array(type.conformanceList.map { .string($0.identifier) }),
            "evidence": .string(evidence.rawValue),
            "mismatch": .bool(mismatch),
            "unread": .bool(unread),
            "incomplete": incomplete.map(JSONValue.string) ?? .null,
        ]
    }
}
