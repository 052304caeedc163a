import InboxTestSupport
import Testing

/// A kill before any call that changes something between filing and the recorded end of a handler.
@Suite("Handlers when the daemon is killed")
struct HandlerSweepTests {
    private static let row = FaultRow(
        name: "handler",
        settings: [
            "DocumentType Texts.ContentTypes=public.item",
            "DocumentType Texts.Run=/bin/sh -c 'echo run >> \"$INBOX_PATH.runs\"'",
        ], drops: [FaultRow.drop("letter.txt")])
    /// How many numbers of the sweep are a part of it.
    private static let part = 12

    @Test("Whatever call the kill strikes, the handler has run after the next start, and its end is recorded once")
    func killed() async throws {
        let undisturbed = try FaultStage(Self.row)
        let run = try await undisturbed.run()
        #expect(run.exit == .status(0), "\(run.errors)")
        #expect(try Self.runs(undisturbed) == 1)
        try Self.expectRecords(undisturbed)
        let first = try #require(run.trace.calls.firstIndex { $0.name.hasPrefix("rename") })
        let changes = (max(1, first - 10)...run.trace.calls.count).filter { run.trace.calls[$0 - 1].isChange }
        try await Sweep.each(Extent.some(Self.part, of: changes, for: "handlers")) { number in
            let stage = try FaultStage(Self.row)
            let killed = try await stage.run("*:\(number):KILL")
            // The threads' calls may come in another order, so that there are fewer.
            if killed.exit != .signal(9) { #expect(killed.exit == .status(0), "\(number): \(killed.errors)") }
            let next = try await stage.run()
            #expect(next.exit == .status(0), "killed at \(number): \(next.errors)")
            let runs = try Self.runs(stage)
            #expect((1...2).contains(runs), "killed at \(number), it ran \(runs) times")
            do { try Self.expectRecords(stage) } catch { Issue.record("killed at \(number): \(error)") }
            let third = try await stage.run()
            #expect(third.exit == .status(0))
            #expect(try Self.runs(stage) == runs, "killed at \(number), it ran again after its end was recorded")
        }
    }

    private static func runs(_ stage: FaultStage) throws -> Int {
        let path = stage.stage.documents / "letter.txt.runs"
        guard Disk.exists(path) else { return 0 }
        return Disk.text(path).split(separator: "\n").count
    }

    private static func expectRecords(_ stage: FaultStage) throws {
        let records = try stage.stage.history()
        let ends = records.filter { $0["event"]?.string == "handler" }
        guard ends.count == 1, ends[0]["outcome"]?.string == "done" else {
            throw Failure("the records of the handler's end: \(ends)")
        }
        guard try stage.stage.filedRecords().count == 1 else { throw Failure("the records: \(records)") }
    }
}
