import InboxCore
import InboxDetection
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// What is known of a type that was asked for by a tag or by its name.
struct TypeAnswer {
    /// What was asked, printable.
    let question: String
    /// There is no content here: the name or nothing tells the type.
    let detection: Detection

    init(filenameExtension bytes: [UInt8], under supertype: UTType, _ detector: Detector) throws(CommandFailure) {
        let text = try Arguments.text(bytes, of: "option \"--extension\"")
        // People type `.pdf` as they say it.
        let bare = text.hasPrefix(".") ? String(text.dropFirst()) : text
        guard let type = UTType(filenameExtension: bare, conformingTo: supertype) else {
            throw .usage("\"\(printable(bytes))\" is no file-name extension")
        }
        let named = FileName("x." + bare).map { detector.detect(named: $0) }
        let known = named.map { (type: $0.type, mime: $0.mime) }
        self.init(bytes, type, known, under: supertype, evidence: .name, detector)
    }

    init(mimeType bytes: [UInt8], under supertype: UTType, _ detector: Detector) throws(CommandFailure) {
        let text = try Arguments.text(bytes, of: "option \"--mime\"")
        guard let type = UTType(mimeType: text, conformingTo: supertype) else {
            throw .usage("\"\(printable(bytes))\" is no MIME type")
        }
        let essence = text.prefix { $0 != ";" }.filter { !$0.isWhitespace }
        let known = detector.type(ofMIME: essence)
        self.init(bytes, type, known, under: supertype, evidence: .none, detector)
    }

    init(identifier bytes: [UInt8], _ detector: Detector) throws(CommandFailure) {
        self.init(bytes, try UTType(named: bytes), nil, under: .data, evidence: .none, detector)
    }

    /// - Parameter known: what the MIME database makes of the tag, which counts where no declared type has it.
    private init(
        _ question: [UInt8], _ type: UTType, _ known: (type: UTType, mime: String?)?, under supertype: UTType,
        evidence: Evidence, _ detector: Detector
    ) {
        self.question = printable(question)
        let isKnown = known.map { !type.isDeclared && $0.type.isSubtype(of: supertype) } ?? false
        let told = isKnown ? known?.type ?? type : type
        let mime = told == known?.type ? known?.mime : detector.mime(of: told)
        detection = Detection(type: told, mime: mime, evidence: evidence, mismatch: false, unread: false)
    }

    /// The object that section 3.2 of the contract lists, less `path`.
    var object: JSONValue { .object(detection.members) }

    /// Aligned lines: what was asked, the identifier, the MIME type and the description.
    static func table(_ answers: [TypeAnswer]) -> [String] {
        let rows = answers.map { answer in
            [
                answer.question, printable(answer.detection.type.identifier.utf8),
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
        ]
    }
}
