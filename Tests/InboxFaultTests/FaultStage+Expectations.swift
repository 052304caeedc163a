import Glibc
import InboxTestSupport

extension FaultStage {
    /// Of a document that is claimed with the files that go with it, each is in the Inbox or staged until all of them have got
    /// their names; where they are not copied, those that go first have theirs before it.
    private func expectUnit(
        _ document: FaultRow.Document, _ files: [FaultRow.Drop], sources: [FaultRow.Drop], copies: [FaultRow.Drop],
        claimed: [FaultRow.Drop]
    ) throws {
        let isFiled = copies.contains { $0.source == document.source }
        let kept = Set((isFiled ? copies : sources + claimed + (row.isAcross ? [] : copies)).map(\.source))
        let missing = files.filter { !kept.contains($0.source) }
        guard missing.isEmpty else {
            throw Failure("of \(document.source) \(missing.map(\.source)) are lost, isFiled: \(isFiled)")
        }
    }

    /// What has to hold at every instant, a crash included: what was there before is untouched, each document is
    /// complete in the Inbox, in a staging folder or at its destination, and nothing else is there.
    ///
    /// A claimed document may be in a staging folder, and after it was published at its destination as well. Unless the
    /// run was killed, nothing is left in a staging folder but the source of a published copy that waits for the next
    /// boot, or, where the state folder cannot be written, for its record.
    func expectNothingLost(isKilled: Bool = true, isStateFull: Bool = false) throws {
        var expected = try untouched()
        let staged = try staged()
        for (document, files) in Dictionary(grouping: row.drops, by: \.document) {
            let sources = files.filter { Disk.exists(path(of: Self.inbox / $0.source)) }
            let copies = files.filter { Disk.exists(path(of: $0.destination)) && expected[$0.destination] == nil }
            let claimed = staged.filter { $0.drop?.document == document }
            // A package is there as a whole or not at all; only the source of one that was copied may be half gone.
            let isWhole = sources.count == files.count || copies.count == files.count || claimed.count == files.count
            // The files that belong to a document go before it, one by one.
            if files.contains(where: { $0.main != nil }), isKilled, sources.count + copies.count == files.count {
                let isFiled = copies.contains { $0.source == document.source }
                guard !isFiled || sources.isEmpty else {
                    throw Failure("\(document.source) is filed before \(sources)")
                }
                for drop in sources { expected[Self.inbox / drop.source] = drop.content }
                for drop in copies { expected[drop.destination] = drop.content }
                continue
            }
            if row.hasMembers, row.isClaimed, isKilled {
                try expectUnit(document, files, sources: sources, copies: copies, claimed: claimed.compactMap(\.drop))
                for drop in sources { expected[Self.inbox / drop.source] = drop.content }
                for drop in copies { expected[drop.destination] = drop.content }
                continue
            }
            guard isWhole, copies.isEmpty || copies.count == files.count else {
                throw Failure(
                    "\(document.source) is lost: of its \(files.count) files \(sources.count) are in the Inbox, "
                        + "\(claimed.count) are staged, and \(copies.count) are at their destination")
            }
            // As long as a source has its name in the Inbox, nobody has begun anything with it.
            guard try sources.isEmpty || (copies.isEmpty && (claimed.isEmpty || areSecondNames(claimed))) else {
                throw Failure("\(document.source) is there twice: \(sources + copies) and \(claimed)")
            }
            guard claimed.isEmpty || row.isClaimed else { throw Failure("\(document.source) is staged") }
            if !copies.isEmpty, row.isChecked { try expectChecked(document, files) }
            for drop in sources { expected[Self.inbox / drop.source] = drop.content }
            for drop in copies { expected[drop.destination] = drop.content }
        }
        if !isKilled {
            try expectPublished(
                staged, areWaiting: isStateFull ? openEntries().filter(\.isClaim).map(\.id) : unsynced())
        }
        try expectTree(expected)
    }

