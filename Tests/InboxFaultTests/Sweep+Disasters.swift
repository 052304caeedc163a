import InboxTestSupport

/// What is done at call N, and what has to hold then.
extension Sweep {
    /// Kills the daemon before each change, and lets the next run end what was begun.
    static func kill(_ row: FaultRow) async throws {
        try await play(try await kills(of: row), row, "killed") { target in
            let stage = try FaultStage(row)
            let killed = try await stage.run(target.plan("KILL"))
            guard killed.exit == .signal(9) else {
                guard killed.exit == .status(0) else { throw Failure("\(killed.exit): \(killed.errors)") }
                try stage.expectAllFiled()
                return true
            }
            try await inContext(of: killed) {
                try stage.expectNothingLost()
                let next = try await expectRecovery(stage)
                try OrderProof(stage, [killed.trace, next.trace]).check()
            }
            return false
        }
    }

    /// Fails calls once, each with one of the row's errors by turns, and lets the next run end what was begun. The seed
    /// decides which error is the first.
    static func fail(_ row: FaultRow) async throws {
        guard !row.errors.isEmpty else { return }
        let turn = Int(Extent.seed % UInt64(row.errors.count))
        try await play(try await failures(of: row), row, "errors \(row.errors) by turns") { target in
            let stage = try FaultStage(row)
            let error = row.errors[(target.index + turn) % row.errors.count]
            let failed = try await stage.run(target.plan("\(error)"))
            try await inContext(of: failed) {
                guard case .status(let status) = failed.exit, [0, 1, 75, 78].contains(status) else {
                    throw Failure("\(failed.exit): \(failed.errors)")
                }
                // A loop that cannot go on leaves its worker in the middle, as a kill does.
                try stage.expectNothingLost(isKilled: status == 1)
                try await expectRecovery(stage, allowsUnsynced: true)
            }
            return !target.isReached(in: failed.trace)
        }
    }

    /// Kills the daemon where that leaves something to recover, then its recovery, before each call that changes something.
    static func killRecovery(_ row: FaultRow) async throws {
        for target in try await callsThatLeaveWork(row) {
            let probe = try FaultStage(row)
            _ = try await probe.run(target.plan("KILL"))
            let undisturbed = try await probe.run()
            try probe.expectAllFiled()
            let calls = undisturbed.trace.calls
            let changes = (undisturbed.trace.firstOfRecovery...undisturbed.trace.endOfRecovery).filter {
                $0 <= calls.count && calls[$0 - 1].isChange
            }
            let targets = undisturbed.trace.targets(changes)
            try await play(targets, row, "killed at \(target) and") { again in
                let stage = try FaultStage(row)
                let first = try await stage.run(target.plan("KILL"))
                let second = try await stage.run(again.plan("KILL"))
                try await inContext(of: first) {
                    try await inContext(of: second) {
                        try stage.expectNothingLost()
                        let third = try await expectRecovery(stage)
                        try OrderProof(stage, [first.trace, second.trace, third.trace]).check()
                    }
                }
                return second.exit != .signal(9)
            }
        }
    }

    /// One call for each different state that a kill can leave behind, where the journal is not empty; without
    /// `INBOX_TESTS=full` any one call while the journal has something.
    private static func callsThatLeaveWork(_ row: FaultRow) async throws -> [Target] {
        let calls = try await undisturbed(row).calls
        let inJournal = calls.indices.filter { calls[$0].subject.contains("/journal") }
        guard let begun = inJournal.first(where: { calls[$0].name == "write" }), let end = inJournal.last, begun < end
        else { throw Failure("\(row.name): no journal is written") }
        let targets = try await kills(of: row, in: begun + 2...end + 1)
        guard Extent.isFull else { return Extent.some(1, of: targets, for: "recovery of \(row.name)") }
        var known: Set<[String]> = []
        var found: [Target] = []
        // Of the states of a batch, which differ in how many have moved, a few are enough: the first ones, when nothing is
        // at its destination yet, and the last ones, when something is.
        for (most, targets) in [(2, targets), (4, targets.reversed())] {
            for target in targets where found.count < most {
                let stage = try FaultStage(row)
                guard try await gate.pass({ try await stage.run(target.plan("KILL")).exit }) == .signal(9) else {
                    continue
                }
                if let state = try stage.interruption(), known.insert(state).inserted { found.append(target) }
            }
        }
        guard !found.isEmpty else { throw Failure("\(row.name): no kill leaves anything to recover") }
        return found
    }

    /// The next run ends everything; only where a disk has failed to say that it keeps the name of a copy, the one after
    /// the next start of the machine does.
    @discardableResult
    private static func expectRecovery(
        _ stage: FaultStage, allowsUnsynced: Bool = false
    ) async throws -> FaultStage.Run {
        let run = try await stage.run()
        let isWaiting = allowsUnsynced && stage.waitsForBoot
        guard run.exit == .status(isWaiting ? 75 : 0) else {
            throw Failure("the run after it: \(run.exit): \(run.errors)")
        }
        do { try stage.expectAllFiled(allowsUnsynced: allowsUnsynced) } catch {
            throw Failure("after the run after it: \(error)")
        }
        if stage.waitsForBoot {
            try stage.startMachineAnew()
            let last = try await stage.run()
            guard last.exit == .status(0) else { throw Failure("the next boot: \(last.exit): \(last.errors)") }
            do { try stage.expectAllFiled() } catch { throw Failure("after the next boot: \(error)") }
        }
        return run
    }

    /// Says at which call the plan struck.
    private static func inContext(of run: FaultStage.Run, _ body: () async throws -> Void) async throws {
        do { try await body() } catch {
            throw Failure("\(run.struck.map { "\($0)" } ?? "no call struck"): \(error); it said: \(run.errors)")
        }
    }
}
