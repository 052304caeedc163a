import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("Changes that a try finds and no inspection shows")
struct UnseenChangeTests {
    /// How many seconds pass until the document may be tried again.
    private func pause(_ stage: IntakeStage) throws -> Int {
        for seconds in 0...100 {
            if !stage.ready(most: 1).isEmpty { return seconds }
            stage.advance(.seconds(1))
        }
        throw Failure("it is not tried again: \(stage.arrivals)")
    }

    /// A document that may be tried, and was found changed by so many tries.
    private func ready(changed count: Int = 0) throws -> (IntakeStage, ArrivalID) {
        let stage = try IntakeStage()
        try stage.drop("letter")
        _ = try pause(stage)
        let id = try #require(stage.id("letter"))
        for _ in 0..<count {
            stage.intake.resolve(id, .changed, at: stage.moment)
            _ = try pause(stage)
        }
        return (stage, id)
    }

    @Test("After the first the document is tried at once, then at growing intervals that a change of it ends")
    func spaced() throws {
        let (stage, id) = try ready()
        var pauses: [Int] = []
        for _ in 1...5 {
            stage.intake.resolve(id, .changed, at: stage.moment)
            pauses.append(try pause(stage))
        }
        #expect(pauses == [0, 1, 2, 4, 8])
        stage.intake.resolve(id, .changed, at: stage.moment)
        #expect(stage.arrivals == ["letter": "retrying"])
        #expect(stage.intake.parts.book[id]?.detail?.contains("at growing intervals") == true)
        try stage.drop("letter", "other content", .closedAfterWriting)
        #expect(try pause(stage) < 16)
        stage.intake.resolve(id, .changed, at: stage.moment)
        #expect(try pause(stage) == 0)
    }

    @Test("A try that finds no change ends the row")
    func ended() throws {
        let (stage, id) = try ready(changed: 4)
        stage.intake.resolve(id, .writer, at: stage.moment)
        _ = try pause(stage)
        stage.intake.resolve(id, .changed, at: stage.moment)
        #expect(try pause(stage) == 0)
    }

    @Test("What changes in a package whenever it is moved leaves the row as it is")
    func package() throws {
        let stage = try IntakeStage()
        stage.folder.makeFolder("outside/p.rtfd")
        try stage.folder.write("outside/p.rtfd/a", "1")
        stage.rename("outside/p.rtfd", "inbox/p.rtfd")
        stage.event([.movedTo, .isFolder], "p.rtfd")
        _ = try pause(stage)
        let id = try #require(stage.id("p.rtfd"))
        var last = 0
        for round in 1...5 {
            try stage.folder.write("inbox/p.rtfd/a", String(repeating: "1", count: round + 1))
            stage.intake.resolve(id, .changed, at: stage.moment)
            last = try pause(stage)
        }
        #expect((8...16).contains(last), "\(last)")
    }

    @Test("Who asks for another try gets one at once")
    func asked() throws {
        let (stage, id) = try ready(changed: 4)
        stage.intake.resolve(id, .changed, at: stage.moment)
        #expect(!stage.intake.hasReady)
        let arrival = try #require(stage.intake.parts.book[id])
        stage.intake.parts.retries.tryAgain(arrival, at: stage.moment)
        #expect(stage.intake.hasReady)
    }
}
