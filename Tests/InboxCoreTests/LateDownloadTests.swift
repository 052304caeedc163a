import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxLinux

/// A reading meets the names of a folder in any order.
@Suite("Downloads that a reading meets after their targets")
struct LateDownloadTests {
    @Test("A document with a partial download beside it waits, whichever of the two a reading meets first")
    func either() throws {
        let stage = try IntakeStage()
        for number in 0..<20 {
            try stage.folder.write("inbox/\(number)", "1")
            try stage.folder.write("inbox/\(number).part")
        }
        stage.intake.requestFullScan(at: stage.moment)
        stage.advance(.seconds(2))
        stage.awaitCompany()
        #expect(stage.ready(most: 99).isEmpty)
        #expect((0..<20).allSatisfy { stage.arrivals["\($0)"] == "sibling" })
    }

    @Test("A placeholder waits though its download is one of many names that the reading has not met yet")
    func many() throws {
        let stage = try IntakeStage()
        for number in 0..<1_000 {
            try stage.folder.write("inbox/\(number)", "")
            try stage.folder.write("inbox/\(number).part")
        }
        let later = Moment(
            now: stage.moment.now + .seconds(60), wall: stage.moment.wall(at: stage.moment.now + .seconds(60)))
        stage.intake.requestFullScan(at: stage.moment)
        stage.intake.proceed(at: later)
        #expect(stage.intake.isReading && stage.ready(most: 2_000).isEmpty)
    }
}
