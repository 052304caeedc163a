import InboxTestSupport
import Testing

/// A kill before any call that changes something, after which the state folder is lost with the journal in it; then
/// another kill, or a failed call, while the next run clears up what a daemon has left that nobody knows any more.
@Suite("A state folder that is lost with a crash")
struct StateLossTests {
    /// Calls of a run after a loss. No sweep disturbs more.
    private static let most = 8

    @Test(
        "Nothing is lost, left over or filed twice, and what the lost history may not have is recorded",
        arguments: FaultRow.all)
    func lost(_ row: FaultRow) async throws { try await sweep(row) }

    @Test(
        "So it is with documents that go to another filesystem",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"),
        arguments: FaultRow.across)
    func lostAcross(_ row: FaultRow) async throws { try await sweep(row) }

    private func sweep(_ row: FaultRow) async throws {
        let states = FirstStates()
        let kills = try await Sweep.killsBesideState(of: row)
        // One rename leaves two states.
        try await Sweep.play(kills, row, "killed, and the state lost", least: 2) { target in
            let stage = try FaultStage(row)
            guard let loss = try await Loss(of: stage, at: target) else { return true }
            let next = try await loss.recover()
            if loss.isClaimed { states.note(loss.kind, loss.state(next.trace)) }
            return false
        }
        // A document that was not claimed is in the Inbox or at its destination: the next run is like any first one.
        guard row.isClaimed else { return }
        let firsts = states.some(2, for: "loss of \(row.name)")
        // A part of the kills may all leave nothing claimed.
        guard !firsts.isEmpty || !Extent.isFull else { throw Failure("\(row.name): no kill leaves anything claimed") }
        if let first = firsts.first { try await kill(row, first) }
        if let last = firsts.last { try await fail(row, last) }
    }

    /// So many of these calls, chosen by the seed.
    private func choose(_ targets: [Target], for row: FaultRow) -> [Target] {
        var random = Extent.generator(for: "loss of \(row.name)")
        return targets.indices.shuffled(using: &random).prefix(Self.most).sorted().map { targets[$0] }
    }

    /// Kills the run after the loss, before each change of what the lost daemon has left.
    private func kill(_ row: FaultRow, _ first: FirstState) async throws {
        let targets = choose(first.changes, for: row)
        try await Sweep.play(targets, row, "killed at \(first.target), the state lost, and killed") { target in
            let stage = try FaultStage(row)
            guard let loss = try await Loss(of: stage, at: first.target) else { return true }
            guard try await stage.run(target.plan("KILL")).exit == .signal(9) else { return true }
            try stage.expectEachSomewhere()
            try await loss.recover()
            return false
        }
    }

    /// Fails calls on what the lost daemon has left: all changes, and some others.
    private func fail(_ row: FaultRow, _ first: FirstState) async throws {
        let turn = Int(Extent.seed % UInt64(Sweep.share))
        let numbers = first.numbers.filter { first.next.calls[$0 - 1].isChange || $0 % Sweep.share == turn }
        let what = "killed at \(first.target), the state lost, and errors \(row.errors) by turns"
        try await Sweep.play(choose(first.next.targets(numbers), for: row), row, what) { target in
            let stage = try FaultStage(row)
            guard let loss = try await Loss(of: stage, at: first.target) else { return true }
            let failed = try await stage.run(target.plan("\(row.errors[(target.index + turn) % row.errors.count])"))
            guard case .status(let status) = failed.exit, [0, 1, 75, 78].contains(status) else {
                throw Failure("\(failed.exit): \(failed.errors)")
            }
            try stage.expectEachSomewhere()
            do { try await loss.recover() } catch {
                throw Failure("\(error); the run before it said: \(failed.errors)")
            }
            return !target.isReached(in: failed.trace)
        }
    }
}

/// A kill with which the state folder is lost.
private struct Loss {
    let stage: FaultStage
    /// What kind of state is left.
    let kind: Set<String>
    private let target: Target
    /// How many documents are in the Inbox or in a staging folder, with or without a copy.
    private let sources: Int
    /// The names of the staging folders that are left.
    private let folders: [String]
    /// Whether more is left in them than their locks.
    let isClaimed: Bool

    /// Nil where the plan did not strike.
    init?(of stage: FaultStage, at target: Target) async throws {
        guard try await stage.run(target.plan("KILL")).exit == .signal(9) else { return nil }
        (self.stage, self.target) = (stage, target)
        kind = try stage.whereabouts()
        let staged = try stage.staged()
        isClaimed = staged.contains { $0.folder != "lock" }
        folders = Set(try stage.stagingFolders().compactMap { $0.components.last?.description }).sorted()
        let waiting = stage.row.drops.filter { Disk.exists(stage.stage.inbox / $0.source) }.map(\.document)
        sources = Set(staged.compactMap { $0.drop?.document } + waiting).count
        if Disk.exists(stage.stage.state) { try Disk.removeTree(stage.stage.state) }
    }

    /// The state, from whose undisturbed next run the calls on the staging folders that are left are taken.
    func state(_ next: CallTrace) -> FirstState {
        let numbers = next.calls.indices.filter { index in folders.contains { next.calls[index].mentions($0) } }
        return FirstState(target: target, next: next, numbers: numbers.map { $0 + 1 })
    }

    /// The next run: each document is in Documents once then, and nothing is left of the lost daemon.
    @discardableResult
    func recover() async throws -> FaultStage.Run {
        var run = try await stage.run()
        if stage.waitsForBoot {
            try stage.startMachineAnew()
            run = try await stage.run()
        }
        guard run.exit == .status(0) else { throw Failure("the next run: \(run.exit): \(run.errors)") }
        do { try stage.expectEachOnce() } catch { throw Failure("\(error); the next run said: \(run.errors)") }
        let recorded = try stage.stage.filedRecords().count
        guard recorded >= sources else { throw Failure("\(recorded) records of \(sources) documents") }
        return run
    }
}
