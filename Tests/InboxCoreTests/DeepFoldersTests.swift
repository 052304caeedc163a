import CInboxLinux
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore

/// Only few folders are open at once, and one that lies deep is reached through many.
@Suite("Folders that lie deep in an Inbox")
struct DeepFoldersTests {
    private static let depth = 60

    /// Makes a folder in the Inbox with folders in it, one inside the other, and returns the innermost one, walked.
    private static func makeFolders(_ first: String, _ name: FileName, _ stage: IntakeStage) throws
        -> Folder
    {
        stage.folder.makeFolder("inbox/" + first)
        var current = try Directory.open(path: stage.folder.bytePath("inbox/" + first))
        for _ in 0..<depth {
            try current.makeFolder(name, mode: 0o755)
            current = try current.folder(name)
        }
        stage.event([.created, .isFolder], first)
        for _ in 0..<depth { stage.settle() }
        var folder = try #require(stage.walked(first))
        while let next = folder.folders[name] { folder = next }
        try #require(folder.depth == depth + 1)
        return folder
    }

    #if DEBUG
        @Test("Events in two of them by turns cost few calls, however deep they lie", arguments: [1, 200])
        func alternating(_ length: Int) async {
            await #expect(processExitsWith: .success) { [length] in
                let stage = try IntakeStage()
                let name = aName(String(repeating: "d", count: length))
                let folders = try ["one", "two"].map { try Self.makeFolders($0, name, stage) }
                stage.intake.rest()
                FaultPlan.arm(FaultPlan(nth: 0, action: .skip, only: .openat2, thread: inbox_thread_id()))
                for number in 0..<20 { _ = try stage.intake.parts.tree.open(folders[number % 2]) }
                let count = FaultPlan.disarm()
                // A path of more than 4,000 bytes is walked in parts.
                let parts = 1 + Self.depth * (length + 1) / 4_000
                guard (2...2 * parts).contains(count) else { throw Failure("it took \(count) calls") }
            }
        }
    #endif

    @Test(
        "Nothing is opened through a link, or through another folder, in the place of one around it",
        arguments: [true, false])
    func replaced(byLink: Bool) throws {
        let stage = try IntakeStage()
        let folder = try Self.makeFolders("one", aName("d"), stage)
        let tree = stage.intake.parts.tree
        stage.intake.rest()
        #expect(try tree.open(folder).directory.status().identity.file == folder.key)
        stage.intake.rest()
        stage.rename("inbox/one/d", "outside/d")
        if byLink {
            stage.folder.makeLink("inbox/one/d", to: stage.folder.path + "/outside/d")
        } else {
            var current = try Directory.open(path: stage.folder.bytePath("inbox/one"))
            for _ in 0..<Self.depth {
                try current.makeFolder(aName("d"), mode: 0o755)
                current = try current.folder(aName("d"))
            }
        }
        #expect(Self.isMoved(folder, tree))
    }

    /// Whether a folder is not where it was.
    private static func isMoved(_ folder: Folder, _ tree: WatchedTree) -> Bool {
        do throws(FolderError) {
            _ = try tree.open(folder)
            return false
        } catch {
            if case .moved = error { return true }
            return false
        }
    }
}
