import InboxTestSupport
import Testing

@Suite("A fault at every system call")
struct FaultSweepTests {
    @Test("Killed at any call, the next run leaves one copy under one name and one record", arguments: FaultRow.all)
    func killed(_ row: FaultRow) async throws {
        let first = try await Sweep.first(of: row)
        try await Sweep.numbers(from: first, row, "killed") { number in
            let stage = try FaultStage(row)
            let killed = try await stage.run("*:\(number):KILL")
            guard killed.exit == .signal(9) else {
                guard killed.exit == .status(0) else { throw Failure("\(killed.exit): \(killed.errors)") }
                try stage.expectAllFiled()
                return true
            }
            try await inContext(of: killed) {
                try stage.expectNothingLost()
                try await expectRecovery(stage)
            }
            return false
        }
    }

    /// Errors that any call may give, one of each kind that the code tells apart: passing ones (a full disk, a failing
    /// one, no descriptor), a denied one, an unsupported one, and a name that is not there.
    static let errors: [(row: FaultRow, error: Int32)] = FaultRow.all.flatMap { row in
        let errors: [Int32] = row.isPlainest ? [28, 5, 24, 13, 22, 2] : [28, 13]
        return errors.map { (row, $0) }
    }

    @Test("When any call fails once, nothing is lost, and the next run ends what was begun", arguments: errors)
    func failed(_ row: FaultRow, _ error: Int32) async throws {
        let first = try await Sweep.first(of: row)
        try await Sweep.numbers(from: first, row, "error \(error)") { number in
            let stage = try FaultStage(row)
            let failed = try await stage.run("*:\(number):\(error)")
            try await inContext(of: failed) {
                guard case .status(let status) = failed.exit, [0, 1, 75, 78].contains(status) else {
                    throw Failure("\(failed.exit): \(failed.errors)")
                }
                try stage.expectNothingLost()
                try await expectRecovery(stage)
            }
            return failed.struck == nil
        }
    }

    /// The rows whose recovery has work of its own.
    static let recovering = ["same filesystem", "batch", "no RENAME_NOREPLACE", "rotation"]

    @Test("Recovery that is killed itself at any call converges", arguments: recovering)
    func killedTwice(_ name: String) async throws {
        let row = try FaultRow.named(name)
        for number in try await callsThatLeaveWork(row) {
            let probe = try FaultStage(row)
            _ = try await probe.run("*:\(number):KILL")
            let undisturbed = try await probe.run()
            try probe.expectAllFiled()
            let calls = undisturbed.trace.firstOnState...undisturbed.trace.endOfRecovery
            try await Sweep.numbers(from: calls.lowerBound, through: calls.upperBound, row, "killed at \(number) and") {
                let stage = try FaultStage(row)
                let first = try await stage.run("*:\(number):KILL")
                let second = try await stage.run("*:\($0):KILL")
                try await inContext(of: first) {
                    try await inContext(of: second) {
                        try stage.expectNothingLost()
                        try await expectRecovery(stage)
                    }
                }
                return second.exit != .signal(9)
            }
        }
    }

    /// One call for each different state that a kill can leave behind, where the journal is not empty.
    private func callsThatLeaveWork(_ row: FaultRow) async throws -> [Int] {
        var known: Set<[String]> = []
        var calls: [Int] = []
        var number = try await Sweep.first(of: row)
        while true {
            let stage = try FaultStage(row)
            guard try await stage.run("*:\(number):KILL").exit == .signal(9) else { return calls }
            let journal = Disk.text(stage.stage.state / "journal")
            let state =
                try Disk.leaves(of: stage.stage.documents).map(\.description)
                + [journal.isEmpty ? "" : "journal", "\(try stage.stage.history().count)"]
            // Of the states of a batch, which differ in how many have moved, a few are enough.
            if !journal.isEmpty, known.count < 4, known.insert(state).inserted { calls.append(number) }
            number += 1
        }
    }

    private func expectRecovery(_ stage: FaultStage) async throws {
        let run = try await stage.run()
        guard run.exit == .status(0) else { throw Failure("the run after it: \(run.exit): \(run.errors)") }
        do { try stage.expectAllFiled() } catch { throw Failure("after the run after it: \(error)") }
    }

    /// Says at which call the plan struck.
    private func inContext(of run: FaultStage.Run, _ body: () async throws -> Void) async throws {
        do { try await body() } catch {
            throw Failure("\(run.struck.map { "\($0)" } ?? "no call struck"): \(error); it said: \(run.errors)")
        }
    }
}
