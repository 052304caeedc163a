import InboxLinux

/// What is about to happen to a document, written down before it does: enough to find out after a crash whether it
/// happened, and to make the record that is missing then.
struct Intent: Codable, Hashable {
    let id: String
    let source: String
    let destination: String
    let name: String
    let device: UInt64
    let inode: UInt64
    let birthSeconds: Int64?
    let birthNanoseconds: UInt32?
    /// How many names the file had: one more is the one that an interrupted move without rename has made.
    let links: UInt32
    let size: UInt64
    let modifiedSeconds: Int64
    let modifiedNanoseconds: UInt32
    /// The filesystem of the destination, by its own identifier; nil where it has none.
    let filesystem: String?
    /// The inode number of the history and its length when this was written down: the record comes behind that. Nil
    /// where it was not told.
    let historyFile: UInt64?
    let historySize: Int64?

    /// The intent to move a file from `source` into the folder `destination`, under `name` or the next free one.
    init(
        id: RecordID, source: BytePath, status: FileStatus, destination: BytePath, name: FileName,
        filesystem: FilesystemMark? = nil, since mark: History.Mark? = nil
    ) {
        let identity = status.identity
        self.id = id.text
        self.source = source.escapedText
        self.destination = destination.escapedText
        self.name = name.escapedText
        device = identity.file.device
        inode = identity.file.inode
        birthSeconds = identity.file.birth?.seconds
        birthNanoseconds = identity.file.birth?.nanoseconds
        links = status.links
        size = identity.size
        modifiedSeconds = identity.modified.seconds
        modifiedNanoseconds = identity.modified.nanoseconds
        self.filesystem = filesystem?.identifier
        historyFile = mark?.file
        historySize = mark?.size
    }

    /// All five marks of the file.
    var identity: FileIdentity {
        let birth = birthSeconds.map { Timestamp(seconds: $0, nanoseconds: birthNanoseconds ?? 0) }
        return FileIdentity(
            file: FileKey(device: device, inode: inode, birth: birth), size: size,
            modified: Timestamp(seconds: modifiedSeconds, nanoseconds: modifiedNanoseconds))
    }

    /// Where the history ended when this was written down; nil where it was not told.
    var historyMark: History.Mark? {
        guard let historyFile, let historySize else { return nil }
        return History.Mark(file: historyFile, size: historySize)
    }

    /// The filesystem that the document was on, and stays on.
    var home: FilesystemMark { FilesystemMark(device: device, identifier: filesystem) }

    /// The line of the journal.
    var line: [UInt8] { fields.finished }

    /// The line without its end.
    var fields: JSONLine {
        var line = JSONLine()
        line.add("id", id)
        line.add("source", source)
        line.add("destination", destination)
        line.add("name", name)
        line.add("device", device)
        line.add("inode", inode)
        if let birthSeconds, let birthNanoseconds {
            line.add("birthSeconds", birthSeconds)
            line.add("birthNanoseconds", birthNanoseconds)
        }
        line.add("links", links)
        line.add("size", size)
        line.add("modifiedSeconds", modifiedSeconds)
        line.add("modifiedNanoseconds", modifiedNanoseconds)
        if let filesystem { line.add("filesystem", filesystem) }
        if let historyFile, let historySize {
            line.add("historyFile", historyFile)
            line.add("historySize", historySize)
        }
        return line
    }
}
