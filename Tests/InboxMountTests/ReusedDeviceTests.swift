import InboxTestSupport
import Testing

extension MountTests {
    /// The kernel gives filesystems without a disk the lowest device number that is free.
    @Suite("Mounts that come and go in an Inbox")
    struct ReusedDeviceTests {
        @Test(
            "The Inbox is polled as long as something without events is mounted in it, whatever was mounted there before",
            Means.needed(.fuse, .program("bindfs")))
        func polled() async throws {
            try await onMounts { stage, mounts in
                let (point, tree) = (stage.inbox / "m", stage.root / "tree")
                try Disk.makeFolders(tree)
                try Disk.makeFolders(point)
                try await stage.start()
                func expect(_ watching: String) async throws {
                    try await eventually {
                        let found = try await stage.status()["inboxes"]?.array?.first?["watching"]?.string
                        return found == watching ? nil : "the Inbox is \(found ?? "not there")"
                    }
                }
                for name: TestPath in ["a.txt", "b.txt"] {
                    try Tool.run("mount", "-t", "tmpfs", "none", point)
                    try Disk.put([1], at: point / name)
                    try await stage.expectFiled(stage.documents / "m" / name, [1], from: point / name)
                    try await expect("inotify")
                    try await eventually { (try? Tool.run("umount", point)) == nil ? "it is busy" : nil }
                    try mounts.serve("bindfs", ["-f", tree, point], at: point)
                    try await expect("polling")
                    try await mounts.unmountWhenIdle(point)
                    try await expect("inotify")
                }
            }
        }
    }
}
