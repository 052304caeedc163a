import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("A folder that is being filled")
struct GatheringTests {
    /// A stage on which a program has created a folder with these files in it.
    private func stage(_ files: [String: String]) throws -> IntakeStage {
        let stage = try IntakeStage()
        stage.folder.makeFolder("inbox/tree")
        stage.event([.created, .isFolder], "tree")
        stage.settle()
        for (name, content) in files.sorted(by: { $0.key < $1.key }) { try create(name, content, on: stage) }
        return stage
    }

    private func create(_ name: String, _ content: String, on stage: IntakeStage) throws {
        try stage.folder.write("inbox/tree/" + name, content)
        stage.event(.created, name, in: "tree")
        stage.event(.closedAfterWriting, name, in: "tree")
        stage.settle()
    }

    @Test("What is created in it waits until nothing has been created for 3 s, and goes with the rest")
    func quiet() throws {
        let stage = try stage(["a": "1"])
        for number in 0..<4 {
            stage.advance(.milliseconds(2_900))
            #expect(stage.arrivals["tree/a"] == "gathering" && !stage.intake.hasReady)
            try create("b\(number)", "2", on: stage)
        }
        stage.advance(.seconds(2))
        #expect(!stage.intake.hasReady)
        stage.advance(.seconds(1))
        #expect(stage.ready(most: 9).count == 5)
    }

    @Test("An empty file in it keeps it waiting, but each document no longer than StallAfter since its own last change")
    func empty() throws {
        let stage = try IntakeStage {
            ($0.emptySettle, $0.stallAfter) = (.seconds(1_000), .seconds(60))
        }
        stage.folder.makeFolder("inbox/tree")
        stage.event([.created, .isFolder], "tree")
        stage.settle()
        try create("empty", "", on: stage)
        try create("a", "1", on: stage)
        for _ in 0..<5 { stage.advance(.seconds(11)) }
        #expect(stage.arrivals == ["tree/a": "gathering", "tree/empty": "empty"])
        stage.advance(.seconds(5))
        #expect(stage.ready(most: 9).count == 1)
    }

    @Test("A partial download in it keeps it waiting, and so does a folder in which nothing is yet")
    func unfinished() throws {
        let stage = try stage(["a": "1", "film.mkv.part": "2"])
        stage.advance(.seconds(4))
        #expect(stage.arrivals["tree/a"] == "gathering" && !stage.intake.hasReady)
        stage.rename("inbox/tree/film.mkv.part", "outside/film.mkv.part")
        stage.event(.deleted, "film.mkv.part", in: "tree")
        stage.folder.makeFolder("inbox/tree/inner")
        stage.event([.created, .isFolder], "inner", in: "tree")
        stage.settle()
        stage.advance(.seconds(5))
        #expect(stage.arrivals["tree/a"] == "gathering" && !stage.intake.hasReady)
        stage.advance(.seconds(1))
        #expect(stage.ready(most: 9).count == 1)
    }

    @Test("What is moved in whole does not wait, alone or with its folder")
    func whole() throws {
        let stage = try stage(["a": "1"])
        for name in ["outside/b", "outside/f/c"] {
            if name.contains("f/") { stage.folder.makeFolder("outside/f") }
            try stage.folder.write(name, "2")
        }
        stage.rename("outside/b", "inbox/tree/b")
        stage.event(.movedTo, "b", in: "tree")
        stage.rename("outside/f", "inbox/f")
        stage.event([.movedTo, .isFolder], "f")
        stage.settle()
        stage.advance(.milliseconds(1))
        stage.awaitCompany()
        #expect(stage.ready(most: 9).count == 2)
    }
}
