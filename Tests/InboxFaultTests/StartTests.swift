import Glibc
import InboxTestSupport
import Testing

/// Places that cannot be used when the daemon starts.
@Suite("Starting in a bad place")
struct StartTests {
    @Test("Where neither the state folder nor the socket in it can be made, the daemon waits for them")
    func unusableState() async throws {
        try await onStage { stage in
            try Disk.put([], at: stage.state)
            let socket = stage.state / "io.inboxd.Inbox"
            let daemon = try Program(
                stage.daemonProgram,
                [
                    "--documents", stage.documents, "--state", stage.state, "--socket", socket, "--set",
                    "Inbox.Settle=0",
                ],
                environment: stage.environment, output: stage.root / "log/daemon.out", errors: stage.daemonLog)
            try await eventually {
                if let exit = daemon.exit { throw Failure("it ended: \(exit): \(Disk.text(stage.daemonLog))") }
                return Disk.text(stage.daemonLog).contains("cannot listen at") ? nil : "it does not say so"
            }
            try Disk.put([1], at: stage.inbox / "a.txt")
            try Disk.remove(stage.state)
            try await eventually { Disk.exists(stage.documents / "a.txt") ? nil : "a.txt is not filed" }
            try await eventually {
                let run = try await stage.run(stage.controlProgram, ["--socket", socket, "status", "--json"])
                return run.exit == .status(0) && run.output.contains("\"watching\"")
                    ? nil : "\(run.output)\(run.errors)"
            }
            daemon.signal(SIGTERM)
            #expect(try await daemon.ended() == .status(0))
            #expect(Disk.text(stage.daemonLog).contains("over: cannot listen at"))
        }
    }

    @Test("Where no inotify instance is free, the Inbox is polled, and the problem names the limit")
    func noInstance() async throws {
        try await onStage { stage in
            stage.settings = ["Inbox.Settle=0"]
            stage.variables = ["INBOXD_FAULT=inotify_init1:*:24"]
            try await stage.start()
            let status = try await stage.status()
            #expect(status["inboxes"]?.array?.first?["watching"]?.string == "polling")
            #expect(status["state"]?.string == "degraded")
            let problems = status["problems"]?.array?.compactMap(\.string) ?? []
            #expect(problems.contains { $0.contains("fs.inotify.max_user_instances") }, "\(problems)")
            try Disk.put([1], at: stage.inbox / "a.txt")
            try await eventually { Disk.exists(stage.documents / "a.txt") ? nil : "a.txt is not filed" }
        }
    }

    @Test("Where watches run out, folders without one are polled, and one line of the log names the limit")
    func fewWatches() async throws {
        try await onStage { stage in
            for number in 1...20 { try Disk.makeFolder(stage.inbox / TestPath("\(number)")) }
            stage.variables = ["INBOXD_FAULT=inotify_add_watch@/Inbox/:11+:\(ENOSPC)"]
            try await stage.start()
            let limit = "fs.inotify.max_user_watches"
            try await eventually(every: .milliseconds(50)) {
                let status = try await stage.status()
                let inbox = status["inboxes"]?.array?.first
                guard inbox?["folders"]?.integer == 21 else { return "\(status)" }
                let problems = status["problems"]?.array?.compactMap(\.string) ?? []
                guard problems.contains(where: { $0.contains(limit) }) else { return "\(problems)" }
                // Some folders are watched, but not all.
                return inbox?["watching"]?.string == "polling" ? nil : "\(status)"
            }
            #expect(try await stage.status()["state"]?.string == "degraded")
            for number in 1...20 {
                try Disk.put([1], at: stage.inbox / TestPath("\(number)/\(number).txt"))
            }
            try await stage.expectCounters(["seen": 20, "filed": 20, "waiting": 0])
            let lines = Disk.text(stage.daemonLog).split(separator: "\n").filter { $0.contains(limit) }
            #expect(lines.count == 1, "\(lines)")
            let words = "of 21 folders cannot be watched and are polled"
            #expect(lines.first?.contains(words) == true, "\(lines)")
        }
    }
}
