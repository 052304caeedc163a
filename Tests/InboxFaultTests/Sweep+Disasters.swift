import InboxTestSupport

/// What is done at call N, and what has to hold then.
extension Sweep {
    /// Kills the daemon at each call, and lets the next run end what was begun.
    static func kill(_ row: FaultRow) async throws {
        try await numbers(from: try await first(of: row), row, "killed") { number in
            let stage = try FaultStage(row)
            let killed = try await stage.run("*:\(number):KILL")
            guard killed.exit == .signal(9) else {
                guard killed.exit == .status(0) else { throw Failure("\(killed.exit): \(killed.errors)") }
                try stage.expectAllFiled()
                return true
            }
            try await inContext(of: killed, number) {
                try stage.expectNothingLost()
                let next = try await expectRecovery(stage)
                try OrderProof(stage, [killed.trace, next.trace]).check()
            }
            return false
        }
    }

    /// Fails each call once with an error, and lets the next run end what was begun.
    static func fail(_ row: FaultRow, _ error: Int32) async throws {
        try await numbers(from: try await first(of: row), row, "error \(error)") { number in
            let stage = try FaultStage(row)
            let failed = try await stage.run("*:\(number):\(error)")
            try await inContext(of: failed, number) {
                guard case .status(let status) = failed.exit, [0, 1, 75, 78].contains(status) else {
                    throw Failure("\(failed.exit): \(failed.errors)")
                }
                // A loop that cannot go on leaves its worker in the middle, as a kill does.
                try stage.expectNothingLost(isKilled: status == 1)
                try await expectRecovery(stage)
            }
            return failed.trace.calls.count < number
        }
    }

    /// Kills the daemon where that leaves something to recover, then its recovery at each call.
    static func killRecovery(_ row: FaultRow) async throws {
        for number in try await callsThatLeaveWork(row) {
            let probe = try FaultStage(row)
            _ = try await probe.run("*:\(number):KILL")
            let undisturbed = try await probe.run()
            try probe.expectAllFiled()
            let calls = undisturbed.trace.firstOfRecovery...undisturbed.trace.endOfRecovery
            try await numbers(from: calls.lowerBound, through: calls.upperBound, row, "killed at \(number) and") {
                again in
                let stage = try FaultStage(row)
                let first = try await stage.run("*:\(number):KILL")
                let second = try await stage.run("*:\(again):KILL")
                try await inContext(of: first, number) {
                    try await inContext(of: second, again) {
                        try stage.expectNothingLost()
                        let third = try await expectRecovery(stage)
                        try OrderProof(stage, [first.trace, second.trace, third.trace]).check()
                    }
                }
                return second.exit != .signal(9)
            }
        }
    }

    /// One call for each different state that a kill can leave behind, where a journal is not empty.
    private static func callsThatLeaveWork(_ row: FaultRow) async throws -> [Int] {
        var known: Set<[String]> = []
        var calls: [Int] = []
        var number = try await first(of: row)
        while true {
            let stage = try FaultStage(row)
            guard try await stage.run("*:\(number):KILL").exit == .signal(9) else { return calls }
            // Of the states of a batch, which differ in how many have moved, a few are enough.
            if let state = try stage.interruption(), known.count < 5, known.insert(state).inserted {
                calls.append(number)
            }
            number += 1
        }
    }

    @discardableResult
    private static func expectRecovery(_ stage: FaultStage) async throws -> FaultStage.Run {
        let run = try await stage.run()
        guard run.exit == .status(0) else { throw Failure("the run after it: \(run.exit): \(run.errors)") }
        do { try stage.expectAllFiled() } catch { throw Failure("after the run after it: \(error)") }
        return run
    }

    /// Says at which call the plan struck.
    private static func inContext(
        of run: FaultStage.Run, _ number: Int, _ body: () async throws -> Void
    ) async throws {
        do { try await body() } catch {
            throw Failure("\(run.call(number).map { "\($0)" } ?? "no call struck"): \(error); it said: \(run.errors)")
        }
    }
}
