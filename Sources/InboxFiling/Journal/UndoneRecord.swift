import InboxLinux

/// The history's record of a document that was put back into an Inbox.
package struct UndoneRecord: Sendable {
    /// The id of the document's filed record, which this record shares.
    package let id: RecordID
    /// The id of the operation, by which recovery finds this record.
    package let undo: RecordID
    /// When it was put back.
    package let time: Timestamp
    /// Where it is now, in the Inbox.
    package let source: BytePath
    /// Where it was.
    package let destination: BytePath
    /// The type's identifier.
    package let type: String
    /// The type's MIME type; nil where none is known.
    package let mime: String?
    /// The size in bytes.
    package let size: UInt64

    /// A record of these facts.
    package init(
        id: RecordID, undo: RecordID, time: Timestamp, source: BytePath, destination: BytePath, type: String,
        mime: String?, size: UInt64
    ) {
        self.id = id
        self.undo = undo
        self.time = time
        self.source = source
        self.destination = destination
        self.type = type
        self.mime = mime
        self.size = size
    }

    /// Returns the beginning of an undo's line, which no other record's line has.
    package static func head(_ id: RecordID, undo: RecordID) -> [UInt8] {
        var line = JSONLine()
        line.add("id", id)
        line.add("undo", undo.text)
        return line.bytes
    }

    /// The line of the history.
    package var line: [UInt8] {
        var line = JSONLine()
        line.add("id", id)
        line.add("undo", undo.text)
        line.add("time", time)
        line.add("event", "undone")
        line.addDocument(from: source, to: destination, type: type, mime: mime, size: size)
        return line.finished()
    }
}
