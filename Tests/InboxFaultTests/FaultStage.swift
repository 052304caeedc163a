import Glibc
import InboxTestSupport

/// A fresh place for one row: what stands there, the runs, and what has to hold afterwards.
final class FaultStage {
    let row: FaultRow
    let stage: Stage
    private var runs = 0

    /// In memory where that is possible: a sweep is thousands of syncs.
    static var folder: BytePath? {
        Disk.kind("/dev/shm") == .folder && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : nil
    }

    init(_ row: FaultRow, below folder: BytePath? = FaultStage.folder) throws {
        self.row = row
        stage = try Stage(settings: ["Inbox.Settle=0"] + row.settings, below: folder)
        for path in row.taken { try put(path.bytes, at: stage.documents / path) }
        for drop in row.drops { try put(drop.content, at: stage.inbox / drop.source) }
        if !row.history.isEmpty {
            try put(Array(row.history.map { $0 + "\n" }.joined().utf8), at: stage.state / "history.jsonl")
        }
    }

    deinit { stage.close() }

    private func put(_ bytes: [UInt8], at path: BytePath) throws {
        try Disk.makeFolders(path.parent)
        try Disk.put(bytes, at: path)
    }

    /// What a run of `inboxd --once` did.
    struct Run {
        let exit: Program.Exit
        let trace: CallTrace
        let errors: String
        /// The call that the plan struck.
        let struck: CallTrace.Call?
    }

    /// Runs `inboxd --once` under the row's standing plan and one more.
    func run(_ plan: String? = nil) async throws -> Run {
        runs += 1
        let path = stage.root / BytePath("trace-\(runs)")
        let plans = [row.standing, plan].compactMap { $0 }
        // No MIME database: reading it is a hundred calls that have nothing to do with a document.
        stage.variables = ["XDG_DATA_DIRS=\(stage.root)/home", "INBOXD_TRACE=\(path)"]
        if !plans.isEmpty { stage.variables.append("INBOXD_FAULT=\(plans.joined(separator: ";"))") }
        try await stage.runDaemon(["--once"])
        guard let run = stage.lastRun else { throw Failure("inboxd did not run") }
        let trace = try CallTrace(reading: path)
        let struck = trace.calls.filter { $0.result == .struck && row.standing?.hasPrefix($0.name + ":") != true }
        return Run(exit: run.exit, trace: trace, errors: run.errors, struck: struck.last)
    }
}

extension FaultStage {
    /// What has to hold at every instant, a crash included: what stood there is untouched, each document stands
    /// complete in one of its two places, and nothing else is there.
    func expectNothingLost() throws {
        var expected = try untouched()
        for drop in row.drops {
            let (source, destination) = (BytePath("Inbox") / drop.source, drop.destination)
            let places = [source, destination].filter { Disk.exists(stage.documents / $0) && expected[$0] == nil }
            guard !places.isEmpty else { throw Failure("\(drop.source) is lost") }
            for place in places { expected[place] = drop.content }
            if places.count == 2, try Disk.inode(stage.documents / source) != Disk.inode(stage.documents / destination)
            {
                throw Failure("\(drop.source) stands there twice")
            }
        }
        try expectTree(expected)
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

    private func untouched() throws -> [BytePath: [UInt8]] {
        Dictionary(uniqueKeysWithValues: row.taken.map { ($0, $0.bytes) })
    }

    private func expectTree(_ expected: [BytePath: [UInt8]]) throws {
        var rest = expected
        for leaf in try Disk.leaves(of: stage.documents) where leaf.bytes.last != UInt8(ascii: "/") {
            guard let content = rest.removeValue(forKey: leaf) else { throw Failure("\(leaf) is there as well") }
            guard try Disk.read(stage.documents / leaf) == content else { throw Failure("\(leaf) is not what it was") }
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
