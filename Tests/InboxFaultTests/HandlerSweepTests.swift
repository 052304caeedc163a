import InboxTestSupport
import Testing

/// A kill before any call between filing and the recorded end of a handler, of several endings before any call that
/// changes something; without `INBOX_TESTS=full`, before some of these.
@Suite("Handlers when the daemon is killed")
struct HandlerSweepTests {
    /// A handler that ends in one way.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What it does after it has told that it runs, in the shell's words.
        let ending: String
        var settings: [TestPath] = ["DocumentType Texts.RunRetries=0"]
        /// The outcome, and the member of the record that says more.
        let record: [String: JSONValue]

        /// Whether the others differ from it in the ending alone.
        var isPlainest: Bool { testDescription == "succeeds" }

        var row: FaultRow {
            let run = "/bin/sh -c 'echo run >> \"$INBOX_PATH.runs\"; \(ending)'"
            return FaultRow(
                name: "handler that \(testDescription)",
                settings: settings + [
                    "DocumentType Texts.ContentTypes=public.item", TestPath("DocumentType Texts.Run=\(run)"),
                ], drops: [FaultRow.drop("letter.txt")])
        }
    }

    private static let cases = [
        Case(
            testDescription: "succeeds", ending: "exit 0",
            record: ["outcome": .string("done"), "exitStatus": .integer(0)]),
        Case(
            testDescription: "fails", ending: "exit 3",
            record: ["outcome": .string("failed"), "exitStatus": .integer(3)]),
        Case(
            testDescription: "dies of a signal", ending: "kill -9 $$",
            record: ["outcome": .string("failed"), "signal": .integer(9)]),
        Case(
            testDescription: "hangs", ending: "sleep 20",
            settings: ["DocumentType Texts.RunRetries=0", "DocumentType Texts.RunTimeout=500ms"],
            record: ["outcome": .string("failed"), "detail": .string("it was killed at RunTimeout")]),
    ]
    /// How many targets of the sweep are a part of it.
    private static let part = 4

    @Test(
        "Whatever call the kill strikes, the handler has run after the next start, and its end is recorded once",
        arguments: cases)
    func killed(_ handler: Case) async throws {
        let row = handler.row
        let undisturbed = try FaultStage(row)
        let run = try await undisturbed.run()
        #expect(run.exit == .status(0), "\(run.errors)")
        #expect(try Self.runs(undisturbed) == 1)
        try Self.expectRecords(undisturbed, handler)
        let first = try #require(run.trace.calls.firstIndex { $0.name.hasPrefix("rename") })
        let targets = run.trace.targets(
            (max(1, first - 10)...run.trace.calls.count)
                .filter { handler.isPlainest || run.trace.calls[$0 - 1].isChange })
        try await Sweep.each(Extent.some(Self.part, of: targets, for: row.name)) { target in
            let stage = try FaultStage(row)
            let killed = try await stage.run(target.plan("KILL"))
            // The threads' calls may come in another order, so that there are fewer.
            if killed.exit != .signal(9) { #expect(killed.exit == .status(0), "\(target): \(killed.errors)") }
            let next = try await stage.run()
            #expect(next.exit == .status(0), "killed at \(target): \(next.errors)")
            let runs = try Self.runs(stage)
            #expect((1...2).contains(runs), "killed at \(target), it ran \(runs) times")
            do { try Self.expectRecords(stage, handler) } catch { Issue.record("killed at \(target): \(error)") }
            let third = try await stage.run()
            #expect(third.exit == .status(0))
            #expect(try Self.runs(stage) == runs, "killed at \(target), it ran again after its end was recorded")
        }
    }

    private static func runs(_ stage: FaultStage) throws -> Int {
        let path = stage.stage.documents / "letter.txt.runs"
        guard Disk.exists(path) else { return 0 }
        return Disk.text(path).split(separator: "\n").count
    }

    private static func expectRecords(_ stage: FaultStage, _ handler: Case) throws {
        let records = try stage.stage.history()
        let ends = records.filter { $0["event"]?.string == "handler" }
        guard ends.count == 1, handler.record.allSatisfy({ ends[0][$0.key] == $0.value }) else {
            throw Failure("the records of the handler's end: \(ends)")
        }
        guard try stage.stage.filedRecords().count == 1 else { throw Failure("the records: \(records)") }
    }
}
