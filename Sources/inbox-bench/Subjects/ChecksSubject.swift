/// The cost of a check: next to nothing besides the start of its program.
struct ChecksSubject: Subject {
    let name = "checks"
    let what = "a full Inbox whose documents are each filed after a check, tmpfs; a document each"

    func measure(_ bench: Bench) throws -> Findings {
        let pool = try Pool(bench.extent(10_000, quick: 100), on: .tmpfs, bench)
        var (figures, floors): ([Double], [Double]) = ([], [])
        try bench.rounds(5, within: .seconds(60)) { _ in
            floors.append(try BareStarting.run(pool.count))
            figures.append(try pool.fileByDaemon(["Inbox.Check=\(BareStarting.program)"]))
        }
        try pool.remove()
        guard let figure = Samples(figures), let floor = Samples(floors) else { return Findings() }
        return Findings(measurements: [
            Measurement(
                "a check of true, \(pool.count.grouped) files", figure, floor: (BareStarting.name, floor),
                goal: .ratio(1.3))
        ])
    }
}
