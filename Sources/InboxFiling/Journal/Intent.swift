import InboxLinux

/// The move of a document by one rename, as the journal has it before its name moves: enough to find out after a crash
/// whether it moved, and to make the record that is missing then.
package struct Intent: Hashable, Sendable, WrittenLine {
    /// The id of the record and of this entry.
    package let id: RecordID
    /// The document's path in the Inbox.
    package let source: BytePath
    /// The destination folder.
    package let destination: BytePath
    /// The name that the document keeps if it is free.
    package let name: FileName
    /// All five marks of the file.
    package let identity: FileIdentity
    /// How many names the file had: one more is the one that an interrupted move without rename has made.
    package let links: UInt32
    /// The filesystem that the document is on, and stays on.
    package let filesystem: FilesystemMark
    /// Where the history ended when the entry was begun: the record follows it. Nil where that is not known.
    package let mark: HistoryMark?
    /// The name of the document type; nil where none accepted it.
    package let documentType: String?
    /// The boot in which the disk failed to say that it keeps the move, which is recorded; nil where the record is due.
    package var unsyncedBoot: String?

    /// The intent to move a file from `source` into the folder `destination`, under `name` or the next free one.
    package init(
        id: RecordID, source: BytePath, status: FileStatus, destination: BytePath, name: FileName,
        filesystem: FilesystemMark? = nil, since mark: HistoryMark? = nil, documentType: String? = nil
    ) {
        self.id = id
        self.source = source
        self.destination = destination
        self.name = name
        identity = status.identity
        links = status.links
        self.filesystem =
            filesystem ?? FilesystemMark(device: status.identity.file.device, identifier: nil)
        self.mark = mark
        self.documentType = documentType
    }

    /// When it was begun at the earliest.
    package var begun: Timestamp { Timestamp(seconds: id.seconds, nanoseconds: 0) }

    /// Appends the line of the journal to others.
    package func append(to lines: inout ByteWriter) {
        var line = JSONLine(after: &lines)
        line.add("move", id)
        line.add("source", source)
        line.add("destination", destination)
        line.add("name", name)
        line.add("device", identity.file.device)
        line.add("inode", identity.file.inode)
        if let birth = identity.file.birth {
            line.add("birthSeconds", birth.seconds)
            line.add("birthNanoseconds", birth.nanoseconds)
        }
        line.add("links", links)
        line.add("size", identity.size)
        line.add("modifiedSeconds", identity.modified.seconds)
        line.add("modifiedNanoseconds", identity.modified.nanoseconds)
        if let identifier = filesystem.identifier { line.add("filesystem", identifier) }
        if let mark {
            line.add("historyFile", mark.file)
            line.add("historySize", mark.size)
        }
        if let documentType { line.add("documentType", documentType) }
        if let unsyncedBoot { line.add("unsyncedBoot", unsyncedBoot) }
        line.finish(into: &lines)
    }

    /// Nil where the members are not those of an intent, which nobody here can have written.
    init?(_ members: JournalMembers) {
        guard let id = members.move.flatMap({ RecordID($0) }), let source = JournalMembers.path(members.source),
            let destination = JournalMembers.path(members.destination), let name = JournalMembers.name(members.name),
            let device = members.device, let inode = members.inode, let links = members.links,
            let size = members.size, let modifiedSeconds = members.modifiedSeconds,
            let modifiedNanoseconds = members.modifiedNanoseconds
        else { return nil }
        self.id = id
        self.source = source
        self.destination = destination
        self.name = name
        identity = FileIdentity(
            file: FileKey(device: device, inode: inode, birth: members.birth), size: size,
            modified: Timestamp(seconds: modifiedSeconds, nanoseconds: modifiedNanoseconds))
        self.links = links
        filesystem = FilesystemMark(device: device, identifier: members.filesystem)
        mark = members.mark
        documentType = members.documentType
        unsyncedBoot = members.unsyncedBoot
    }
}
