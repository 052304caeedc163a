import InboxLinux

/// A document that is on its way, as the journal has it: enough to find out after a crash what became of it, and to make the
/// record that is missing then. The last line of an id counts.
package struct JournalEntry: Hashable, Sendable, WrittenLine {
    /// The part that never changes after the entry was begun.
    private struct Facts: Hashable, Sendable {
        let source: BytePath
        let identity: FileIdentity
        let links: UInt32
        let destination: BytePath
        let filesystem: FilesystemMark
        let wanted: FileName
        let mark: HistoryMark?
        let documentType: String?
        let rejection: String?
        let facts: [String: String]
        let claim: ClaimPlaces?
        let members: [UnitMember]
        let marker: UnitMember?
    }

    /// The run, the journal and the report have one set of these facts in common.
    private final class Shared: Hashable, Sendable {
        let facts: Facts

        init(_ facts: Facts) {
            self.facts = facts
        }

        static func == (left: Shared, right: Shared) -> Bool { left === right || left.facts == right.facts }

        func hash(into hasher: inout Hasher) { facts.hash(into: &hasher) }
    }

    /// The id of the record, of the staging folders and of this entry.
    package let id: RecordID
    private let shared: Shared
    /// The name under which a copy is made, where its filesystem can give it none afterwards.
    package var directName: FileName?
    /// The file of that name, as it was created; nil before that, when somebody else's may be there.
    @Boxed package var directMade: FileIdentity?
    /// The source is to be removed for an identical file, which ``copied`` has: without a record it is put back.
    package var isDiscard = false
    /// The document that is put back, by the id of its record; nil for one that is filed.
    package var undoes: RecordID?
    /// The finished copy; nil before that, and for a rename.
    @Boxed package var copied: Copied?
    /// The document that a claimed file goes with, by the id of its entry, which alone is recorded; nil for a document.
    package var main: RecordID?
    /// The number of the arrival that it is in this run, where a marker has released it; never written down.
    package let arrival: UInt64?
    /// The boot in which the name at the destination could not be brought to the disk; nil where it could.
    package var unsyncedBoot: String?
    /// A handler is to be due once the document is recorded; false where it is, or was.
    package internal(set) var isHandled = false

    /// The document's path in the Inbox.
    package var source: BytePath { shared.facts.source }

    /// The source as it was before anything happened to it.
    package var identity: FileIdentity { shared.facts.identity }

    /// The number of names that a file to be renamed had: one more is the one that an interrupted move without rename has
    /// made.
    package var links: UInt32 { shared.facts.links }

    /// The destination folder.
    package var destination: BytePath { shared.facts.destination }

    /// The filesystem of the destination.
    package var filesystem: FilesystemMark { shared.facts.filesystem }

    /// The name that the document keeps if it is free.
    package var wanted: FileName { shared.facts.wanted }

    /// The end of the history when the entry was begun: the record follows it. Nil where that is not known.
    package var mark: HistoryMark? { shared.facts.mark }

    /// The name of the document type; nil where none accepted it.
    package var documentType: String? { shared.facts.documentType }

    /// The reason why a check has rejected the document, which goes to the folder for such; nil for one that is filed.
    package var rejection: String? { shared.facts.rejection }

    /// The facts that checks reported about the document, by key.
    package var facts: [String: String] { shared.facts.facts }

    /// The claim of a document that is more than renamed; nil for a rename.
    package var claim: ClaimPlaces? { shared.facts.claim }

    /// The files that go with the document: to its destination, or back.
    package var members: [UnitMember] { shared.facts.members }

    /// The marker that has released the document, which is removed once that is recorded.
    package var marker: UnitMember? { shared.facts.marker }

    /// The places of a claimed source: where it lies, and where it returns to.
    package struct ClaimPlaces: Hashable, Sendable {
        /// The Inbox.
        package let inbox: BytePath
        /// The folder whose staging folder has the source.
        package let staging: BytePath
        /// The filesystem of that folder.
        package let filesystem: FilesystemMark
        /// The folder whose staging folder has the unfinished copy, where it needs one.
        package let making: BytePath
        /// The name of the staging folder; nil in entries of versions that did not write that down.
        package let name: FileName?

        /// A claim in the staging folder of this name.
        package init(
            from inbox: BytePath, into staging: BytePath, on filesystem: FilesystemMark, named name: FileName?,
            making: BytePath
        ) {
            self.inbox = inbox
            self.staging = staging
            self.filesystem = filesystem
            self.name = name
            self.making = making
        }
    }

    /// The finished copy of a claimed source, and that source after the claim.
    package struct Copied: Hashable, Sendable {
        /// The finished copy; the source itself where that is moved under its name.
        package let copy: FileIdentity
        /// The claimed source.
        package let source: FileIdentity
        /// The claimed source's change time.
        package let sourceChanged: Timestamp
        /// The copied entries of a package; nil in entries without them: if they exceed the length of a line, and in
        /// those of versions that did not write them down.
        package var entries: CopiedEntries?

        /// Returns what the published copy is, as it is inspected: of a package the size and the times of all that is in it.
        package func published(_ kind: FileStatus.Kind) -> FileIdentity {
            guard kind == .directory else { return copy }
            return FileIdentity(file: copy.file, size: source.size, modified: source.modified)
        }
    }

    /// The move of a document from `source` into the folder `destination`, under `name` or the next free one.
    /// - Parameter claim: the claim that comes first; nil where one rename is enough.
    package init(
        id: RecordID, source: BytePath, status: FileStatus, destination: BytePath, name: FileName,
        filesystem: FilesystemMark? = nil, since mark: HistoryMark? = nil, documentType: String? = nil,
        claim: ClaimPlaces? = nil, members: [UnitMember] = [], marker: UnitMember? = nil, arrival: UInt64? = nil,
        rejection: String? = nil, facts: [String: String] = [:]
    ) {
        self.id = id
        self.arrival = arrival
        shared = Shared(
            Facts(
                source: source, identity: status.identity, links: status.links, destination: destination,
                filesystem: filesystem ?? FilesystemMark(device: status.identity.file.device, identifier: nil),
                wanted: name, mark: mark, documentType: documentType, rejection: rejection, facts: facts, claim: claim,
                members: members, marker: marker))
    }

    /// When it was begun at the earliest: to the second, since files may have no finer times.
    package var begun: Timestamp { Timestamp(seconds: id.seconds, nanoseconds: 0) }

    /// The id of the record that shows that it has reached its place.
    package var recordID: RecordID { main ?? id }

    /// It is a claimed file that goes to its place with a document; one that is discarded with a document goes nowhere.
    package var isMember: Bool { main != nil && !isDiscard }

    /// Only the next boot shows what the disk has kept of the name at the destination.
    package var isUnsynced: Bool { unsyncedBoot == Boot.current }
}

