/// The cost of a question on the command line: the whole life of a process, beside one that does nothing.
struct CommandSubject: Subject {
    let name = "command"
    let what = "one question on the command line, the start of the process included"

    func measure(_ bench: Bench) throws -> Findings {
        let root = try WorkFolders.shared.make(on: .tmpfs)
        let daemon = try RunningDaemon(DaemonStage(in: root, bench.programs))
        let control = bench.programs.inboxctl
        let file = "/etc/passwd"
        let own: [(String, Measurement.Goal?, [String])] = [
            ("inboxctl status", .figure(3e6), [control, "--socket", daemon.stage.socket, "status"]),
            ("inboxctl type, one file", .figure(3e6), [control, "type", file]),
        ]
        let peers: [(String, Measurement.Goal?, [String])] = [
            ("file, one file", nil, ["file", file]), ("gio info, one file", nil, ["gio", "info", file]),
        ].filter { bench.programs.has($0.2[0]) }
        let commands = own + peers
        var times = [[Double]](repeating: [], count: commands.count)
        var floors: [Double] = []
        for _ in 0..<bench.extent(100, quick: 10) {
            floors.append(try Child.run([control, "--version"]).elapsed)
            for (index, command) in commands.enumerated() { times[index].append(try Child.run(command.2).elapsed) }
        }
        try daemon.stop()
        try WorkFolders.shared.remove(root)
        guard let floor = Samples(floors) else { return Findings() }
        return Findings(
            measurements: zip(commands, times).enumerated().compactMap { index, row in
                Samples(row.1).map {
                    Measurement(
                        row.0.0, Samples($0.median), floor: ("inboxctl --version", Samples(floor.median)),
                        goal: row.0.1, isPeer: index >= own.count)
                }
            },
            notes: ["file", "gio"].filter { !bench.programs.has($0) }.map { "missing: \($0)" })
    }
}
