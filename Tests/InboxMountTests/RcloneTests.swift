import Glibc
import InboxTestSupport
import Testing

extension ServerTests {
    /// rclone: somebody's cloud as a folder. It answers each call about extended attributes and each link(2) with EIO, which
    /// a broken disk does as well.
    @Suite("rclone", .enabled(if: Extent.isFull, Comment(rawValue: Extent.reason)))
    struct RcloneTests {
        @Test(
            "Documents are copied into it, and it is not taken for a broken disk",
            Means.needed(.fuse, .program("rclone")))
        func destination() async throws {
            try await onMounts(in: .servers) { stage, mounts in
                let (tree, inbox) = (stage.root / "tree", stage.root / "in")
                try Disk.makeFolders(tree)
                let options: [TestPath] = ["--vfs-cache-mode", "writes", "--cache-dir", stage.root / "cache"]
                try mounts.serve("rclone", ["mount", tree, stage.documents] + options, at: stage.documents)
                try stage.useInbox(inbox)
                try await stage.start()
                for number in 1...3 {
                    try Disk.put([UInt8(number)], at: inbox / TestPath("letter-\(number).txt"))
                }
                try await stage.expectFiledRecords(3)
                for number in 1...3 {
                    #expect(try Disk.read(stage.documents / TestPath("letter-\(number).txt")) == [UInt8(number)])
                }
                try await stage.expectLeaves([], of: inbox)
                #expect(stage.logged("does not work") == 0)
                try await stage.expectNothingStaged(beneath: tree)
            }
        }
    }
}
