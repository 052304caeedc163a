/// Goal 10: ten and a hundred times the work may not cost more for each document.
struct GrowthSubject: Subject {
    let name = "growth"
    let what = "a document's cost in a backlog (relaxed, tmpfs) and in a burst, as the work grows"

    func measure(_ bench: Bench) throws -> Findings {
        let sizes = bench.isQuick ? [100, 1_000] : [1_000, 10_000, 100_000]
        let backlog = try sizes.map { try cost(of: $0, bench) }
        let bursts = try (bench.isQuick ? [100, 1_000] : [5_000, 50_000]).map { count in
            (count, Samples(try Burst.ofDaemon(count, bench).all))
        }
        return Findings(
            measurements: rows("backlog", zip(sizes, backlog.map(\.daemon)))
                + rows("the bare loop", zip(sizes, backlog.map(\.loop)), goal: nil)
                + rows("burst", bursts))
    }

    private func rows(
        _ what: String, _ costs: some Sequence<(Int, Samples)>, goal: Measurement.Goal? = .ratio(1.1)
    ) -> [Measurement] {
        let costs = Array(costs)
        guard let first = costs.first else { return [] }
        return costs.dropFirst().map { count, cost in
            Measurement(
                "\(what), \(count.grouped)", cost, floor: ("the same with 1/10 or 1/100 of the documents", first.1),
                goal: goal)
        }
    }

    /// Nanoseconds a document; what a process costs that finds nothing to do is not part of it.
    private func cost(of count: Int, _ bench: Bench) throws -> (daemon: Samples, loop: Samples) {
        let (pool, empty) = (try Pool(count, on: .tmpfs, bench), try Pool(0, on: .tmpfs, bench))
        var (daemon, loop): ([Double], [Double]) = ([], [])
        try bench.rounds(9, within: .seconds(6)) { _ in
            loop.append(try pool.move { _ = try BareFiling.run(from: $0, to: $1) })
            let start = try empty.elapsedByDaemon()
            daemon.append((try pool.elapsedByDaemon() - start) / Double(count))
        }
        for pool in [pool, empty] { try pool.remove() }
        guard let mine = Samples(daemon), let bare = Samples(loop) else { throw BenchmarkFailure("no round") }
        // As many values each, since rounds of different sizes do not belong together.
        return (Samples(mine.median), Samples(bare.median))
    }
}
