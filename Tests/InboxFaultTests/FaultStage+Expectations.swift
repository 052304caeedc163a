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
        for drop in row.drops {
            let (source, destination) = (Self.inbox / drop.source, drop.destination)
            let places = [source, destination].filter { Disk.exists(path(of: $0)) && expected[$0] == nil }
            guard !places.isEmpty else { throw Failure("\(drop.source) is lost") }
            for place in places { expected[place] = drop.content }
            if places.count == 2, !allowsBoth,
                try row.isAcross || Disk.inode(path(of: source)) != Disk.inode(path(of: destination))
            {
                throw Failure("\(drop.source) stands there twice")
            }
        }
        try expectTree(expected, allowingHidden: allowsBoth)
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
                && !(name.hasPrefix("history-2") && name.hasSuffix(".jsonl"))
        }
        guard strangers.isEmpty else { throw Failure("the state folder holds \(strangers)") }
    }

    /// What a kill left behind, told so that equal states are told equally; nil where no journal tells of anything.
    func interruption() throws -> [String]? {
        let journals = ["journal", "journal-copies"].map { Disk.text(stage.state / BytePath($0)) }
        if journals.allSatisfy(\.isEmpty) { return nil }
        let names = try leaves().map { $0.isHiddenCopy ? "\($0.parent)/hidden" : "\($0)" }
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

    private func untouched() throws -> [BytePath: [UInt8]] {
        Dictionary(uniqueKeysWithValues: row.taken.map { ($0, $0.bytes) })
    }

    private func expectTree(_ expected: [BytePath: [UInt8]], allowingHidden: Bool = false) throws {
        var rest = expected
        for leaf in try leaves() where !(allowingHidden && leaf.isHiddenCopy) {
            guard let content = rest.removeValue(forKey: leaf) else { throw Failure("\(leaf) is there as well") }
            guard try Disk.read(path(of: leaf)) == content else { throw Failure("\(leaf) is not what it was") }
        }
        guard rest.isEmpty else { throw Failure("\(rest.keys) are missing") }
    }

    /// Made folders look like the folder that they were made in, a crash in between or not.
    private func expectFolderModes() throws {
        for drop in row.drops {
            var folder = (stage.documents / drop.destination).parent
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
    /// Whether it ends with the hidden name of a copy, or of a source in its last moment.
    var isHiddenCopy: Bool {
        let name = components.last?.description ?? ""
        return name.hasPrefix(".inboxd-") && name.hasSuffix(".tmp")
    }
}
