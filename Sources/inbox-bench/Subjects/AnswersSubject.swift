import InboxLinux

/// The control socket's promise: a status is answered in time whatever the daemon does.
struct AnswersSubject: Subject {
    let name = "answers"
    let what = "the 99th percentile of GetStatus on one connection, a call a millisecond, while the daemon works"

    func measure(_ bench: Bench) throws -> Findings {
        let count = bench.extent(100_000, quick: 2_000)
        let size = bench.extent(2 << 30, quick: 16 << 20)
        let listed = bench.extent(20_000, quick: 200)
        let checked = bench.extent(10_000, quick: 100)
        guard let idle = Samples(try whileIdle(bench)) else { return Findings() }
        let rows = [
            (
                "filing \(count.grouped) documents, relaxed, tmpfs", 5e6,
                try whileFiling(count, on: .tmpfs, "relaxed", bench)
            ),
            (
                "filing \(count.grouped) documents, full, disk", 50e6,
                try whileFiling(count, on: .disk, "full", bench)
            ),
            (
                "asking a check about \(checked.grouped) documents", 50e6,
                try whileFiling(
                    checked, on: .tmpfs, "relaxed", bench, settings: ["Inbox.Check=\(BareStarting.program)"])
            ),
            ("copying \((size >> 20).grouped) MiB from tmpfs to the disk", 50e6, try whileCopying(size, bench)),
            ("twenty clients that list \(listed.grouped) arrivals", 50e6, try whileListed(listed, bench)),
        ]
        return Findings(
            measurements: rows.compactMap { what, most, times in
                Samples(times).map { samples in
                    Measurement(
                        what, Samples(samples.percentile(99)),
                        floor: ("the same of an idle daemon", Samples(idle.percentile(99))), goal: .figure(most))
                }
            })
    }

    private func whileIdle(_ bench: Bench) throws -> [Double] {
        let root = try WorkFolders.shared.make(on: .tmpfs)
        let daemon = try RunningDaemon(DaemonStage(in: root, bench.programs))
        var calls = 0
        let times = try self.times(of: daemon) { _ in
            calls += 1
            return calls == 500
        }
        try WorkFolders.shared.remove(root)
        return times
    }

    private func whileFiling(
        _ count: Int, on medium: Medium, _ durability: String, _ bench: Bench, settings: [String] = []
    ) throws -> [Double] {
        let root = try WorkFolders.shared.make(on: medium, room: count * 8192, files: count)
        let stage = try DaemonStage(
            in: root, settings: ["Inbox.Durability=\(durability)"] + settings, bench.programs)
        try Documents.make(count, in: stage.inbox)
        let times = try self.times(of: try RunningDaemon(stage)) { $0 >= count }
        try WorkFolders.shared.remove(root)
        return times
    }

    private func whileCopying(_ size: Int, _ bench: Bench) throws -> [Double] {
        let inbox = try WorkFolders.shared.make(on: .tmpfs, room: size)
        let root = try WorkFolders.shared.make(on: .disk, room: size)
        let stage = try DaemonStage(in: root, inbox: inbox, makesInbox: false, bench.programs)
        try CopySubject.makeLarge(size, at: inbox + "/film.mp4")
        let times = try self.times(of: try RunningDaemon(stage)) { $0 == 1 }
        for folder in [inbox, root] { try WorkFolders.shared.remove(folder) }
        return times
    }

    private func whileListed(_ count: Int, _ bench: Bench) throws -> [Double] {
        let root = try WorkFolders.shared.make(on: .tmpfs, files: count)
        // They settle until the measuring is over.
        let stage = try DaemonStage(in: root, settings: ["Inbox.Settle=1d"], bench.programs)
        try Documents.makeHoles(count, in: stage.inbox)
        let daemon = try RunningDaemon(stage)
        try eventually("\(count) arrivals", every: 5_000) { try daemon.counter("seen") >= count }
        // Each lists until it is killed with the value that owns it.
        let clients = try (0..<20).map { _ in try Child(Role.lister(socket: stage.socket, count: .max).words) }
        var calls = 0
        let times = try self.times(of: daemon) { _ in
            calls += 1
            return calls == 1_000
        }
        withExtendedLifetime(clients) {}
        try WorkFolders.shared.remove(root)
        return times
    }

    /// Asks until the number of filed documents is the one that is waited for, then ends the daemon; the nanoseconds that
    /// each answer took.
    private func times(of daemon: RunningDaemon, until isDone: (_ filed: Int) -> Bool) throws -> [Double] {
        var times: [Double] = []
        let deadline = Instant.now() + .seconds(120)
        while true {
            var filed = 0
            times.append(
                try once {
                    filed = try daemon.counter("filed")
                    return filed
                })
            if isDone(filed) { break }
            guard Instant.now() < deadline else { throw BenchmarkFailure("\(filed) documents are filed after 120 s") }
            pause(microseconds: 1_000)
        }
        try daemon.stop()
        return times
    }
}
