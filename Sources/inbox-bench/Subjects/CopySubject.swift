/// Goal 7: the Inbox on one filesystem, Documents on another.
struct CopySubject: Subject {
    let name = "copy"
    let what = "from an Inbox on tmpfs to Documents on the disk, relaxed; cp and sync leave the source where it is"

    func measure(_ bench: Bench) throws -> Findings {
        var findings = Findings()
        let large = bench.extent(4 << 30, quick: 16 << 20)
        if let measurement = try compare(
            "one file of \((large >> 20).grouped) MiB", bench, within: .seconds(18), room: large, goal: 1 / 0.95,
            floor: "cp, then sync of each (one process each)",
            { try Self.makeLarge(large, at: $0 + "/film.mp4") })
        {
            findings.measurements.append(measurement)
        }
        let small = bench.extent(10_000, quick: 100)
        if let measurement = try compare(
            "\(small.grouped) files of 1 KB", bench, within: .seconds(12), room: small * 8192, goal: 0.5,
            floor: "cp, then sync of each (one process each)", { try Documents.make(small, in: $0) })
        {
            findings.measurements.append(measurement)
        }
        return findings
    }

    /// The daemon beside `cp` and `sync`, by turns.
    private func compare(
        _ what: String, _ bench: Bench, within time: Duration, room: Int, goal: Double, floor name: String,
        _ make: (_ folder: String) throws -> Void
    ) throws -> Measurement? {
        var (figures, floors): ([Double], [Double]) = ([], [])
        try bench.rounds(3, within: time) { _ in
            let source = try WorkFolders.shared.make(on: .tmpfs, room: room, files: 20_000)
            let target = try WorkFolders.shared.make(on: .disk, room: room * 2, files: 40_000)
            try make(source)
            let count = try Documents.count(in: source)
            let copies = target + "/copies"
            try makeFolder(copies)
            syncAll()
            let script = #"cp "$1"/* "$2" && sync "$2"/*"#
            floors.append(try Child.run(["sh", "-c", script, "sh", source, copies]).elapsed)
            try WorkFolders.shared.remove(copies)
            let stage = try DaemonStage(in: target, inbox: source, makesInbox: false, bench.programs)
            syncAll()
            figures.append(try stage.once().elapsed)
            let found = try Documents.count(in: stage.documents)
            guard found == count else { throw BenchmarkFailure("\(found) of \(count) documents are filed") }
            for folder in [source, target] { try WorkFolders.shared.remove(folder) }
        }
        guard let figure = Samples(figures), let floor = Samples(floors) else { return nil }
        return Measurement(what, figure, floor: (name, floor), goal: .ratio(goal))
    }

    /// A file without holes.
    static func makeLarge(_ size: Int, at path: String) throws {
        // A film begins with its box `ftyp`; what follows is any bytes but zeros.
        let part = 1 << 20
        let head: [UInt8] = [0, 0, 0, 20] + Array("ftypisom\0\0\u{2}\0isom".utf8)
        let content = head + (0..<(part - head.count)).map { UInt8(truncatingIfNeeded: $0 &* 31 | 1) }
        try Documents.write(content, times: size / part, to: path)
    }
}
