import InboxLinux

/// A document that is claimed for a copy, as the journal has it: two lines, the second once the copy is complete.
package struct ClaimEntry: Sendable {
    /// What the second line adds: which file the copy is, and what the source was after the claim.
    package struct Copied: Hashable, Sendable {
        /// The finished copy; the source itself where that is moved under its name.
        package let copy: FileIdentity
        /// The claimed source.
        package let source: FileIdentity
        /// The claimed source's change time.
        package let sourceChanged: Timestamp
        /// The boot in which the name of the copy could not be brought to the disk; nil where it could.
        package var unsyncedBoot: String?
        /// What was copied of a package; nil in entries that do not say it: where that is more than a line has, and in those
        /// of versions that did not write it down.
        package var entries: CopiedEntries?

        /// What the published copy is, as it is inspected: of a package the size and the times of all that is in it.
        package func published(_ kind: FileStatus.Kind) -> FileIdentity {
            guard kind == .directory else { return copy }
            return FileIdentity(file: copy.file, size: source.size, modified: source.modified)
        }
    }

    /// The id of the record, of the staging folders and of this entry.
    package let id: RecordID
    /// The document's path in the Inbox.
    package let source: BytePath
    /// The Inbox.
    package let inbox: BytePath
    /// The source as it was before the claim.
    package let identity: FileIdentity
    /// The folder whose staging folder has the source.
    package let staging: BytePath
    /// The filesystem of that folder.
    package let stagingFilesystem: FilesystemMark
    /// The destination folder.
    package let destination: BytePath
    /// The folder whose staging folder has the unfinished copy, where it needs one.
    package let making: BytePath
    /// The filesystem of the destination.
    package let filesystem: FilesystemMark
    /// The name that the document keeps if it is free.
    package let wanted: FileName
    /// Where the history ended when the entry was begun: the record follows it.
    package let mark: HistoryMark
    /// The name of the document type; nil where none accepted it.
    package let documentType: String?
    /// The name under which the copy is made, where its filesystem can give it none afterwards.
    package var directName: FileName?
    /// The file of that name, as it was created; nil before that, when somebody else's may be there.
    package var directMade: FileIdentity?
    /// Whether the source is to be removed for an identical file, which ``copied`` has: without a record it is put back.
    package var isDiscard = false
    /// The document that is put back, by the id of its record; nil for one that is filed.
    package var undoes: RecordID?
    /// The name of the staging folder; nil in entries of versions that did not write that down.
    package var stagingName: FileName?
    /// What the second line adds; nil before that.
    package var copied: Copied?

    /// Whether only the next boot shows what the disk has kept of the name of the copy.
    package var isUnsynced: Bool { copied?.unsyncedBoot == Boot.current }
}

extension ClaimEntry {
    /// The line of the journal; each line has all that is known, so that the last one of an id counts.
    var line: [UInt8] {
        var line = JSONLine()
        line.add("claim", id)
        line.add("source", source)
        line.add("inbox", inbox)
        line.add("identity", identity)
        line.add("staging", staging)
        line.add("stagingDevice", stagingFilesystem.device)
        line.add("stagingFilesystem", stagingFilesystem.identifier)
        line.add("destination", destination)
        line.add("making", making)
        line.add("device", filesystem.device)
        line.add("filesystem", filesystem.identifier)
        line.add("name", wanted)
        line.add("historyFile", mark.file)
        line.add("historySize", mark.size)
        if let documentType { line.add("documentType", documentType) }
        if let directName { line.add("directName", directName) }
        if let directMade { line.add("made", directMade) }
        if isDiscard { line.add("discards", true) }
        if let undoes { line.add("undoes", undoes) }
        if let stagingName { line.add("stagingName", stagingName) }
        if let copied {
            line.add("copy", copied.copy)
            line.add("claimed", copied.source)
            line.add("claimedChanged", copied.sourceChanged.numbers)
            if let boot = copied.unsyncedBoot { line.add("unsyncedBoot", boot) }
            if let entries = copied.entries, !entries.isTooLarge { line.add("entries", entries.text) }
        }
        return line.finished()
    }

    /// Nil where the members are not those of an entry, which nobody here can have written.
    init?(_ members: JournalMembers) {
        guard let id = members.claim.flatMap({ RecordID($0) }), let source = JournalMembers.path(members.source),
            let inbox = JournalMembers.path(members.inbox), let staging = JournalMembers.path(members.staging),
            let destination = JournalMembers.path(members.destination),
            let making = JournalMembers.path(members.making),
            let stagingDevice = members.stagingDevice,
            let device = members.device, let wanted = JournalMembers.name(members.name),
            let identity = members.identity.flatMap({ FileIdentity(numbers: $0) })
        else { return nil }
        self.init(
            id: id, source: source, inbox: inbox, identity: identity, staging: staging,
            stagingFilesystem: FilesystemMark(device: stagingDevice, identifier: members.stagingFilesystem),
            destination: destination, making: making,
            filesystem: FilesystemMark(device: device, identifier: members.filesystem),
            wanted: wanted, mark: members.mark ?? HistoryMark(file: 0, size: 0),
            documentType: members.documentType, directName: JournalMembers.name(members.directName),
            undoes: members.undoes.flatMap { RecordID($0) })
        directMade = members.made.flatMap { FileIdentity(numbers: $0) }
        isDiscard = members.discards == true
        stagingName = JournalMembers.name(members.stagingName)
        if let copy = members.copy.flatMap({ FileIdentity(numbers: $0) }),
            let claimed = members.claimed.flatMap({ FileIdentity(numbers: $0) }),
            let changed = members.claimedChanged.flatMap({ Timestamp(numbers: $0) })
        {
            copied = Copied(
                copy: copy, source: claimed, sourceChanged: changed, unsyncedBoot: members.unsyncedBoot,
                entries: members.entries.flatMap { CopiedEntries(text: $0) })
        }
    }
}
