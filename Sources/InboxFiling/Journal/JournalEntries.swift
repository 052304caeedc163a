import InboxLinux

/// The entries of a journal that have not ended.
package struct JournalEntries: Sendable {
    /// Documents that are on their way.
    package var documents: [RecordID: JournalEntry] = [:]
    /// Folders that are being created.
    package var folders: [RecordID: FolderEntry] = [:]

    /// None.
    package init() {}

    /// There are no entries.
    package var isEmpty: Bool { documents.isEmpty && folders.isEmpty }

    /// The documents that are moved by one rename.
    package var moves: [RecordID: JournalEntry] { documents.filter { $0.value.claim == nil } }

    /// The documents that are claimed.
    package var claims: [RecordID: JournalEntry] { documents.filter { $0.value.claim != nil } }

    /// The lines of all entries, in no order.
    var lines: [UInt8] {
        Array(documents.values.map(\.line).joined()) + Array(folders.values.map(\.line).joined())
    }

    /// An entry of whichever kind.
    enum Entry {
        case document(JournalEntry)
        case folder(FolderEntry)
    }

    /// Removes an entry of whichever kind; nil where there is none.
    @discardableResult
    mutating func remove(_ id: RecordID) -> Entry? {
        if let document = documents.removeValue(forKey: id) { return .document(document) }
        return folders.removeValue(forKey: id).map { .folder($0) }
    }

    /// Takes an entry in.
    mutating func insert(_ entry: Entry) {
        switch entry {
        case .document(let document): documents[document.id] = document
        case .folder(let folder): folders[folder.id] = folder
        }
    }

    /// The entries that the lines of a journal leave open.
    /// - Parameters:
    ///   - due: gets the handlers that they leave due.
    ///   - damaged: gets the sources that lines name which are not what was written; nil for one that names none.
    init(lines bytes: [UInt8], due: inout DueHandlers, damaged: inout [BytePath?]) {
        var (isSummed, isUncertain) = (false, false)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let members = JournalMembers(line: line)
            let holds = LineSum.holds(line)
            isSummed = isSummed || holds == true
            // Lines of an earlier version, without sums, are the first ones.
            guard let members, holds ?? !isSummed else {
                isUncertain = true
                // One that is torn announces what was never begun.
                if line.last == UInt8(ascii: "}") { damaged.append(JournalMembers.path(members?.source)) }
                continue
            }
            for id in members.ended ?? [] { if let id = RecordID(id) { remove(id) } }
            if let document = JournalEntry(members) { documents[document.id] = document }
            if let folder = FolderEntry(members) { folders[folder.id] = folder }
            for id in due.take(members) { documents[id]?.isHandled = false }
        }
        // What cannot be read may have said that there is a copy. The notes beside the sources say that too, and recovery
        // believes them of what the journal does not have.
        if isUncertain { documents = documents.filter { $0.value.claim == nil || $0.value.copied != nil } }
    }
}
