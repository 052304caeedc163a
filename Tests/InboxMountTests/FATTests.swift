import InboxTestSupport
import Testing

extension MountTests {
    /// FAT by FUSE denies the names that it cannot hold, as if its folder were closed.
    @Suite("FAT by FUSE")
    struct FATTests {
        static let means = Means.needed(.fuse, .program("fusefat"), .program("mkfs.vfat"))

        @Test("A document whose name the destination denies is held for its name, and filed once it was renamed", means)
        func deniedName() async throws {
            try await onMounts { stage, mounts in
                let image = stage.root / "image"
                try Tool.run("mkfs.vfat", "-C", image, "40960")
                try mounts.serve("fusefat", ["-f", "-o", "rw+", image, stage.documents], at: stage.documents)
                let inbox = stage.root / "in"
                try stage.useInbox(inbox)
                try Disk.makeFolders(inbox)
                try await stage.start()
                try Disk.put([1], at: inbox / "what?.txt")
                try await stage.expectListed("what?.txt", state: "held", reasons: ["name"])
                let words = try await stage.arrival("what?.txt")["detail"]?.string ?? ""
                #expect(words.hasSuffix("rename it"), "\(words)")
                try Disk.move(inbox / "what?.txt", to: inbox / "what.txt")
                try await stage.expectFiled(stage.documents / "what.txt", [1], from: inbox / "what.txt")
            }
        }
    }
}
