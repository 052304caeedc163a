import Glibc
import InboxTestSupport
import Testing

/// A disk of the state folder that is full, or fails, from some call on.
@Suite("A full state folder")
struct StateFullTests {
    static let errors: [Int32] = [ENOSPC, EIO]
    private static let calls = ["write", "fdatasync", "ftruncate", "renameat2", "fsync"]

    @Test("From any call on, nothing is filed that neither the history nor a journal has", arguments: errors)
    func full(_ error: Int32) async throws {
        try await sweep(try FaultRow.named("rotation"), error)
    }

    @Test(
        "From any call on, nothing is copied that neither the history nor a journal has",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"),
        arguments: errors)
    func fullAcross(_ error: Int32) async throws {
        try await sweep(try FaultRow.named("across without O_TMPFILE"), error)
    }

    /// For each call that needs room, from the first, the second, … on until none is left that is struck.
    private func sweep(_ row: FaultRow, _ error: Int32) async throws {
        try await withThrowingTaskGroup { group in
            for call in Self.calls {
                group.addTask {
                    let some = Extent.some(1, of: Array(1...4), for: "\(row.name), \(call), \(error)")
                    for number in Extent.isFull ? Array(1..<20) : some {
                        let stage = try FaultStage(row)
                        let run = try await Sweep.gate.pass {
                            try await stage.run("\(call)@/state:\(number)+:\(error)")
                        }
                        if !run.trace.calls.contains(where: { $0.result == .struck && $0.mentions("/state") }) {
                            return
                        }
                        do { try await expect(run, on: stage) } catch {
                            throw Failure("\(call) \(number): \(error); it said: \(run.errors)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func expect(_ run: FaultStage.Run, on stage: FaultStage) async throws {
        guard case .status(let status) = run.exit, [0, 75].contains(status) else { throw Failure("\(run.exit)") }
        try stage.expectNothingLost(isKilled: false, isStateFull: true)
        let reported = try Disk.names(in: stage.stage.state).map { Disk.text(stage.stage.state / $0) }.joined()
        for drop in stage.row.drops where Disk.exists(stage.stage.documents / drop.destination) {
            guard reported.contains((stage.stage.inbox / drop.source).description) else {
                throw Failure("nothing reports \(drop.destination)")
            }
        }
        let complaints = run.errors.split(separator: "\n").filter { $0.contains("so nothing is filed") }
        guard complaints.count <= 1 else { throw Failure("reported more than once: \(complaints)") }
        let next = try await Sweep.gate.pass { try await stage.run() }
        guard next.exit == .status(0) else { throw Failure("the run after it: \(next.exit): \(next.errors)") }
        try stage.expectAllFiled()
    }

    /// Failures that last for some calls, in what each way writes.
    static let passing = ["write@/state/journal", "fdatasync@/state/journal", "write@/history", "fdatasync@/history"]

    @Test(
        "When there is room again the daemon goes on by itself, and says once that it began and ended",
        arguments: passing)
    func passes(_ call: String) async throws {
        try await goesOn(try FaultRow.named("same filesystem"), call)
    }

    @Test(
        "When there is room again copies go on by themselves, which is said once at the beginning and the end",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"),
        arguments: passing)
    func passesAcross(_ call: String) async throws {
        try await goesOn(try FaultRow.named("across"), call)
    }

    private func goesOn(_ row: FaultRow, _ call: String) async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(row)
            stage.stage.variables = ["INBOXD_FAULT=" + (1...2).map { "\(call):\($0):28" }.joined(separator: ";")]
            try await stage.stage.start()
            try await eventually {
                let state = try await stage.stage.status()["state"]?.string
                return state == "degraded" ? nil : "the state is \(state ?? "unknown")"
            }
            try await stage.stage.expectFiledRecords(row.documents.count)
            try await stage.stage.expectCounters(["filed": row.documents.count, "waiting": 0])
            try await eventually {
                let state = try await stage.stage.status()["state"]?.string
                return state == "watching" ? nil : "the state is \(state ?? "unknown")"
            }
            #expect(try await stage.stage.end(SIGTERM) == .status(0))
            let lines = Disk.text(stage.stage.daemonLog).split(separator: "\n").filter { $0.contains("so nothing is") }
            #expect(lines.count == 2 && lines[1].contains("over: "), "\(lines)")
            try stage.expectAllFiled()
        }
    }
}
