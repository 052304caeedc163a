import InboxLinux

/// Goal 2: a writer at full speed into an Inbox that is watched.
struct BurstSubject: Subject {
    let name = "burst"
    let what = "a writer at full speed into the watched Inbox, files of 1 KB, tmpfs; a document each"

    func measure(_ bench: Bench) throws -> Findings {
        let count = bench.extent(50_000, quick: 2_000)
        var (mine, bare): ([Burst], [Burst]) = ([], [])
        try bench.rounds(5, within: .seconds(15)) { _ in
            bare.append(try Burst.ofLoop(count))
            mine.append(try Burst.ofDaemon(count, bench))
        }
        var findings = Findings()
        guard let all = Samples(mine.map(\.all)), let allBare = Samples(bare.map(\.all)),
            let writer = Samples(mine.map(\.writer)), let writerBare = Samples(bare.map(\.writer))
        else { return findings }
        findings.measurements = [
            Measurement(
                "all filed, \(count.grouped) files", all, floor: (BareWatching.name, allBare), goal: .ratio(1.3)),
            Measurement(
                "the writer", writer, floor: ("the same writer beside that loop", writerBare), goal: .ratio(1.15)),
        ]
        try WatchingPeers(bench).measure(&findings)
        return findings
    }
}

/// The times of one burst, in nanoseconds a document.
struct Burst {
    /// From the writer's start until all is filed.
    let all: Double
    /// The writer by itself.
    let writer: Double

    /// - Parameter awaitAll: returns when all is filed.
    init(into inbox: String, _ count: Int, awaitAll: () throws -> Void) throws {
        let start = Instant.now()
        let child = try Child(Role.writer(folder: inbox, count: count).words, output: .pipe)
        guard let spent = child.line().flatMap({ Double($0) }) else { throw BenchmarkFailure("the writer has failed") }
        try child.end()
        try awaitAll()
        all = Double((Instant.now() - start).wholeNanoseconds) / Double(count)
        writer = spent / Double(count)
    }

    /// Beside the bare loop.
    static func ofLoop(_ count: Int) throws -> Burst {
        let root = try WorkFolders.shared.make(on: .tmpfs, room: count * 8192, files: count)
        let (inbox, documents) = (root + "/Inbox", root + "/Documents")
        for folder in [inbox, documents] { try makeFolder(folder) }
        let role = Role.watcher(BareWatching(inbox: inbox, documents: documents, count: count))
        let loop = try Child(role.words, output: .pipe)
        guard loop.line() != nil else { throw BenchmarkFailure("the bare loop does not begin") }
        let burst = try Burst(into: inbox, count) { try loop.end() }
        try WorkFolders.shared.remove(root)
        return burst
    }

    /// Beside the daemon.
    static func ofDaemon(_ count: Int, _ bench: Bench) throws -> Burst {
        let root = try WorkFolders.shared.make(on: .tmpfs, room: count * 8192, files: count)
        let daemon = try RunningDaemon(DaemonStage(in: root, bench.programs))
        let burst = try Burst(into: daemon.stage.inbox, count) { try daemon.awaitFiled(count) }
        try daemon.stop()
        // The Inbox is in it too.
        let found = try Documents.count(in: daemon.stage.documents) - 1
        guard found == count else { throw BenchmarkFailure("\(found) of \(count) documents are filed") }
        try WorkFolders.shared.remove(root)
        return burst
    }
}
