import Glibc
import InboxTestSupport
import Testing

/// Litter goes with the folder that its own user has emptied.
@Suite("Litter")
struct LitterTests {
    @Test(
        "What another user owns stays, though it has a name of litter",
        .enabled(if: geteuid() == 0, "only root gives files away"))
    func ofOthers() async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0", "Inbox.FolderSettle=0"])
            defer { stage.close() }
            for tree: TestPath in ["own", "other"] {
                try Disk.makeFolders(stage.root / tree / "@eaDir/a.txt")
                try Disk.put([1], at: stage.root / tree / "a.txt")
                for name: TestPath in ["Thumbs.db", "@eaDir/a.txt/preview.jpg"] {
                    let litter = stage.root / tree / name
                    try Disk.put([2], at: litter)
                    if tree == "other" { try Disk.check("chown", litter, litter.withCString { chown($0, 4711, 4711) }) }
                }
            }
            try await stage.start()
            for tree: TestPath in ["own", "other"] { try Disk.move(stage.root / tree, to: stage.inbox / tree) }
            try await stage.expectFiledRecords(2)
            try await eventually {
                let left = try Set(Disk.leaves(of: stage.inbox))
                return left == ["other/Thumbs.db", "other/@eaDir/a.txt/preview.jpg"] ? nil : "there are \(left)"
            }
        }
    }
}
