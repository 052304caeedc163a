/// Goal 1: a full Inbox, filed from the start of a process to its end.
struct BacklogSubject: Subject {
    let name = "backlog"
    let what = "a full Inbox, files of 1 KB, typed by name and content, history on; a document each"

    /// The limits.
    private static let most: [Medium: Double] = [.tmpfs: 1.5, .disk: 1.2]
    /// So many documents go through the loop that syncs each: it takes its time.
    private static let synced = 1_000

    func measure(_ bench: Bench) throws -> Findings {
        var findings = Findings()
        for medium in Medium.allCases {
            let pool: Pool
            do {
                pool = try Pool(bench.extent(100_000, quick: 2_000), on: medium, bench)
            } catch  where medium == .journal {
                complain("no figures of \(medium.rawValue), which takes root and a loop device: \(error)")
                continue
            }
            try measure(pool, bench, &findings)
            if medium == .tmpfs { try BacklogPeers(bench).measure(on: pool, &findings) }
            try pool.remove()
        }
        try measurePhotos(bench, &findings)
        return findings
    }

    /// Photos that go to the folder of their own date, beside the same ones that go to that folder whatever they say.
    private func measurePhotos(_ bench: Bench, _ findings: inout Findings) throws {
        let pool = try Pool(bench.extent(10_000, quick: 500), on: .tmpfs, bench, of: [Documents.photo])
        func file(to destination: String) throws -> Double {
            try pool.fileByDaemon(
                configuration: "[DocumentType Photos]\nContentTypes=public.jpeg\nDestination=\(destination)\n",
                to: "/Photos/2011/03")
        }
        var (fixed, dated): ([Double], [Double]) = ([], [])
        try bench.rounds(7, within: .seconds(10)) { _ in
            fixed.append(try file(to: "Photos/2011/03"))
            dated.append(try file(to: "Photos/{year}/{month}"))
        }
        try pool.remove()
        guard let floor = Samples(fixed), let figure = Samples(dated) else { return }
        findings.measurements.append(
            Measurement(
                "relaxed, tmpfs, \(pool.count.grouped) photos by their own date", figure,
                floor: ("the same to one folder", floor), goal: .ratio(1.3)))
    }

    private func measure(_ pool: Pool, _ bench: Bench, _ findings: inout Findings) throws {
        var (floors, relaxed, full, maildir): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        try bench.rounds(5, within: .seconds(20)) { _ in
            floors.append(try pool.move { from, to in _ = try BareFiling.run(from: from, to: to) })
            relaxed.append(try pool.fileByDaemon())
            full.append(try pool.fileByDaemon(["Inbox.Durability=full"]))
            if pool.medium != .tmpfs { maildir.append(try loopOfSyncs(pool)) }
        }
        guard let floor = Samples(floors), let fast = Samples(relaxed), let safe = Samples(full) else { return }
        let medium = pool.medium.rawValue
        findings.measurements += [
            Measurement(
                "relaxed, \(medium), \(pool.count.grouped) files", fast, floor: (BareFiling.name, floor),
                goal: Self.most[pool.medium].map { .ratio($0) }),
            Measurement(
                "full, \(medium), beside relaxed", safe, floor: ("relaxed", fast), goal: .ratio(2)),
        ]
        if let each = Samples(maildir) {
            findings.measurements.append(
                Measurement(
                    "full, \(medium), beside a sync of each", safe,
                    floor: ("that loop with a sync of each file and folder, as a Maildir has it", each),
                    goal: .ratio(0.2)))
        }
    }

    /// Nanoseconds a document of the loop that syncs each; what it has moved returns.
    private func loopOfSyncs(_ pool: Pool) throws -> Double {
        let target = pool.folder + ".synced"
        try makeFolder(target)
        var filed = 0
        let spent = try once {
            filed = try BareFiling.run(from: pool.folder, to: target, most: Self.synced, syncs: true)
            return filed
        }
        guard try BareFiling.run(from: target, to: pool.folder) == filed, filed > 0 else {
            throw BenchmarkFailure("documents are left in \(target)")
        }
        try WorkFolders.shared.remove(target)
        return spent / Double(filed)
    }
}
