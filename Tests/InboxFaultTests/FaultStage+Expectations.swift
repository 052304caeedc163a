import Glibc
import InboxTestSupport

extension FaultStage {
    /// What has to hold at every instant, a crash included: what stood there is untouched, each document stands
    /// complete in one of its two places, and nothing else is there.
    ///
    /// Across filesystems a document may stand in both for an instant, and what has a hidden name is nothing yet, or no
    /// longer anything; neither outlives a run that ended by itself.
    func expectNothingLost(isKilled: Bool = true) throws {
        var expected = try untouched()
        let allowsBoth = row.isAcross && isKilled
        for (document, files) in Dictionary(grouping: row.drops, by: \.document) {
            let sources = files.filter { Disk.exists(path(of: Self.inbox / $0.source)) }
            let copies = files.filter { Disk.exists(path(of: $0.destination)) && expected[$0.destination] == nil }
            // A package is there as a whole or not at all; only what was copied may be half gone.
            guard copies.count == files.count || (copies.isEmpty && sources.count == files.count) else {
                throw Failure("\(document.source) is lost: \(sources.count) and \(copies.count) files of it are there")
            }
            for drop in sources { expected[Self.inbox / drop.source] = drop.content }
            for drop in copies { expected[drop.destination] = drop.content }
            if !allowsBoth, !sources.isEmpty, let drop = copies.first, try !isOneFile(drop) {
                throw Failure("\(document.source) stands there twice")
            }
        }
        try expectTree(expected, allowingHidden: allowsBoth)
    }

    /// Whether both names are those of one file: linked, and not yet removed.
    private func isOneFile(_ drop: FaultRow.Drop) throws -> Bool {
        try !row.isAcross
            && Disk.inode(path(of: Self.inbox / drop.source)) == Disk.inode(path(of: drop.destination))
    }

    /// What has to hold when all is done: each document under its one name, one record for each, nothing under way.
    func expectAllFiled() throws {
        var expected = try untouched()
        for drop in row.drops { expected[drop.destination] = drop.content }
        try expectTree(expected)
        try expectFolderModes()
        try expectRecords()
        for journal in [stage.state / "journal", stage.state / "journal-copies"] {
            let text = Disk.text(journal)
            guard try Disk.read(journal).isEmpty else { throw Failure("\(journal) is not empty: \(text)") }
        }
        let strangers = try Disk.names(in: stage.state).map(\.description).filter { name in
            !["lock", "journal", "journal-copies", "history.jsonl"].contains(name)
                && !(name.hasPrefix("history-2") && name.hasSuffix(".jsonl")) && !isAboutBoot(name)
        }
        guard strangers.isEmpty else { throw Failure("the state folder holds \(strangers)") }
    }

    /// Whether the file tells of nothing but moves that the disk failed to say it keeps: they stay until the machine
    /// starts anew.
    private func isAboutBoot(_ name: String) -> Bool {
        guard name == "journal-unresolved" else { return false }
        let lines = Disk.text(stage.state / "journal-unresolved").split(separator: "\n")
        return lines.allSatisfy { $0.contains("\"boot\"") }
    }

    /// What a kill left behind, told so that equal states are told equally; nil where no journal tells of anything.
    func interruption() throws -> [String]? {
        let journals = ["journal", "journal-copies"].map { Disk.text(stage.state / BytePath($0)) }
        if journals.allSatisfy(\.isEmpty) { return nil }
        let names = try leaves().map { $0.isHiddenCopy ? "hidden" : "\($0)" }
        return names + journals.map { "\($0.split(separator: "\n").count)" } + ["\(try stage.history().count)"]
    }

    /// Where the Inbox stands among what is expected, wherever it really is.
    private static let inbox: BytePath = "Inbox"

    private func path(of leaf: BytePath) -> BytePath {
        guard leaf.components.first == Self.inbox else { return stage.documents / leaf }
        return leaf.components.dropFirst().reduce(stage.inbox, /)
    }

    /// Everything in Documents and the Inbox but folders.
    private func leaves() throws -> [BytePath] {
        let documents = try Disk.leaves(of: stage.documents, except: [stage.inbox])
        let inbox = try Disk.leaves(of: stage.inbox).map { Self.inbox / $0 }
        return (documents + inbox).filter { $0.bytes.last != UInt8(ascii: "/") }
    }

    private func content(of leaf: BytePath) throws -> [UInt8] {
        let path = path(of: leaf)
        return try Disk.kind(path) == .link ? Disk.linkTarget(path).bytes : Disk.read(path)
    }

    private func untouched() throws -> [BytePath: [UInt8]] {
        Dictionary(uniqueKeysWithValues: row.taken.map { ($0, $0.bytes) })
    }

    private func expectTree(_ expected: [BytePath: [UInt8]], allowingHidden: Bool = false) throws {
        var rest = expected
        for leaf in try leaves() where !(allowingHidden && leaf.isHiddenCopy) {
            guard let wanted = rest.removeValue(forKey: leaf) else { throw Failure("\(leaf) is there as well") }
            guard try content(of: leaf) == wanted else { throw Failure("\(leaf) is not what it was") }
        }
        guard rest.isEmpty else { throw Failure("\(rest.keys) are missing") }
    }

    /// Made folders look like the folder that they were made in, a crash in between or not. Those in a package are its
    /// own, and what cannot be kept of them is told.
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
                record["size"]?.integer == files.reduce(0, { $0 + $1.content.count })
            else { throw Failure("a wrong record of \(source): \(record)") }
        }
        guard filed.count == documents.count else { throw Failure("\(filed.count) records: \(filed)") }
        let others = try stage.history().count - filed.count
        guard others == row.history.count else {
            throw Failure("\(others) older records instead of \(row.history.count)")
        }
    }
}

extension BytePath {
    /// Whether it has, or is in what has, the hidden name of a copy, or of a source in its last moment.
    var isHiddenCopy: Bool {
        components.map(\.description).contains { $0.hasPrefix(".inboxd-") && $0.hasSuffix(".tmp") }
    }
}
