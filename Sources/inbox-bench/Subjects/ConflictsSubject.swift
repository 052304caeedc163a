import InboxLinux

/// Goal 4: many documents that want one name.
struct ConflictsSubject: Subject {
    let name = "conflicts"
    let what = "many documents of one name, and one more beside many numbered ones, tmpfs"

    func measure(_ bench: Bench) throws -> Findings {
        var findings = Findings()
        findings.measurements += try oneName(bench)
        findings.measurements += try afterRestart(bench)
        return findings
    }

    /// A document each in as many folders, whose names do not count: all under one name, or each under its own.
    private func oneName(_ bench: Bench) throws -> [Measurement] {
        let count = bench.extent(10_000, quick: 500)
        var (one, different): ([Double], [Double]) = ([], [])
        try bench.rounds(5, within: .seconds(8)) { _ in
            different.append(try file(count, bench) { "report-x\($0).pdf" })
            one.append(try file(count, bench) { _ in "report.pdf" })
        }
        guard let figure = Samples(one), let floor = Samples(different) else { return [] }
        return [
            Measurement(
                "\(count.grouped) of one name, a document", figure,
                floor: ("the daemon with as many different names", floor),
                goal: .ratio(1.3))
        ]
    }

    private func file(_ count: Int, _ bench: Bench, name: (Int) -> String) throws -> Double {
        let root = try WorkFolders.shared.make(on: .tmpfs, room: count * 8192, files: count * 2)
        let stage = try DaemonStage(
            in: root, settings: ["Inbox.Folders=flatten", "Inbox.RemoveEmptyFolders=no"], bench.programs)
        let content = Documents.contents()[0]
        for number in 0..<count {
            let folder = "\(stage.inbox)/\(number)"
            try makeFolder(folder)
            _ = try Documents.drop(content, at: "\(folder)/\(name(number))")
        }
        let ending = try stage.once()
        let found = try Documents.count(in: stage.documents) - 1
        guard found == count else { throw BenchmarkFailure("\(found) of \(count) documents are filed") }
        try WorkFolders.shared.remove(root)
        return ending.elapsed / Double(count)
    }

    /// The first document after a start, whose name and all its numbers are taken.
    private func afterRestart(_ bench: Bench) throws -> [Measurement] {
        let count = bench.extent(100_000, quick: 5_000)
        let root = try WorkFolders.shared.make(on: .tmpfs, files: count)
        let stage = try DaemonStage(in: root, bench.programs)
        for number in 0..<count {
            try Documents.writeEmpty("\(stage.documents)/report\(number == 0 ? "" : "-\(number)").pdf")
        }
        var (figures, floors): ([Double], [Double]) = ([], [])
        try bench.rounds(3, within: .seconds(5)) { round in
            floors.append(try once { try Documents.count(in: stage.documents) })
            let daemon = try RunningDaemon(stage)
            let watch = try NameWatch(stage.documents)
            let closed = try Documents.drop(Documents.contents()[0], at: stage.inbox + "/report.pdf")
            let (name, moment) = try watch.next()
            guard name == "report-\(count + round).pdf" else { throw BenchmarkFailure("filed as \(name)") }
            figures.append(Double((moment - closed).wholeNanoseconds))
            try daemon.stop()
        }
        try WorkFolders.shared.remove(root)
        guard let figure = Samples(figures), let floor = Samples(floors) else { return [] }
        return [
            Measurement(
                "the first after a start, beside \(count.grouped)", figure,
                floor: ("reading that folder's names once", floor),
                goal: .figure(20e6))
        ]
    }
}