extension JournalEntry {
    /// Appends the line of the journal to others.
    package func append(to lines: inout ByteWriter) {
        var line = JSONLine(after: &lines)
        line.add(claim == nil ? "move" : "claim", id)
        line.add("source", source)
        line.add("destination", destination)
        line.add("name", wanted)
        if let claim { add(claim, to: &line) } else { addFile(to: &line) }
        if let undoes { line.add("undoes", undoes) }
        if let main { line.add("main", main) }
        if let identifier = filesystem.identifier { line.add("filesystem", identifier) }
        if let mark {
            line.add("historyFile", mark.file)
            line.add("historySize", mark.size)
        }
        if let documentType { line.add("documentType", documentType) }
        if let rejection { line.add("rejection", rejection) }
        if !facts.isEmpty { line.add("facts", facts) }
        if !members.isEmpty { line.add("members", members.map(Self.text)) }
        if let marker { line.add("marker", Self.text(of: marker)) }
        if let unsyncedBoot { line.add("unsyncedBoot", unsyncedBoot) }
        if isHandled { line.add("handler", true) }
        line.addSum()
        line.finish(into: &lines)
    }

    private func addFile(to line: inout JSONLine) {
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
    }

    private func add(_ claim: ClaimPlaces, to line: inout JSONLine) {
        line.add("inbox", claim.inbox)
        line.add("identity", identity)
        line.add("device", filesystem.device)
        line.add("staging", claim.staging)
        line.add("stagingDevice", claim.filesystem.device)
        line.add("stagingFilesystem", claim.filesystem.identifier)
        if let name = claim.name { line.add("stagingName", name) }
        line.add("making", claim.making)
        if let directName { line.add("directName", directName) }
        if let directMade { line.add("made", directMade) }
        if isDiscard { line.add("discards", true) }
        if let copied {
            line.add("copy", copied.copy)
            line.add("claimed", copied.source)
            line.add("claimedChanged", copied.sourceChanged.numbers)
            if let entries = copied.entries, !entries.isTooLarge { line.add("entries", entries.text) }
        }
    }

