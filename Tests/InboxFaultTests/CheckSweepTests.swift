import InboxTestSupport
import Testing

/// Kills where a check has rejected a document: it gets to the folder for such documents once, with one record, and
/// nowhere else.
@Suite("Rejected documents when the daemon is killed")
struct CheckSweepTests {
    private static func row(isAcross: Bool) -> FaultRow {
        FaultRow(
            name: isAcross ? "rejected, across" : "rejected",
            settings: ["Inbox.Check=/bin/sh -c 'echo no >&2; exit 65'", "Inbox.Rejected=Rejected"],
            isAcross: isAcross, taken: ["Rejected/letter.txt"],
            drops: [FaultRow.Drop(source: "letter.txt", destination: "Rejected/letter-1.txt")])
    }
    /// How many targets of the sweep are a part of it.
    private static let part = 4

    @Test(
        "Whatever call the kill strikes, the next run leaves a rejected document in its folder once, and records that once",
        arguments: FaultStage.hasOtherFilesystem ? [false, true] : [false])
    func killed(isAcross: Bool) async throws {
        let row = Self.row(isAcross: isAcross)
        let undisturbed = try FaultStage(row)
        let run = try await undisturbed.run()
        #expect(run.exit == .status(0), "\(run.errors)")
        try Self.expectRejected(undisturbed)
        let first = try #require(run.trace.calls.firstIndex { $0.name == "fork" })
        let targets = run.trace.targets((first...run.trace.calls.count).filter { run.trace.calls[$0 - 1].isChange })
        try await Sweep.each(Extent.some(Self.part, of: targets, for: row.name)) { target in
            let stage = try FaultStage(row)
            let killed = try await stage.run(target.plan("KILL"))
            // The threads' calls may come in another order, so that there are fewer.
            if killed.exit != .signal(9) { #expect(killed.exit == .status(0), "\(target): \(killed.errors)") }
            let next = try await stage.run()
            #expect(next.exit == .status(0), "killed at \(target): \(next.errors)")
            do { try Self.expectRejected(stage) } catch { Issue.record("killed at \(target): \(error)") }
        }
    }

    private static func expectRejected(_ stage: FaultStage) throws {
        try stage.expectEachOnce()
        let records = try stage.stage.history()
        guard records.count == 1, records[0]["event"]?.string == "rejected", records[0]["detail"]?.string == "no",
            records[0]["destination"]?.string?.hasSuffix("/Rejected/letter-1.txt") == true
        else { throw Failure("the records: \(records)") }
    }
}
