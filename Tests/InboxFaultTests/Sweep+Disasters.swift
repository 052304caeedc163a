import InboxTestSupport

/// What is done at call N, and what has to hold then.
extension Sweep {
    /// Kills the daemon before each change, and lets the next run end what was begun; then kills that run as well, where
    /// the first kill has left something of another kind to recover.
    static func kill(_ row: FaultRow) async throws {
        let states = FirstStates()
        try await play(try await kills(of: row), row, "killed") { target in
            let stage = try FaultStage(row)
            let killed = try await stage.run(target.plan("KILL"))
            guard killed.exit == .signal(9) else {
                guard killed.exit == .status(0) else { throw Failure("\(killed.exit): \(killed.errors)") }
                try stage.expectAllFiled()
                return true
            }
            try await inContext(of: killed) {
                let kind = try stage.interruption()
                try stage.expectNothingLost()
                let next = try await expectRecovery(stage)
                try OrderProof(stage, [killed.trace, next.trace]).check()
                if let kind { states.note(kind, FirstState(target: target, recovery: next.trace)) }
            }
            return false
        }
        let firsts = states.some(row.hasOwnRecovery ? 4 : 1, for: "recovery of \(row.name)")
        // A part of the kills may all leave an empty journal.
        guard !firsts.isEmpty || !Extent.isFull else { throw Failure("\(row.name): no kill leaves anything") }
        for first in firsts { try await killRecovery(row, from: first) }
    }

    /// Fails calls once, each with one of the row's errors by turns, and lets the next run end what was begun. The seed
    /// decides which error is the first.
    static func fail(_ row: FaultRow) async throws {
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

    /// Kills the recovery from this state before each call that changes something.
    private static func killRecovery(_ row: FaultRow, from seen: FirstState) async throws {
        let first = try await withFewestCalls(seen, row)
        try await play(first.changes, row, "killed at \(first.target) and") { again in
            let stage = try FaultStage(row)
            let killed = try await stage.run(first.target.plan("KILL"))
            let second = try await stage.run(again.plan("KILL"))
            try await inContext(of: killed) {
                try await inContext(of: second) {
                    try stage.expectNothingLost()
                    let third = try await expectRecovery(stage)
                    try OrderProof(stage, [killed.trace, second.trace, third.trace]).check()
                }
            }
            return second.exit != .signal(9)
        }
    }

    /// The state with that of three recoveries from it which has the fewest calls: one that files in two batches what
    /// another files in one writes more often.
    private static func withFewestCalls(_ first: FirstState, _ row: FaultRow) async throws -> FirstState {
        var fewest = first
        for _ in 0..<2 {
            let next: CallTrace? = try await gate.pass {
                let stage = try FaultStage(row)
                guard try await stage.run(first.target.plan("KILL")).exit == .signal(9) else { return nil }
                return try await expectRecovery(stage).trace
            }
            guard let next, next.calls.count < fewest.next.calls.count else { continue }
            fewest = FirstState(target: first.target, recovery: next)
        }
        return fewest
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

extension FirstState {
    /// The state, and the calls of a whole run that ended what was begun.
    fileprivate init(target: Target, recovery: CallTrace) {
        // Whether the roots have to be written down once more is a matter of when the kill struck their thread.
        let numbers = (recovery.firstOfRecovery...recovery.endOfRecovery).filter {
            $0 <= recovery.calls.count && !recovery.calls[$0 - 1].mentions("/state/places")
        }
        self.init(target: target, next: recovery, numbers: numbers)
    }
}
