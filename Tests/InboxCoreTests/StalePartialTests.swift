import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxLinux

/// What has the name of a partial download may be a document.
@Suite("Partial downloads that nobody goes on with")
struct StalePartialTests {
    @Test("One of nothing that is there is a line of the status after a day, and nothing is degraded for that")
    func alone() throws {
        let stage = try IntakeStage { $0.rescan = .seconds(300) }
        try stage.drop("story.part")
        try stage.drop("film.mkv.crdownload")
        try stage.drop("film.mkv", "")
        stage.settle()
        stage.advance(.seconds(86_000))
        #expect(stage.intake.problems.all.isEmpty)
        stage.advance(.seconds(900))
        let words = try #require(stage.intake.problems.all.first)
        #expect(stage.intake.problems.all.count == 1 && words.contains("/inbox/story.part is ignored"))
        #expect(!words.contains("more like it"))
        #expect(!stage.intake.problems.areGrave)
        stage.rename("inbox/story.part", "inbox/story.txt")
        stage.advance(.seconds(300))
        #expect(stage.intake.problems.all.isEmpty)
    }
}
