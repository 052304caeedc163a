/// Goal 9: what the daemon does when nothing is to be done.
struct IdleSubject: Subject {
    let name = "idle"
    let what = "system calls while nothing happens, counted by strace"

    func measure(_ bench: Bench) throws -> Findings {
        guard bench.programs.has("strace") else { return Findings(notes: ["missing: strace"]) }
        let seconds = UInt32(bench.extent(10, quick: 1))
        let root = try WorkFolders.shared.make(on: .tmpfs)
        let trace = root + "/trace"
        let stage = try DaemonStage(in: root, bench.programs)
        let daemon = try RunningDaemon(stage, under: ["strace", "-f", "-qq", "-o", trace])
        _ = try Documents.drop(Documents.contents()[0], at: stage.inbox + "/one.pdf")
        try daemon.awaitFiled(1)
        // The roots stay open for 5 s after the last work; closing them is none of what is counted.
        pause(microseconds: 6_500_000)
        let before = try lines(of: trace)
        pause(microseconds: seconds * 1_000_000)
        let calls = try lines(of: trace) - before
        try daemon.stop()
        try WorkFolders.shared.remove(root)
        return Findings(measurements: [
            Measurement("in \(seconds) s", unit: .count, Samples(Double(calls)), goal: .figure(0))
        ])
    }

    private func lines(of path: String) throws -> Int {
        guard let text = text(of: path) else { throw BenchmarkFailure("strace has written nothing") }
        return text.utf8.count { $0 == UInt8(ascii: "\n") }
    }
}