    private static func text(of member: UnitMember) -> String {
        ([member.name.escapedText] + member.identity.numbers).joined(separator: "/")
    }

    /// Returns what a text stands for: a name, which has no slash, and the marks of the file.
    private static func member(_ text: String) -> UnitMember? {
        let parts = text.split(separator: "/").map(String.init)
        guard let name = JournalMembers.name(parts.first),
            let identity = FileIdentity(numbers: Array(parts.dropFirst()))
        else { return nil }
        return UnitMember(name: name, identity: identity)
    }

    /// Nil where the members are not those of a document, which nobody here can have written.
    init?(_ members: JournalMembers) {
        guard let id = (members.move ?? members.claim).flatMap({ RecordID($0) }),
            let source = JournalMembers.path(members.source),
            let destination = JournalMembers.path(members.destination),
            let wanted = JournalMembers.name(members.name), let device = members.device,
            let identity = members.move == nil ? members.identity.flatMap({ FileIdentity(numbers: $0) }) : members.file
        else { return nil }
        let claim = members.move == nil ? ClaimPlaces(members) : nil
        guard members.move != nil || claim != nil else { return nil }
        self.id = id
        arrival = nil
        shared = Shared(
            Facts(
                source: source, identity: identity, links: members.links ?? 1, destination: destination,
                filesystem: FilesystemMark(device: device, identifier: members.filesystem), wanted: wanted,
                mark: members.mark, documentType: members.documentType, rejection: members.rejection,
                facts: members.facts ?? [:], claim: claim,
                members: (members.members ?? []).compactMap(Self.member), marker: members.marker.flatMap(Self.member)))
        unsyncedBoot = members.unsyncedBoot
        undoes = members.undoes.flatMap { RecordID($0) }
        main = members.main.flatMap { RecordID($0) }
        isHandled = members.handler == true
        guard claim != nil else { return }
        directName = JournalMembers.name(members.directName)
        directMade = members.made.flatMap { FileIdentity(numbers: $0) }
        isDiscard = members.discards == true
        copied = Copied(members)
    }
}

extension JournalEntry.ClaimPlaces {
    fileprivate init?(_ members: JournalMembers) {
        guard let inbox = JournalMembers.path(members.inbox), let staging = JournalMembers.path(members.staging),
            let device = members.stagingDevice, let making = JournalMembers.path(members.making)
        else { return nil }
        self.init(
            from: inbox, into: staging, on: FilesystemMark(device: device, identifier: members.stagingFilesystem),
            named: JournalMembers.name(members.stagingName), making: making)
    }
}

extension JournalEntry.Copied {
    fileprivate init?(_ members: JournalMembers) {
        guard let copy = members.copy.flatMap({ FileIdentity(numbers: $0) }),
            let claimed = members.claimed.flatMap({ FileIdentity(numbers: $0) }),
            let changed = members.claimedChanged.flatMap({ Timestamp(numbers: $0) })
        else { return nil }
        self.init(
            copy: copy, source: claimed, sourceChanged: changed,
            entries: members.entries.flatMap { CopiedEntries(text: $0) })
    }
}

extension JournalMembers {
    /// The marks of a file that is renamed.
    fileprivate var file: FileIdentity? {
        guard let device, let inode, let size, let modifiedSeconds, let modifiedNanoseconds else { return nil }
        return FileIdentity(
            file: FileKey(device: device, inode: inode, birth: birth), size: size,
            modified: Timestamp(seconds: modifiedSeconds, nanoseconds: modifiedNanoseconds))
    }
}
