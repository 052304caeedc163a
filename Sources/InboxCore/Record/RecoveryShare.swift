import InboxFiling
import InboxLinux

/// The scope of one recovery: entries of the journal, or roots, that concern the same servers. A server that does not
/// answer delays only the recovery of what concerns it.
struct RecoveryShare: Sendable {
    /// Where the servers are mounted; none where everything is on disks of this machine.
    let servers: Set<BytePath>
    /// The entries that are to be ended.
    private(set) var entries = JournalEntries()
    /// The roots whose staging folders are swept.
    private(set) var roots: [BytePath] = []
    /// Whose documents are compared with their copies, however long that takes; nil where that is left to another
    /// recovery.
    private(set) var comparing: Set<UInt32>?
    /// The documents of which only a comparison shows whether they have reached their destinations.
    private(set) var unsearched: [BytePath] = []

    /// Nothing yet that has to do with these servers.
    private init(servers: Set<BytePath>) { self.servers = servers }

    /// All of these entries, and all of these roots with those in which the entries may have staging folders.
    /// - Parameters:
    ///   - swept: the roots that another recovery sweeps.
    ///   - foreign: where servers are mounted.
    /// - Returns: a share for each combination of servers, that of no server first. The roots come after all entries: a
    ///   staging folder can go once no claim in it is open.
    static func divide(
        _ entries: JournalEntries, sweeping roots: [BytePath], besides swept: Set<BytePath> = [],
        among foreign: FolderSet = []
    ) -> [RecoveryShare] {
        var ending: [Set<BytePath>: RecoveryShare] = [:]
        var sweeping = ending
        func add(
            to shares: inout [Set<BytePath>: RecoveryShare], at places: [BytePath],
            _ change: (inout RecoveryShare) -> Void
        ) {
            let servers = Set(places.compactMap(foreign.innermost(around:)))
            change(&shares[servers, default: RecoveryShare(servers: servers)])
        }
        for entry in entries.documents.values {
            add(to: &ending, at: entry.places) { $0.entries.documents[entry.id] = entry }
        }
        let others = Set(entries.documents.values.compactMap(\.claim).flatMap { [$0.staging, $0.making] })
            .subtracting(roots)
        for root in roots + others where !swept.contains(root) {
            add(to: &sweeping, at: [root]) { $0.roots.append(root) }
        }
        return [ending, sweeping].flatMap { $0.values.sorted { $0.servers.count < $1.servers.count } }
    }

    /// A share of one claim, or of one root in which a claim is, for which content is compared.
    /// - Parameter isUnsearched: whether nobody knows before whether there is a copy.
    func comparison(
        of claim: JournalEntry, at root: BytePath?, by owner: UInt32, isUnsearched: Bool
    ) -> RecoveryShare {
        var share = RecoveryShare(servers: servers)
        share.comparing = [owner]
        if let root { share.roots = [root] } else { share.entries.documents[claim.id] = claim }
        if isUnsearched { share.unsearched = [claim.source] }
        return share
    }

    /// Takes in another share where both are about the same root: whether that is so.
    mutating func merge(_ other: RecoveryShare) -> Bool {
        guard !roots.isEmpty, roots == other.roots else { return false }
        comparing?.formUnion(other.comparing ?? [])
        unsearched += other.unsearched
        return true
    }

    /// Returns whether an interrupted move or claim of a file is inspected. A power cut may leave a claimed file its
    /// old name too, and the copy of one that was put back is in an Inbox.
    func has(_ file: FileKey) -> Bool {
        entries.documents.values.contains { entry in
            entry.identity.file.isFile(file)
                || (entry.undoes != nil && entry.copied?.copy.file.isFile(file) == true)
                || entry.members.contains { $0.identity.file.isFile(file) }
        }
    }
}

extension JournalEntries {
    /// Where it is inspected what became of them.
    var places: Set<BytePath> { Set(documents.values.flatMap(\.places)) }

    /// Those that are in none of these shares.
    func subtracting(_ shares: some Sequence<RecoveryShare>) -> JournalEntries {
        var rest = self
        for share in shares {
            for id in share.entries.documents.keys { rest.documents[id] = nil }
        }
        return rest
    }
}

extension JournalEntry {
    /// The places where it is inspected what became of it, and those that its source may return to.
    var places: [BytePath] { sourcePlaces + targetPlaces }

    /// The places where its source is, was, and may return to.
    var sourcePlaces: [BytePath] { [source] + (claim.map { [$0.inbox, $0.staging] } ?? []) }

    /// The places where the document or its copy is looked for, or was made.
    var targetPlaces: [BytePath] { [destination] + (claim.map { [$0.making] } ?? []) }
}
