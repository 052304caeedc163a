import InboxTestSupport
import Testing

@testable import InboxCore

@Suite struct SuccessorTests {
    @Test("What takes the name of a document that is being filed is seen, though its close alone is reported")
    func close() throws {
        let stage = try IntakeStage()
        try stage.drop("a", "1", .movedTo)
        let first = try #require(stage.ready(most: 1).first)
        stage.rename("inbox/a", "outside/a")
        try stage.drop("a", "another", .closedAfterWriting)
        let second = try #require(stage.id("a"))
        #expect(second != first)
        // The event of the move comes later than that of its successor's close.
        stage.event(.movedFrom, "a")
        stage.intake.resolve(first, .changed, at: stage.moment)
        stage.advance(.seconds(6))
        #expect(stage.ready(most: 9) == [second])
        #expect(stage.intake.isConsistent)
    }

    @Test("What waits for a writer and has left its name is no reason to end: it turns up, or is withdrawn")
    func leaving() throws {
        let stage = try IntakeStage()
        try stage.drop("a", "content", .movedTo)
        let id = try #require(stage.ready(most: 9).first)
        stage.intake.resolve(id, .writer, at: stage.moment)
        #expect(stage.arrivals == ["a": "writing"] && stage.intake.isWaitingForOthersOnly)
        stage.rename("inbox/a", "outside/a")
        stage.event(.movedFrom, "a")
        #expect(!stage.intake.isWaitingForOthersOnly)
        stage.advance(ArrivalCourse.renameGrace + .milliseconds(10))
        #expect(stage.arrivals.isEmpty && stage.intake.isWaitingForOthersOnly)
    }
}