    /// A check has accepted a document before it got to its destination, as it is there.
    private func expectChecked(_ document: FaultRow.Document, _ files: [FaultRow.Drop]) throws {
        let size = files.reduce(0) { $0 + $1.content.count }
        let checked = stage.root / "home/checked"
        let line = "\(document.source.components.last ?? "") \(size)"
        let lines = Disk.exists(checked) ? Disk.text(checked).split(separator: "\n").map(String.init) : []
        guard lines.contains(line) else { throw Failure("\(document.source) is filed unchecked: \(lines)") }
    }

    /// Whether claimed sources have their names in the Inbox too, since they are on their way back where no rename spares
    /// what exists.
    private func areSecondNames(_ claimed: [Staged]) throws -> Bool {
        try row.standing?.contains("renameat2:*:") == true
            && claimed.allSatisfy { file in
                guard let drop = file.drop else { return false }
                return try Disk.inode(stage.inbox / drop.source) == Disk.inode(path(of: file.leaf))
            }
    }

    /// What has to hold when all is done: each document under its one name, one record for each, nothing under way, and
    /// no staging folder.
    ///
    /// - Parameter allowsUnsynced: whether sources may wait for the next boot, because the disk has failed to say that it
    ///   keeps the names of their copies.
    func expectAllFiled(allowsUnsynced: Bool = false) throws {
        if row.isChecked {
            for (document, files) in Dictionary(grouping: row.drops, by: \.document) {
                try expectChecked(document, files)
            }
        }
        var expected = try untouched()
        for drop in row.drops { expected[drop.destination] = drop.content }
        try expectTree(expected)
        if allowsUnsynced, waitsForBoot {
            try expectPublished(try staged(), areWaiting: unsynced())
        } else {
            let folders = try stagingFolders()
            guard folders.isEmpty else { throw Failure("\(folders) are left, with \(try staged())") }
        }
        try expectFolderModes()
        try expectRecords()
        // Moves that the disk failed to say it keeps stay until the machine has restarted.
        let open = openEntries().filter { !$0.isUnsynced || ($0.isClaim && !allowsUnsynced) }
        guard open.isEmpty, try Disk.read(journal).isEmpty || !openEntries().isEmpty else {
            throw Failure("\(journal) is not empty: \(Disk.text(journal))")
        }
        let strangers = try Disk.names(in: stage.state).map(\.description).filter { name in
            !["lock", "journal", "instance", "places", "history.jsonl"].contains(name)
                && !(name.hasPrefix("history-2") && name.hasSuffix(".jsonl"))
        }
        guard strangers.isEmpty else { throw Failure("the state folder holds \(strangers)") }
    }

    /// Each file that was dropped is whole in the Inbox, in a staging folder as a claimed source, or in Documents under
    /// whichever name.
    func expectEachSomewhere() throws {
        let leaves = try allLeaves().filter { leaf in
            let isUnfinished = leaf.components.contains { $0.bytes.starts(with: "making-".utf8) }
            return leaf.bytes.last != UInt8(ascii: "/") && !(leaf.staging != nil && isUnfinished)
        }
        let contents = Set(try leaves.map(content(of:)))
        for drop in row.drops where !contents.contains(drop.content) { throw Failure("\(drop.source) is lost") }
    }

    /// Each file that was dropped is in Documents once, under whichever name, and what was there before is untouched.
    func expectEachOnce() throws {
        var found: [[UInt8]: Int] = [:]
        for leaf in try allLeaves() {
            guard leaf.bytes.last != UInt8(ascii: "/") else {
                if leaf.staging != nil || leaf.components.first != Self.inbox { throw Failure("\(leaf) is left") }
                continue
            }
            guard leaf.components.first != Self.inbox else { throw Failure("\(leaf) is not filed") }
            found[try content(of: leaf), default: 0] += 1
        }
        for path in row.taken where found.removeValue(forKey: path.bytes) != 1 {
            throw Failure("\(path), which was there before, is not what it was")
        }
        for drop in row.drops {
            let count = found.removeValue(forKey: drop.content) ?? 0
            guard count == 1 else { throw Failure("\(drop.source) is there \(count) times") }
        }
        guard found.isEmpty else { throw Failure("\(found.count) files are there that nobody dropped") }
    }

