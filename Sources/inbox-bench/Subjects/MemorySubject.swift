/// Goal 6: what the daemon holds when nothing happens, and beside a million arrivals that wait.
struct MemorySubject: Subject {
    let name = "memory"
    let what = "resident memory: idle, and at most with many arrivals that wait in one folder, tmpfs"

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
        try eventually("\(count) arrivals", every: 50_000) { try crowded.counter("seen") >= count }
        let most = try memory("VmHWM", of: try crowded.process())
        try crowded.stop()
        try WorkFolders.shared.remove(root)
        return Findings(measurements: [
            Measurement("idle, after one document", unit: .bytes, Samples(least), goal: .figure(10 * 1_048_576)),
            Measurement("\(count.grouped) arrivals", unit: .bytes, Samples(most), goal: .figure(64 * 1_048_576)),
        ])
    }
}
