import Glibc
import InboxTestSupport
import Testing

extension ServerTests {
    /// rclone: somebody's cloud as a folder. It answers each call about extended attributes and each link(2) with EIO, which
    /// a broken disk does as well.
    @Suite("rclone", .enabled(if: Extent.isFull, Comment(rawValue: Extent.reason)))
    struct RcloneTests {
        static let means = Means.needed(.fuse, .program("rclone"))

        private func mount(at point: TestPath, _ stage: Stage, _ mounts: Mounts) throws {
            let tree = stage.root / "tree"
            try Disk.makeFolders(tree)
            let options: [TestPath] = ["--vfs-cache-mode", "writes", "--cache-dir", stage.root / "cache"]
            try mounts.serve("rclone", ["mount", tree, point] + options, at: point)
        }

        @Test("Documents are copied into it, and it is not taken for a broken disk", means)
        func destination() async throws {
            try await onMounts(in: .servers) { stage, mounts in
                let inbox = stage.root / "in"
                try mount(at: stage.documents, stage, mounts)
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
                try await stage.expectNothingStaged(beneath: stage.root / "tree")
            }
        }

        @Test("What is dropped into it is filed when its times rest, or stays, and no disk is blamed", means)
        func source() async throws {
            try await onMounts(in: .servers) { stage, mounts in
                let inbox = stage.root / "in"
                try stage.useInbox(inbox)
                try mount(at: inbox, stage, mounts)
                try await stage.start()
                try Disk.put([1], at: inbox / "letter.txt")
                try Disk.makeFolder(inbox / "note.rtfd")
                try Disk.put([2], at: inbox / "note.rtfd/TXT.rtf")
                // Uploads change the times of what is in it again and again.
                try await stage.expectListed("note.rtfd", state: "waiting", reasons: ["retrying"])
                #expect(try await stage.end(SIGTERM) == .status(0))
                #expect(try Disk.read(inbox / "note.rtfd/TXT.rtf") == [2])
                let places = [inbox / "letter.txt", stage.documents / "letter.txt"].filter(Disk.exists)
                #expect(try places.map(Disk.read) == [[1]])
                #expect(stage.logged("does not work") == 0)
            }
        }
    }
}
