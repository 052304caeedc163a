/// Goal 5: an Inbox with very many folders.
struct FoldersSubject: Subject {
    let name = "folders"
    let what = "an Inbox with many folders, tmpfs: the start until all are watched, and the memory of each"

    /// Folders that each of the outer ones has.
    private static let inner = 99

    func measure(_ bench: Bench) throws -> Findings {
        let outer = bench.extent(200, quick: 10)
        let count = outer * (Self.inner + 1)
        try demandWatches(count)
        let root = try WorkFolders.shared.make(on: .tmpfs, files: count)
        let (full, empty) = (root + "/full", root + "/empty")
        for folder in [full, empty] { try makeFolder(folder) }
        let stage = try DaemonStage(in: full, bench.programs)
        let folders = try makeTree(in: stage.inbox, outer)
        let none = try memory(of: try RunningDaemon(DaemonStage(in: empty, bench.programs)))
        var (figures, floors, sizes): ([Double], [Double], [Double]) = ([], [], [])
        try bench.rounds(5, within: .seconds(10)) { _ in
            let find = try Child.run(["find", stage.inbox, "-type", "d"]).elapsed
            floors.append(try find + BareWatches.time(of: folders))
            var daemon: RunningDaemon?
            figures.append(
                try once {
                    let started = try RunningDaemon(stage)
                    try eventually("watching \(count) folders", every: 2_000) { try started.folders() > count }
                    daemon = started
                    return count
                })
            if let daemon { sizes.append((try memory(of: daemon) - none) / Double(count)) }
        }
        try WorkFolders.shared.remove(root)
        guard let figure = Samples(figures), let floor = Samples(floors), let size = Samples(sizes) else {
            return Findings()
        }
        return Findings(measurements: [
            Measurement(
                "start until \(count.grouped) are watched", figure,
                floor: ("find, then the bare inotify_add_watch calls", floor),
                goal: .ratio(1.5)),
            Measurement("memory of a folder", unit: .bytes, size, goal: .figure(400)),
        ])
    }

    private func makeTree(in inbox: String, _ outer: Int) throws -> [String] {
        var folders: [String] = []
        for number in 0..<outer {
            let folder = "\(inbox)/folder-\(number)"
            folders.append(folder)
            folders += (0..<Self.inner).map { "\(folder)/folder-\($0)" }
        }
        for folder in folders { try makeFolder(folder) }
        return folders
    }

    /// Returns the memory that the daemon has allocated, and stops the daemon.
    private func memory(of daemon: RunningDaemon) throws -> Double {
        let size = try inbox_bench.memory("RssAnon", of: try daemon.process())
        try daemon.stop()
        return size
    }

    private func demandWatches(_ count: Int) throws {
        let path = "/proc/sys/fs/inotify/max_user_watches"
        let limit = text(of: path).flatMap { Int($0.prefix { $0 != "\n" }) } ?? 0
        // The floor has them at the same time.
        guard limit > count * 2 + 1_000 else { throw BenchmarkFailure("\(path) is \(limit), too few") }
    }
}
