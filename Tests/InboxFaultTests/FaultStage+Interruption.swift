import InboxTestSupport

/// What kind of state a kill has left: names, identifiers and numbers make no difference.
extension FaultStage {
    /// The kind of a state in which the journal has something; nil where it is empty.
    func interruption() throws -> Set<String>? {
        guard !Disk.text(journal).isEmpty else { return nil }
        let entries = openEntries().map { "an entry with \($0.members.sorted())" }
        let records = try stage.history().map { "a record: \($0["event"]?.string ?? "")" }
        return try whereabouts().union(entries + records)
    }

    /// Where documents are, and what is in staging folders.
    func whereabouts() throws -> Set<String> {
        let staged = try staged()
        var found = Set(
            staged.map { file in
                let kind = String(describing: file.folder).prefix { $0 != "-" }
                return "\(kind) \(file.leaf.components.first == Self.inbox ? "at the Inbox" : "in Documents")"
            })
        for (document, files) in Dictionary(grouping: row.drops, by: \.document) {
            let inInbox = files.count { Disk.exists(path(of: Self.inbox / $0.source)) }
            let claimed = staged.count { $0.drop?.document == document }
            let copied = files.count { Disk.exists(path(of: $0.destination)) }
            let counts = [inInbox, claimed, copied].map { $0 == 0 ? "none" : $0 < files.count ? "some" : "all" }
            let hasName = Disk.exists(path(of: document.destination))
            found.insert("a document: in the Inbox, claimed, copied: \(counts), its name given: \(hasName)")
        }
        return found
    }
}
