import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore

@Suite("Folders that are too deep or too large")
struct FolderLimitTests {
    /// Makes a folder in the Inbox with folders in it, one inside the other.
    private func makeFolders(_ count: Int, in name: String, _ stage: IntakeStage) throws {
        stage.folder.makeFolder("inbox/" + name)
        var current = try Directory.open(path: stage.folder.bytePath("inbox/" + name))
        for _ in 0..<count {
            try current.makeFolder(aName("d"), mode: 0o755)
            current = try current.folder(aName("d"))
        }
    }

    private func detail(of state: ArrivalState, _ stage: IntakeStage) throws -> String {
        let held = stage.intake.arrivals().filter { $0.state == state }
        #expect(held.count == 1)
        return try #require(held.first?.detail)
    }

    @Test("A clone, or a package, of which too much would travel is held, and the reason says what to do")
    func inOnePiece() throws {
        for name in ["clone", "letter.rtfd"] {
            let stage = try IntakeStage()
            try makeFolders(FolderWalk.deepest, in: name, stage)
            if name == "clone" { stage.folder.makeFolder("inbox/clone/.git") }
            stage.event(.created, name)
            stage.settle()
            let detail = try detail(of: .held(.depth), stage)
            #expect(detail.contains("in one piece") && detail.contains(".git"))
            #expect(detail.contains("100000 entries") && detail.contains("move it to its place yourself"))
        }
    }

    @Test("A walked folder that lies too deep is held, and the reason says what to do")
    func tooDeep() throws {
        let stage = try IntakeStage()
        try makeFolders(NameInspection.deepest, in: "deep", stage)
        stage.event(.created, "deep")
        for _ in 0..<NameInspection.deepest { stage.settle() }
        let detail = try detail(of: .held(.depth), stage)
        #expect(detail.contains("100 folders deep") && detail.contains("nearer to the Inbox"))
        #expect(!detail.contains(".git"))
    }
}
