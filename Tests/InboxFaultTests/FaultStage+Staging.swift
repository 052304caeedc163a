import InboxTestSupport

/// What is in staging folders.
extension FaultStage {
    /// A file in a staging folder.
    struct Staged: CustomStringConvertible {
        /// Where it is, beneath Documents, or beneath `Inbox`.
        let leaf: TestPath
        /// `source-ID`, `making-ID`, or the name of a file in the staging folder itself.
        let folder: TestPath
        /// Beneath that folder; empty for a file in the staging folder itself.
        let name: TestPath
        /// What was dropped as this claimed source, or as a part of it; nil for an unfinished copy and the lock.
        let drop: FaultRow.Drop?

        /// Without the identifiers, of which each run draws others.
        var description: String { "\(String(describing: folder).prefix(7)) \(name)" }
    }

    /// The journal.
    var journal: TestPath { stage.state / "journal" }

    /// All files in staging folders; a claimed source that is not what was dropped is a failure.
    func staged() throws -> [Staged] {
        try allLeaves().compactMap { leaf in
            guard leaf.bytes.last != UInt8(ascii: "/"), let index = leaf.staging else { return nil }
            let (folder, rest) = (leaf.components[index + 1], leaf.components.dropFirst(index + 2))
            let name = rest.reduce("", /)
            guard folder.bytes.starts(with: "source-".utf8) else {
                return Staged(leaf: leaf, folder: folder, name: name, drop: nil)
            }
            // No two documents have the same content, but some have the same name.
            let content = try content(of: leaf)
            guard let drop = row.drops.first(where: { $0.content == content }),
                drop.source.ends(with: Self.ownName(of: name))
            else {
                throw Failure("\(leaf) is not what was dropped")
            }
            return Staged(leaf: leaf, folder: folder, name: name, drop: drop)
        }
    }

    /// The name that a file of a package had before its removal set it aside.
    private static func ownName(of name: TestPath) -> TestPath {
        let mark = Array(".inboxd-removed-".utf8)
        guard let last = name.components.last, last.bytes.starts(with: mark) else { return name }
        let own = TestPath(last.bytes.dropFirst(mark.count))
        return (name.components.dropLast() + [own]).reduce("", /)
    }

    /// The staging folders that are there, empty ones too.
    func stagingFolders() throws -> Set<TestPath> {
        Set(try allLeaves().compactMap { leaf in leaf.staging.map { leaf.components[...$0].reduce("", /) } })
    }

    /// Whether the journal has claims that only the next boot can end: the disk has failed to keep the names of their
    /// copies.
    var waitsForBoot: Bool { !unsynced().isEmpty }

    /// Plays another start of the machine: the journal and the notes have the boot of another one.
    func startMachineAnew() throws {
        let member = "\"unsyncedBoot\":\""
        for file in try [journal] + notes() {
            try Disk.put(Array(Disk.text(file).replacing(member, with: member + "another-").withoutSums.utf8), at: file)
        }
    }

    /// The notes on claims in staging folders.
    func notes() throws -> [TestPath] {
        let leaves = try allLeaves().filter { $0.components.last?.bytes.starts(with: "claims-".utf8) == true }
        return leaves.filter { $0.staging != nil }.map(path)
    }

    /// An entry that the journal has open.
    struct OpenEntry {
        let id: String
        let isClaim: Bool
        /// Whether only the next boot can end it.
        let isUnsynced: Bool
        /// The names of its members, of which it has more once more is known.
        let members: Set<String>
    }

    /// The entries that the journal has open, by the last line of each.
    func openEntries() -> [OpenEntry] {
        var open: [String: OpenEntry] = [:]
        for line in Disk.text(journal).split(separator: "\n") {
            // A full disk tears a line that announces nothing then.
            guard let members = try? JSONValue.parse(String(line)) else { continue }
            for kind in ["move", "claim", "folder"] {
                guard let id = members[kind]?.string else { continue }
                open[id] = OpenEntry(
                    id: id, isClaim: kind == "claim", isUnsynced: members["unsyncedBoot"] != nil,
                    members: members.keys)
            }
            for id in members["ended"]?.array ?? [] { if let id = id.string { open[id] = nil } }
        }
        return Array(open.values)
    }

    /// The claims whose copies' names the disk has failed to keep.
    func unsynced() -> [String] { openEntries().filter { $0.isClaim && $0.isUnsynced }.map(\.id) }

    /// Nothing is in staging folders but the sources of these claims, and first names of their copies; each has a copy.
    func expectPublished(_ staged: [Staged], areWaiting waiting: some Collection<String>) throws {
        for file in staged where file.folder != "lock" && !file.folder.bytes.starts(with: "claims-".utf8) {
            let isFirstName = file.folder.bytes.starts(with: "making-".utf8)
            let id = isFirstName || file.drop != nil ? file.folder.bytes.dropFirst("source-".utf8.count) : []
            guard waiting.contains(String(decoding: id, as: UTF8.self)) else {
                throw Failure("\(file.leaf) is left; the journal has \(Disk.text(journal))")
            }
            let content = try content(of: file.leaf)
            let drop = isFirstName ? row.drops.first { $0.content == content } : file.drop
            guard let drop, try self.content(of: drop.destination) == drop.content else {
                throw Failure("\(file.leaf) waits, but has no copy")
            }
        }
    }
}

extension TestPath {
    /// The place among the components of the staging folder that it is in, or is, as a folder; nil where there is none.
    var staging: Int? {
        let folders = bytes.last == UInt8(ascii: "/") ? components : components.dropLast()
        return folders.firstIndex { $0.bytes.starts(with: ".inboxd-".utf8) }
    }
}
