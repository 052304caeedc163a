import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore

/// A folder that is moved away may have a million arrivals in it: others are served while they go.
@Suite("Folders that leave with very many arrivals in them")
struct LeftFoldersTests {
    private static let count = 3 * LeftFolders.portion

    /// A stage with a folder that has so many names that are ignored, and a document.
    private static func stage() throws -> IntakeStage {
        let stage = try IntakeStage()
        stage.folder.makeFolder("inbox/d")
        for number in 0..<count { try stage.folder.write("inbox/d/\(number)~", "") }
        try stage.folder.write("inbox/d/letter", "1")
        stage.event([.created, .isFolder], "d")
        while stage.intake.isReading { stage.intake.proceed(at: stage.moment) }
        try #require(stage.intake.accounting.ignored == count && stage.intake.accounting.waiting == 1)
        return stage
    }

    /// Moves the folder away; returns a moment at which it has not turned up elsewhere in time.
    private static func moveAway(_ stage: IntakeStage) -> Moment {
        stage.rename("inbox/d", "outside/d")
        stage.event([.movedFrom, .isFolder], "d")
        let now = stage.moment.now + .seconds(1)
        return Moment(now: now, wall: stage.moment.wall(at: now))
    }

    @Test("Some of what is ignored goes in each turn of the loop, and all of it in the end; what waits goes at once")
    func parts() throws {
        let stage = try Self.stage()
        let later = Self.moveAway(stage)
        var withdrawn = 0
        for turn in 1...3 {
            stage.intake.proceed(at: later)
            let sum = stage.intake.accounting
            #expect(sum.withdrawn > withdrawn && sum.withdrawn - withdrawn <= LeftFolders.portion + 1, "turn \(turn)")
            #expect(sum.waiting == 0 && stage.intake.isConsistent)
            withdrawn = sum.withdrawn
            if turn < 3 { #expect(stage.intake.isReading && stage.intake.nextDeadline <= later.now) }
        }
        while stage.intake.isReading { stage.intake.proceed(at: later) }
        #expect(stage.intake.accounting.withdrawn == Self.count + 1 && stage.intake.parts.book.count == 0)
        #expect(stage.intake.nextDeadline > later.now)
    }

    @Test("A folder that returns before all of it has gone is found anew, and nothing of it goes with the former one")
    func returns() throws {
        let stage = try Self.stage()
        let later = Self.moveAway(stage)
        stage.intake.proceed(at: later)
        stage.rename("outside/d", "inbox/d")
        stage.event([.movedTo, .isFolder], "d")
        while stage.intake.isReading { stage.intake.proceed(at: later) }
        let sum = stage.intake.accounting
        #expect(sum.seen == 2 * (Self.count + 1) && sum.withdrawn == Self.count + 1)
        #expect(sum.ignored == Self.count && sum.waiting == 1 && stage.intake.isConsistent)
    }

    @Test("The arrivals in a folder that becomes one document are no longer counted, in parts too")
    func absorbed() throws {
        let stage = try Self.stage()
        stage.folder.makeFolder("inbox/d/.git")
        stage.event([.created, .isFolder], ".git", in: "d")
        #expect(stage.intake.accounting.seen > Self.count / 2)
        while stage.intake.isReading { stage.intake.proceed(at: stage.moment) }
        #expect(stage.arrivals == ["d": "settling"])
        #expect(
            stage.intake.accounting.seen == 1 && stage.intake.accounting.withdrawn == 0 && stage.intake.isConsistent)
    }
}
