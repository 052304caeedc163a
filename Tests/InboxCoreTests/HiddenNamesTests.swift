import InboxTestSupport
import Testing

@testable import InboxCore

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
}
