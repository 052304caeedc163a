import Glibc
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxLinux

@Suite("Hidden names inside a folder")
struct HiddenNamesTests {
    @Test(
        "A hidden name waits as long as a download grows in its folder, or in one inside it",
        arguments: ["a.part", "sub/a.part", "sub/deep/a.part", ".meta/a.part"])
    func growing(_ download: String) throws {
        let stage = try IntakeStage(slow: .seconds(1_000))
        for name in ["f", "f/sub", "f/sub/deep", "f/.meta"] { stage.folder.makeFolder("inbox/" + name) }
        try stage.folder.write("inbox/f/.hidden", "1")
        try stage.folder.write("inbox/f/" + download, "2")
        stage.event(.created, "f")
        stage.settle()
        #expect(stage.arrivals["f/" + download] == "ignored")
        stage.advance(.seconds(2))
        #expect(stage.arrivals["f/.hidden"] == "sibling")
        for _ in 0..<10 {
            stage.advance(.seconds(70))
            #expect(stage.arrivals["f/.hidden"] == "sibling" && stage.ready(most: 9).isEmpty)
        }
        // The clocks have caught up with the download, and it has not grown since.
        stage.advance(.seconds(400))
        stage.advance(.seconds(70))
        #expect(stage.ready(most: 9).count == 1)
    }

    @Test("A hidden name has a next try once nothing else is left in its folder")
    func turn() throws {
        let stage = try IntakeStage()
        stage.folder.makeFolder("inbox/f")
        try stage.folder.write("inbox/f/.hidden", "1")
        stage.folder.makeLink("inbox/f/link", to: "nowhere")
        stage.event(.created, "f")
        stage.settle()
        func turn() -> Instant? { stage.intake.arrivals(.waiting).first.flatMap(stage.intake.turn) }
        stage.advance(.seconds(2))
        #expect(stage.arrivals["f/.hidden"] == "sibling" && turn() == nil)
        unlink(stage.folder.path + "/inbox/f/link")
        stage.event(.deleted, "link", in: "f")
        stage.settle()
        let next = try #require(turn())
        #expect(next == stage.moment.now + .seconds(60))
        stage.advance(.seconds(60))
        #expect(stage.ready(most: 9).count == 1)
    }
}