    /// Where the Inbox is among what is expected, wherever it really is.
    static let inbox: TestPath = "Inbox"

    func path(of leaf: TestPath) -> TestPath {
        guard leaf.components.first == Self.inbox else { return stage.documents / leaf }
        return leaf.components.dropFirst().reduce(stage.inbox, /)
    }

    /// Everything in Documents and the Inbox but folders and what is in staging folders.
    private func leaves() throws -> [TestPath] {
        try allLeaves().filter { $0.staging == nil && $0.bytes.last != UInt8(ascii: "/") }
    }

    /// All files in Documents and the Inbox, with empty folders, which end with a slash.
    func allLeaves() throws -> [TestPath] {
        let documents = try Disk.leaves(of: stage.documents, except: [stage.inbox])
        return documents + (try Disk.leaves(of: stage.inbox).map { Self.inbox / $0 })
    }

    func content(of leaf: TestPath) throws -> [UInt8] {
        let path = path(of: leaf)
        return try Disk.kind(path) == .link ? Disk.linkTarget(path).bytes : Disk.read(path)
    }

    private func untouched() throws -> [TestPath: [UInt8]] {
        Dictionary(uniqueKeysWithValues: row.taken.map { ($0, $0.bytes) })
    }

    private func expectTree(_ expected: [TestPath: [UInt8]]) throws {
        var rest = expected
        for leaf in try leaves() {
            guard let wanted = rest.removeValue(forKey: leaf) else { throw Failure("\(leaf) is there as well") }
            guard try content(of: leaf) == wanted else { throw Failure("\(leaf) is not what it was") }
        }
        guard rest.isEmpty else { throw Failure("\(rest.keys) are missing") }
    }

    /// Made folders look like the folder that they were made in, a crash in between or not. Those in a package are its
    /// own, and what cannot be kept of them is reported.
    private func expectFolderModes() throws {
        for document in row.documents {
            var folder = (stage.documents / document.destination).parent
            while folder != stage.documents {
                guard try Disk.mode(folder) == Disk.mode(stage.documents) else {
                    throw Failure("\(folder) has the mode \(String(try Disk.mode(folder), radix: 8))")
                }
                folder = folder.parent
            }
        }
    }

    private func expectRecords() throws {
        let filed = try stage.filedRecords()
        let documents = Dictionary(grouping: row.drops) { $0.document.source }
        for (source, files) in documents {
            let own = filed.filter { $0["source"]?.string.map(pathBytes(fromJSON:)) == (stage.inbox / source).bytes }
            guard own.count == 1, let record = own.first else {
                throw Failure("\(own.count) records of \(source): \(own)")
            }
            let destination = files.first.map { (stage.documents / $0.document.destination).bytes }
            guard record["destination"]?.string.map(pathBytes(fromJSON:)) == destination,
                record["size"]?.integer == files.reduce(0, { $0 + ($1.main == nil ? $1.content.count : 0) }),
                row.recorded.allSatisfy({ record[$0.key]?.string == $0.value })
            else { throw Failure("a wrong record of \(source): \(record)") }
            let members = record["members"]?.array?.compactMap(\.string) ?? []
            let wanted = files.filter { $0.main != nil }.map { "\($0.destination)" }
            guard members.sorted() == wanted.sorted() else {
                throw Failure("a record of \(source) with other members: \(record)")
            }
        }
        guard filed.count == documents.count else { throw Failure("\(filed.count) records: \(filed)") }
        let others = try stage.history().count - filed.count
        guard others == row.history.count else {
            throw Failure("\(others) older records instead of \(row.history.count)")
        }
    }
}
