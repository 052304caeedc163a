import InboxLinux

/// The history's record of a document that was filed: section 6 of the contract.
package struct FiledRecord: Sendable, WrittenLine {
    /// What showed that nobody was writing.
    package enum Proof: String, Sendable {
        /// A read lease was held while the name moved.
        case lease
        /// No lease could be had: a longer quiet time replaced it.
        case quietTime = "quiet-time"
        /// There is nothing to be written: a symbolic link.
        case none
        /// The daemon was interrupted after the name had moved; the record was made at the next start.
        case recovered
    }

    /// Unique for ever.
    package let id: RecordID
    /// When it was filed.
    package var time: Timestamp
    /// Where it came from.
    package let source: BytePath
    /// Where it went.
    package var destination: BytePath
    /// The type's identifier.
    package let type: String
    /// The type's MIME type; nil where none is known.
    package let mime: String?
    /// The size in bytes.
    package let size: UInt64
    /// The name of the document type; nil where none accepted it.
    package var documentType: String?
    /// What the type was concluded from.
    package let evidence: String
    /// Whether a number was added to its name.
    package var renamed: Bool
    /// What showed that it was complete.
    package let proof: Proof
    /// What it is at its destination, by which it is known again; nil where that could not be found out.
    package var identity: FileIdentity?
    /// What travelled with it, by key.
    package var annotations: [String: String]

    /// A record of these facts.
    package init(
        id: RecordID, time: Timestamp, source: BytePath, destination: BytePath, type: String, mime: String?,
        size: UInt64, documentType: String? = nil, evidence: String, renamed: Bool, proof: Proof,
        identity: FileIdentity? = nil, annotations: [String: String] = [:]
    ) {
        self.id = id
        self.time = time
        self.source = source
        self.destination = destination
        self.type = type
        self.mime = mime
        self.size = size
        self.documentType = documentType
        self.evidence = evidence
        self.renamed = renamed
        self.proof = proof
        self.identity = identity
        self.annotations = annotations
    }

    /// Appends the line of the history to others.
    package func append(to lines: inout ByteWriter) {
        var line = JSONLine(after: &lines)
        line.add("id", id)
        line.add("time", time)
        line.add("event", "filed")
        line.addDocument(from: source, to: destination, type: type, mime: mime, size: size)
        line.add("documentType", documentType)
        line.add("evidence", evidence)
        line.add("renamed", renamed)
        line.add("proof", proof.rawValue)
        if !annotations.isEmpty { line.add("annotations", annotations) }
        if let identity { line.add("identity", identity) }
        line.finish(into: &lines)
    }
}
