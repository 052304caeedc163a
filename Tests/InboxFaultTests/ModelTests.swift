import Glibc
import InboxTestSupport
import Testing

/// Random operations against a model. `INBOX_TESTS_SEED` repeats a run's hand (the daemon's own time is its own), and
/// `INBOX_MODEL_SECONDS` sets how long it plays.
@Suite("A random hand")
struct ModelTests {
    @Test(
        "Whatever random hands do in Inboxes and Documents, each document is filed exactly once, by one daemon or by two",
        arguments: 1...2)
    func random(daemons: Int) async throws {
        let seconds = setting("INBOX_MODEL_SECONDS", default: Extent.times(40, part: 5))
        let seed = Extent.seed
        try await Gate.daemons.pass {
            let settings: [TestPath] = [
                "Inbox.Settle=0", "Inbox.FolderSettle=50ms", "Inbox.EmptySettle=100ms", "Inbox.Symlinks=move",
                "History.MaxSize=100K",
            ]
            let crew = try (0..<daemons).map { _ in try Stage(settings: settings) }
            defer { for stage in crew { stage.close() } }
            let stage = crew[0]
            let other = OtherFilesystem.isThere ? try OtherFilesystem() : nil
            // What cannot be removed stays for whoever looks.
            defer { if let other { try? Disk.removeTree(other.path) } }
            let model = try Model(crew, on: stage, and: other, seed: seed)
            do {
                try await play(model, .seconds(seconds))
                if Extent.isFull {
                    print(
                        "the random hand: \(model.operations) operations, \(model.dropped) documents, "
                            + "\(model.inDocuments.ledger.touched) of them changed or taken in Documents, seed \(seed)")
                }
            } catch {
                Issue.record(
                    "INBOX_TESTS_SEED=\(seed), operation \(model.operations): \(error)\n\(await stage.report())")
            }
        }
    }

    private func play(_ model: Model, _ duration: Duration) async throws {
        let places = model.arguments
        for stage in model.crew { try await stage.start(places) }
        let clock = ContinuousClock()
        let end = clock.now + duration
        while clock.now < end {
            for _ in 0..<Int.random(in: 1...60, using: &model.random) { try model.step() }
            let stage = model.crew.randomElement(using: &model.random) ?? model.stage
            switch Int.random(in: 0..<100, using: &model.random) {
            case 0..<12: _ = try await stage.status()
            case 12..<20: try signal(SIGHUP, to: stage)
            case 20..<24: try await kill(stage, model, places)
            case 24..<27: try await restart(stage, places)
            case 27..<29: try stopped(model.crew) { try model.flood(9_000) }
            case 29..<33: try stopped([stage]) { for _ in 0..<50 { try model.step() } }
            case 33..<37: try await startOther(than: stage, model, places)
            default: pause(.microseconds(Int.random(in: 0...20_000, using: &model.random)))
            }
        }
        try model.finish()
        try await eventually(every: .milliseconds(100)) {
            let left = try model.unfiled()
            guard left.isEmpty else { return "\(left.count) documents are still in the Inbox: \(left.prefix(5))" }
            for stage in model.crew {
                guard try await stage.counters()["waiting"] == 0 else { return "something still waits" }
            }
            return nil
        }
        for stage in model.crew {
            guard try await stage.end(SIGTERM) == .status(0) else { throw Failure("the daemon did not end well") }
        }
        try model.expectEachOnce()
    }

    private func signal(_ number: Int32, to stage: Stage) throws {
        guard let daemon = stage.daemon, daemon.exit == nil else { throw Failure("the daemon has ended by itself") }
        daemon.signal(number)
    }

    /// A daemon is killed, and another one, where there is one, is the first that starts after that.
    private func startOther(than stage: Stage, _ model: Model, _ places: [TestPath]) async throws {
        guard let other = model.crew.first(where: { $0 !== stage }) else { return }
        try await end(stage, SIGKILL, .signal(SIGKILL))
        try await kill(other, model, places)
        for _ in 0..<20 { try model.step() }
        try model.noteKill()
        try await stage.start(places)
    }

    /// A daemon is killed, and somebody works in Documents before it starts again.
    private func kill(_ stage: Stage, _ model: Model, _ places: [TestPath]) async throws {
        try await end(stage, SIGKILL, .signal(SIGKILL))
        for _ in 0..<5 { try model.stepInDocuments() }
        try model.noteKill()
        try await stage.start(places)
    }

    private func restart(_ stage: Stage, _ places: [TestPath]) async throws {
        try await end(stage, SIGTERM, .status(0))
        try await stage.start(places)
    }

    private func end(_ stage: Stage, _ number: Int32, _ expected: Program.Exit) async throws {
        let exit = try await stage.end(number)
        guard exit == expected else { throw Failure("the daemon ended with \(exit)") }
    }

    /// Does something while these daemons are stopped.
    private func stopped(_ stages: [Stage], _ body: () throws -> Void) throws {
        defer { for stage in stages { stage.daemon?.signal(SIGCONT) } }
        for stage in stages { try signal(SIGSTOP, to: stage) }
        try body()
    }
}
