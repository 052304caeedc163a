import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

/// Folders are read a part in each turn of the loop, in which events are taken too.
@Suite("Reading a folder beside a flood of events")
struct EventFloodTests {
    private static let count = 5_000

    @Test("Folders are read for as long as the events of the turn took, so that no flood keeps a reading from its end")
    func share() throws {
        let stage = try IntakeStage()
        for number in 0..<Self.count { try stage.folder.write("inbox/\(number).part") }
        stage.intake.requestFullScan(at: stage.moment)
        let later = Moment(
            now: stage.moment.now + .seconds(2), wall: stage.moment.wall(at: stage.moment.now + .seconds(2)))
        stage.intake.proceed(at: later)
        // A turn without events serves others after a small part.
        let read = stage.intake.accounting.ignored
        #expect(read > 0 && read < Self.count)
        stage.intake.noteEvents(took: .seconds(60))
        stage.intake.proceed(at: later)
        #expect(stage.intake.accounting.ignored == Self.count)
        #expect(!stage.intake.isReading)
    }
}
