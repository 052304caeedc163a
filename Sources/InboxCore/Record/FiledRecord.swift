import InboxLinux

/// The history's record of a document that was filed: section 6 of the contract.
public struct FiledRecord: Sendable {
    /// What showed that nobody was writing.
    public enum Proof: String, Sendable {
        /// A read lease was held while the name moved.
        case lease
        /// No lease could be had: a longer quiet time stood in.
        case quietTime = "quiet-time"
        /// There is nothing to be written: a symbolic link.
        case none
        /// The daemon was interrupted after the name had moved; the record was made at the next start.
        case recovered
    }

    /// Unique for ever.
    public let id: RecordID
    /// When it was filed.
    public internal(set) var time: Timestamp
    /// Where it came from.
    public let source: BytePath
    /// Where it went.
    public internal(set) var destination: BytePath
    /// The type's identifier.
    public let type: String
    /// The type's MIME type; nil where none is known.
    public let mime: String?
    /// The size in bytes.
    public let size: UInt64
    /// What the type was concluded from.
    public let evidence: String
    /// Whether a number was added to its name.
    public internal(set) var renamed: Bool
    /// What showed that it was complete.
    public let proof: Proof

    /// The line of the history.
    var line: [UInt8] {
        var line = JSONLine()
        line.add("id", id.text)
        line.add("time", time.text)
        line.add("event", "filed")
        line.add("source", source.escapedText)
        line.add("destination", destination.escapedText)
        line.add("type", type)
        line.add("mime", mime)
        line.add("size", size)
        line.add("documentType", nil)
        line.add("evidence", evidence)
        line.add("renamed", renamed)
        line.add("proof", proof.rawValue)
        return line.finished
    }
}
