import InboxLinux

/// The entries of a journal that have not ended.
package struct JournalEntries: Sendable {
    /// Documents that are moved by one rename.
    package var moves: [RecordID: Intent] = [:]
    /// Documents that are claimed for a copy.
    package var claims: [RecordID: ClaimEntry] = [:]
    /// Folders that are being created.
    package var folders: [RecordID: FolderEntry] = [:]

    /// None.
    package init() {}

    /// Whether there is none.
    package var isEmpty: Bool { moves.isEmpty && claims.isEmpty && folders.isEmpty }

    /// The lines of all entries, in no order.
    var lines: [UInt8] {
        Array(moves.values.map(\.line).joined()) + Array(claims.values.map(\.line).joined())
            + Array(folders.values.map(\.line).joined())
    }

    /// An entry of whichever kind.
    enum Entry {
        case move(Intent)
        case claim(ClaimEntry)
        case folder(FolderEntry)
    }

    /// Removes an entry of whichever kind; nil where there is none.
    @discardableResult
    mutating func remove(_ id: RecordID) -> Entry? {
        if let intent = moves.removeValue(forKey: id) { return .move(intent) }
        if let claim = claims.removeValue(forKey: id) { return .claim(claim) }
        return folders.removeValue(forKey: id).map { .folder($0) }
    }

    /// Takes an entry in.
    mutating func insert(_ entry: Entry) {
        switch entry {
        case .move(let intent): moves[intent.id] = intent
        case .claim(let claim): claims[claim.id] = claim
        case .folder(let folder): folders[folder.id] = folder
        }
    }

    /// The entries that the lines of a journal leave open.
    init(lines bytes: [UInt8]) {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let members = JournalMembers(line: line) else { continue }
            for id in members.ended ?? [] { if let id = RecordID(id) { remove(id) } }
            if let intent = Intent(members) { moves[intent.id] = intent }
            if let claim = ClaimEntry(members) { claims[claim.id] = claim }
            if let folder = FolderEntry(members) { folders[folder.id] = folder }
        }
    }
}
