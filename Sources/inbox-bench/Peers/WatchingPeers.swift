/// The watchers used by people who need no more than a loop: the usual ones, each with the move that its users give
/// it.
struct WatchingPeers {
    private struct Peer {
        let name: String
        let isInstalled: Bool
        let words: [String]
    }

    /// So many documents: they are slow.
    private static let count = 1_000

    private let bench: Bench

    init(_ bench: Bench) { self.bench = bench }

    private static let inotifywait = """
        inotifywait -m -q -e close_write --format %f "$1" | while read -r name; do mv -n "$1/$name" "$2/"; done
        """

    private static let watchdog = """
        import shutil, sys
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer
        class Handler(FileSystemEventHandler):
            def on_closed(self, event):
                shutil.move(event.src_path, sys.argv[2])
        observer = Observer()
        observer.schedule(Handler(), sys.argv[1])
        observer.start()
        observer.join()
        """

    private static let watchfiles = """
        import shutil, sys
        from watchfiles import Change, watch
        for changes in watch(sys.argv[1]):
            for change, path in changes:
                if change == Change.added:
                    shutil.move(path, sys.argv[2])
        """

    /// Measures each peer that is installed, once.
    func measure(_ findings: inout Findings) throws {
        let programs = bench.programs
        let peers = [
            Peer(
                name: "inotifywait | mv -n", isInstalled: programs.has("inotifywait"),
                words: ["sh", "-c", Self.inotifywait, "sh"]),
            Peer(
                name: "watchdog", isInstalled: programs.hasPython(module: "watchdog"),
                words: ["python3", "-c", Self.watchdog]),
            Peer(
                name: "watchfiles", isInstalled: programs.hasPython(module: "watchfiles"),
                words: ["python3", "-c", Self.watchfiles]),
        ]
        for peer in peers where peer.isInstalled { try measure(peer, &findings) }
        let missing = peers.filter { !$0.isInstalled }.map(\.name)
        if !missing.isEmpty { findings.notes.append("missing: " + missing.joined(separator: ", ")) }
    }

    private func measure(_ peer: Peer, _ findings: inout Findings) throws {
        let root = try WorkFolders.shared.make(on: .tmpfs, room: Self.count * 8192, files: Self.count)
        let (inbox, documents) = (root + "/Inbox", root + "/Documents")
        for folder in [inbox, documents] { try makeFolder(folder) }
        let child = try Child(peer.words + [inbox, documents])
        let probes = try awaitWatching(inbox, documents)
        var found = 0
        let burst = try Burst(into: inbox, Self.count) {
            try? eventually("the peer's end", every: 5_000, within: .seconds(10)) {
                found = try Documents.count(in: documents) - probes
                return found >= Self.count
            }
        }
        try child.stop()
        try WorkFolders.shared.remove(root)
        guard found >= Self.count else {
            findings.notes.append("\(peer.name) leaves \(Self.count - found) of \(Self.count) documents behind")
            return
        }
        let floor = try Burst.ofLoop(Self.count)
        findings.measurements.append(
            Measurement(
                "\(peer.name) (\(Self.count.grouped) files)", Samples(burst.all),
                floor: (BareWatching.name, Samples(floor.all)),
                isPeer: true))
    }

    /// Drops a document now and then until one is filed, and all of them are; how many there were.
    private func awaitWatching(_ inbox: String, _ documents: String) throws -> Int {
        var probes = 0
        try eventually("a peer that files something", every: 100_000, within: .seconds(20)) {
            if try Documents.count(in: documents) > 0 { return true }
            probes += 1
            _ = try Documents.drop([0x61], at: "\(inbox)/probe-\(probes)")
            return false
        }
        // What was dropped before the peer watched stays where it is.
        try? eventually("the probes", every: 100_000, within: .seconds(3)) {
            try Documents.count(in: inbox) == 0
        }
        return try Documents.count(in: documents)
    }
}
