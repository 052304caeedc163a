import InboxLinux

/// Goal 3: one document at a time, from its close to its name under Documents.
struct LatencySubject: Subject {
    let name = "latency"
    let what = "Settle=0, one file at a time, tmpfs: from its close to its name under Documents"

    func measure(_ bench: Bench) throws -> Findings {
        let count = bench.extent(500, quick: 50)
        let rounds = 5
        let warmUp = 50
        let all = warmUp + rounds * count
        let (mine, bare) = (
            try WorkFolders.shared.make(on: .tmpfs, room: all * 8192, files: all),
            try WorkFolders.shared.make(on: .tmpfs, room: all * 8192, files: all)
        )
        let daemon = try RunningDaemon(DaemonStage(in: mine, bench.programs))
        try makeFolder(bare + "/Inbox")
        try makeFolder(bare + "/Documents")
        let role = Role.watcher(
            BareWatching(inbox: bare + "/Inbox", documents: bare + "/Documents", count: all))
        let loop = try Child(role.words, output: .pipe)
        guard loop.line() != nil else { throw BenchmarkFailure("the bare loop does not begin") }
        let subject = Line(daemon.stage.inbox, try NameWatch(daemon.stage.documents))
        let floor = Line(bare + "/Inbox", try NameWatch(bare + "/Documents"))
        for number in 0..<warmUp { _ = (try subject.drop(number), try floor.drop(number)) }
        var (figures, floors): ([[Double]], [[Double]]) = ([], [])
        try bench.rounds(rounds, within: .seconds(15)) { round in
            let numbers = (warmUp + round * count)..<(warmUp + (round + 1) * count)
            var (mine, bare): ([Double], [Double]) = ([], [])
            for number in numbers {
                mine.append(try subject.drop(number))
                bare.append(try floor.drop(number))
            }
            figures.append(mine)
            floors.append(bare)
        }
        try daemon.stop()
        for folder in [mine, bare] { try WorkFolders.shared.remove(folder) }
        var findings = Findings()
        for (what, percent, most) in [("median", 50, 2.0), ("99th percentile", 99, 3.0)] {
            guard let figure = Samples.percentiles(percent, figures), let floor = Samples.percentiles(percent, floors)
            else { continue }
            findings.measurements.append(
                Measurement(what, figure, floor: (BareWatching.name, floor), goal: .ratio(most)))
        }
        return findings
    }

    /// An Inbox, and the folder in which its documents appear.
    private struct Line {
        private let inbox: String
        private let watch: NameWatch
        private let contents = Documents.contents()

        init(_ inbox: String, _ watch: NameWatch) {
            self.inbox = inbox
            self.watch = watch
        }

        /// Nanoseconds until one document is filed.
        func drop(_ number: Int) throws -> Double {
            let name = Documents.name(number)
            let closed = try Documents.drop(contents[number % contents.count], at: "\(inbox)/\(name)")
            let (filed, moment) = try watch.next()
            guard filed == name else { throw BenchmarkFailure("\(filed) is filed instead of \(name)") }
            return Double((moment - closed).wholeNanoseconds)
        }
    }
}
