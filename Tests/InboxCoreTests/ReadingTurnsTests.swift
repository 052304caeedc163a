import Glibc
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

/// After an overflow only a reading finds what was missed.
@Suite("Whose folder is read next", .enabled(if: geteuid() == 0, "only root gives folders away"))
struct ReadingTurnsTests {
    private static let other: uid_t = 12_345

    /// Makes a folder of somebody with this many names that are ignored, beside the Inbox.
    private static func make(_ name: String, _ count: Int, on stage: IntakeStage) throws {
        stage.folder.makeFolder("outside/" + name)
        for number in 0..<count { try stage.folder.write("outside/\(name)/\(number).part", "") }
        try #require(chown(stage.folder.path + "/outside/" + name, other, other) == 0)
    }

    private static func enter(_ name: String, cookie: Int, on stage: IntakeStage) {
        stage.rename("outside/" + name, "inbox/" + name)
        stage.event([.movedTo, .isFolder], name, cookie: UInt32(cookie))
    }

    private static func later(_ stage: IntakeStage, _ turn: Int = 0) -> Moment {
        let now = stage.moment.now + .seconds(2) + .milliseconds(turn)
        return Moment(now: now, wall: stage.moment.wall(at: now))
    }

    @Test("Whoever moves folder after folder into the Inbox does not keep what was missed there from being found")
    func flood() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        for number in 0..<24 { try Self.make("f\(number)", 600, on: stage) }
        for number in 0..<2 { Self.enter("f\(number)", cookie: number + 1, on: stage) }
        stage.settle()
        try stage.folder.write("inbox/letter")
        stage.intake.requestFullScan(at: stage.moment)
        for number in 2..<24 where stage.id("letter") == nil {
            Self.enter("f\(number)", cookie: number + 1, on: stage)
            stage.intake.proceed(at: Self.later(stage, number))
        }
        #expect(stage.id("letter") != nil)
    }

    @Test("A folder with very many names of one user does not hold up the reading of another's")
    func large() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        let count = 6 * FolderScanner.turn
        try Self.make("large", count, on: stage)
        stage.settle()
        Self.enter("large", cookie: 1, on: stage)
        stage.intake.proceed(at: stage.moment)
        try stage.folder.write("inbox/letter")
        stage.intake.requestFullScan(at: stage.moment)
        for turn in 0..<3 { stage.intake.proceed(at: Self.later(stage, turn)) }
        #expect(stage.id("letter") != nil && stage.intake.isReading)
        // Each is read to its end.
        for turn in 3..<40 where stage.intake.isReading { stage.intake.proceed(at: Self.later(stage, turn)) }
        #expect(!stage.intake.isReading && stage.intake.accounting.ignored == count && stage.intake.isConsistent)
    }
}
