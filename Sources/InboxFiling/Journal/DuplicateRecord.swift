import InboxLinux

/// The history's record of a document that was discarded because an identical one is at its destination.
package struct DuplicateRecord: Sendable {
    /// Unique for ever.
    package let id: RecordID
    /// When it was discarded.
    package let time: Timestamp
    /// Where it was in the Inbox.
    package let source: BytePath
    /// The identical document.
    package let twin: BytePath
    /// The type's identifier.
    package let type: String
    /// The type's MIME type; nil where none is known.
    package let mime: String?
    /// The size in bytes.
    package let size: UInt64
    /// The name of the document type; nil where none accepted it.
    package let documentType: String?
    /// The evidence for the type.
    package let evidence: String

    /// The line of the history.
    package var line: [UInt8] {
        var line = JSONLine()
        line.add("id", id)
        line.add("time", time)
        line.add("event", "duplicate")
        line.addDocument(from: source, to: twin, type: type, mime: mime, size: size)
        line.add("documentType", documentType)
        line.add("evidence", evidence)
        return line.finished()
    }
}
