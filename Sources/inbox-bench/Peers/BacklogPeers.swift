/// Programs that move, copy or type the documents of a folder.
struct BacklogPeers {
    private struct Peer: Sendable {
        let name: String
        /// The program or Python's module that it needs.
        let program: String
        /// So many documents at most, for what is slow.
        var most = Int.max
        /// The documents stay where they were.
        var leavesThem = false
        let words: @Sendable (_ from: String, _ to: String) -> [String]
    }

    private let bench: Bench

    init(_ bench: Bench) { self.bench = bench }

    private static let peers = [
        Peer(name: "mv -n", program: "mv") { ["find", $0, "-type", "f", "-exec", "mv", "-n", "-t", $1, "{}", "+"] },
        Peer(name: "cp", program: "cp", leavesThem: true) {
            ["find", $0, "-type", "f", "-exec", "cp", "-t", $1, "{}", "+"]
        },
        Peer(name: "file (types them only)", program: "file", leavesThem: true) { from, _ in
            ["find", from, "-type", "f", "-exec", "file", "--mime-type", "{}", "+"]
        },
        Peer(name: "organize (2,000 files)", program: "organize", most: 2_000) { from, to in
            ["sh", "-c", organize, "sh", from, to]
        },
    ]

    /// Writes its configuration, and runs it.
    private static let organize = """
        printf 'rules:\\n  - locations: %s\\n    actions:\\n      - move: %s/\\n' "$1" "$2" >"$2.yaml"
        exec organize run "$2.yaml"
        """

    /// Measures each peer that is installed, once or a few times.
    func measure(on pool: Pool, _ findings: inout Findings) throws {
        var (missing, failed): ([String], [String]) = ([], [])
        for peer in Self.peers {
            guard bench.programs.has(peer.program) else {
                missing.append(peer.program)
                continue
            }
            guard peer.most < pool.count else {
                try measure(peer, on: pool, &findings)
                continue
            }
            let some = try Pool(peer.most, on: pool.medium, bench)
            do { try measure(peer, on: some, &findings) } catch is BenchmarkFailure {
                // One that is installed and does not work ends no benchmark: its documents are its own.
                failed.append(peer.program)
            }
            try some.remove()
        }
        if !missing.isEmpty { findings.notes.append("missing: " + missing.joined(separator: ", ")) }
        if !failed.isEmpty { findings.notes.append("failed: " + failed.joined(separator: ", ")) }
    }

    private func measure(_ peer: Peer, on pool: Pool, _ findings: inout Findings) throws {
        var (figures, floors): ([Double], [Double]) = ([], [])
        try bench.rounds(3, within: .seconds(5)) { _ in
            floors.append(try pool.move { _ = try BareFiling.run(from: $0, to: $1) })
            figures.append(try peer.leavesThem ? time(peer, beside: pool) : move(peer, pool))
        }
        guard let figure = Samples(figures), let floor = Samples(floors) else { return }
        findings.measurements.append(
            Measurement("\(peer.name), tmpfs", figure, floor: (BareFiling.name, floor), isPeer: true))
    }

    private func move(_ peer: Peer, _ pool: Pool) throws -> Double {
        try pool.move { from, to in try Child.run(peer.words(from, to), environment: ["HOME=\(to).home"]) }
    }

    private func time(_ peer: Peer, beside pool: Pool) throws -> Double {
        let target = try WorkFolders.shared.make(on: pool.medium, room: pool.count * 4096, files: pool.count)
        let ending = try Child.run(peer.words(pool.folder, target))
        try WorkFolders.shared.remove(target)
        return ending.elapsed / Double(pool.count)
    }
}
