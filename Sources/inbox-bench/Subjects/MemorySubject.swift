/// Goal 6: what the daemon holds when nothing happens, and beside a million files that wait.
struct MemorySubject: Subject {
    let name = "memory"
    let what = "resident memory: idle, and at most with many files that wait in one folder, tmpfs"

    func measure(_ bench: Bench) throws -> Findings {
        let count = bench.extent(1_000_000, quick: 10_000)
        let idle = try WorkFolders.shared.make(on: .tmpfs)
        let quiet = try RunningDaemon(DaemonStage(in: idle, bench.programs))
        _ = try Documents.drop(Documents.contents()[0], at: quiet.stage.inbox + "/one.pdf")
        try quiet.awaitFiled(1)
        let least = try memory("VmRSS", of: try quiet.process())
        try quiet.stop()
        try WorkFolders.shared.remove(idle)

        let root = try WorkFolders.shared.make(on: .tmpfs, files: count)
        // They settle until the measuring is over.
        let stage = try DaemonStage(in: root, settings: ["Inbox.Settle=1d"], bench.programs)
        try Documents.makeHoles(count, in: stage.inbox)
        let crowded = try RunningDaemon(stage)
        let process = try crowded.process()
        try awaitRest(of: process)
        guard try crowded.counter("seen") > 0 else { throw BenchmarkFailure("the daemon has taken in none of them") }
        let most = try memory("VmHWM", of: process)
        try crowded.stop()
        try WorkFolders.shared.remove(root)
        return Findings(measurements: [
            Measurement("idle, after one document", unit: .bytes, Samples(least), goal: .figure(10 * 1_048_576)),
            Measurement("\(count.grouped) files that wait", unit: .bytes, Samples(most), goal: .figure(64 * 1_048_576)),
        ])
    }

    /// Waits until the daemon has read what there is: it takes in a part, and leaves the others in their folder.
    private func awaitRest(of process: Int32) throws {
        var last = 0
        try eventually("a daemon at rest", every: 1_000_000) {
            let ticks = try processorTicks(of: process)
            defer { last = ticks }
            return last > 0 && ticks - last <= 1
        }
    }
}
