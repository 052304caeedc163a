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
        let stage = try stage(slow: .seconds(50), download)
        #expect(stage.arrivals["f/" + download] == "ignored")
        stage.advance(.seconds(2))
        #expect(stage.arrivals["f/.hidden"] == "sibling")
        for _ in 0..<6 {
            stage.advance(.seconds(7))
            #expect(stage.arrivals["f/.hidden"] == "sibling" && stage.ready(most: 9).isEmpty)
        }
        // The clocks have caught up with the download, and it has not grown since.
        stage.advance(.seconds(40))
        stage.advance(.seconds(7))
        #expect(stage.ready(most: 9).count == 1)
    }

    @Test("A hidden name does not wait for the time that an ignored file beside it has in the future")
    func future() throws {
        let stage = try stage(slow: .seconds(1_000), "a.part")
        for _ in 0..<3 { stage.advance(.seconds(7)) }
        #expect(stage.ready(most: 9).count == 1)
    }

    /// A folder with a hidden name and a download. The clocks lag those of the disk, so that both seem to change now.
    private func stage(slow: Duration, _ download: String) throws -> IntakeStage {
        let stage = try IntakeStage(slow: slow) { ($0.settle, $0.folderSettle) = (.zero, .seconds(5)) }
        for name in ["f", "f/sub", "f/sub/deep", "f/.meta"] { stage.folder.makeFolder("inbox/" + name) }
        try stage.folder.write("inbox/f/.hidden", "1")
        try stage.folder.write("inbox/f/" + download, "2")
        stage.event(.created, "f")
        stage.settle()
        return stage
    }

    @Test("Of more hidden names than are released at once none is left behind")
    func many() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        stage.folder.makeFolder("inbox/f")
        for number in 0..<1_200 { try stage.folder.write("inbox/f/.\(number)", "1") }
        stage.event(.created, "f")
        stage.settle()
        stage.advance(.seconds(2))
        #expect(stage.intake.accounting.waiting == 1_200 && stage.ready(most: 1).isEmpty)
        stage.advance(.seconds(60))
        var count = 0
        for _ in 0..<4 {
            count += stage.ready(most: 2_000).count
            stage.proceed()
        }
        #expect(count == 1_200)
    }

    @Test(
        "What waits in a hidden folder goes with it: to a name that is not hidden, or to another folder",
        arguments: ["f/photos", "other/.new"])
    func renamed(_ place: String) throws {
        let stage = try IntakeStage { $0.settle = .zero }
        for name in ["f", "f/.new", "other"] { stage.folder.makeFolder("inbox/" + name) }
        try stage.folder.write("inbox/f/.new/1", "1")
        for name in ["f", "other"] { stage.event([.created, .isFolder], name) }
        stage.settle()
        stage.advance(.seconds(2))
        #expect(stage.arrivals == ["f/.new/1": "sibling"])
        stage.rename("inbox/f/.new", "inbox/" + place)
        let names = place.split(separator: "/").map { String($0) }
        stage.event([.movedFrom, .isFolder], ".new", in: "f", cookie: 7)
        stage.event([.movedTo, .isFolder], names[1], in: names[0], cookie: 7)
        stage.settle()
        stage.advance(.seconds(2))
        #expect(stage.arrivals.keys.sorted() == [place + "/1"])
        #expect(stage.ready(most: 9).count == (names[1].hasPrefix(".") ? 0 : 1))
        if names[1].hasPrefix(".") {
            for _ in 0..<3 { stage.advance(.seconds(61)) }
            #expect(stage.ready(most: 9).count == 1)
        }
    }

    @Test("A hidden name has a next try once nothing else is left in its folder")
    func turn() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        stage.folder.makeFolder("inbox/f")
        try stage.folder.write("inbox/f/.hidden", "1")
        stage.folder.makeLink("inbox/f/link", to: "/nowhere")
        stage.event(.created, "f")
        stage.settle()
        func turn() -> Instant? { stage.intake.arrivals(.waiting).first.flatMap(stage.intake.turn) }
        stage.advance(.seconds(2))
        #expect(stage.arrivals["f/.hidden"] == "sibling" && turn() == nil)
        unlink(stage.folder.path + "/inbox/f/link")
        stage.event(.deleted, "link", in: "f")
        let end = stage.moment.now + .seconds(60)
        stage.advance(.milliseconds(1))
        #expect(try #require(turn()) == end)
        stage.advance(.seconds(60))
        #expect(stage.ready(most: 9).count == 1)
    }
}
