import Glibc
import InboxTestSupport
import Testing

extension MountTests {
    /// Disks that fail: one whose image has no room for what its filesystem promised, one that was pulled out, one that
    /// the kernel made read-only after an error.
    @Suite("Failing disks")
    struct FailingDiskTests {
        private static let content = [UInt8](repeating: 0x5C, count: 10 << 20)

        @Test(
            "A copy that the disk does not keep is discarded, its source stays, and it is filed when the disk is sound",
            Means.loop("ext4"), Means.needed(.program("e2fsck")))
        func across() async throws {
            try await onMounts { stage, mounts in
                let disk = try failingDisk(stage, mounts)
                try mounts.mountDevice(disk, "ext4", at: stage.documents, "errors=remount-ro")
                try stage.useInbox(stage.root / "in")
                try await stage.start()
                let source = stage.root / "in/large.bin"
                try Disk.put(Self.content, at: source)
                // The first sync says why, later calls that the kernel made the disk read-only.
                try await eventually {
                    stage.logged("(No space left on device)") > 0 ? nil : "nothing is reported"
                }
                try await stage.expectProblem(
                    "nothing more can be written to \(stage.documents) (Read-only file system)")
                try await stage.expectListed("large.bin", state: "waiting", reasons: ["retrying"])
                #expect(stage.logged("Read-only file system") == 1)
                #expect(try Disk.leaves(of: stage.documents) == ["lost+found/"])
                #expect(try Disk.read(source) == Self.content)
                #expect(try stage.filedRecords().isEmpty)
                try await mounts.unmountWhenIdle(stage.documents)
                try Tool.run("mount", "-o", "remount,size=64m", stage.root / "small")
                // It answers 1 where it has mended something.
                _ = try? Tool.run("e2fsck", "-f", "-y", disk)
                try mounts.mountDevice(disk, "ext4", at: stage.documents)
                try await stage.expectFiled(stage.documents / "large.bin", Self.content, from: source)
                #expect(try Disk.leaves(of: stage.documents) == ["large.bin", "lost+found/"])
                #expect(try stage.filedRecords().count == 1)
            }
        }

        @Test(
            "A document whose disk does not keep it is held where it is, and has no record",
            Means.loop("ext4"))
        func same() async throws {
            try await onMounts { stage, mounts in
                let disk = try failingDisk(stage, mounts)
                try mounts.mountDevice(disk, "ext4", at: stage.documents)
                try Disk.makeFolders(stage.inbox)
                try await stage.start()
                try Disk.put(Self.content, at: stage.inbox / "large.bin")
                try await stage.expectListed("large.bin", state: "held", reasons: ["sync-failed"])
                #expect(
                    try Disk.leaves(of: stage.documents, except: [stage.documents / "lost+found"]) == [
                        "Inbox/large.bin"
                    ])
                // A sync that is repeated says that all is well: it is no proof.
                try await stage.expectCounters(["held": 1, "waiting": 0, "filed": 0])
                #expect(try stage.filedRecords().isEmpty)
                #expect(try await stage.end(SIGTERM) == .status(0))
            }
        }

        @Test(
            "A destination that was pulled out is reported, and gets what waits when it is back",
            Means.loop("ext4"), Means.needed(.program("xfs_io")))
        func pulled() async throws {
            try await onMounts { stage, mounts in
                let disk = try mounts.device("ext4", size: "32M", options: ["-q", "-F"])
                try mounts.mountDevice(disk, "ext4", at: stage.documents)
                try stage.useInbox(stage.root / "in")
                try await stage.start()
                try Disk.put([1], at: stage.root / "in/one.txt")
                try await stage.expectFiled(stage.documents / "one.txt", [1], from: stage.root / "in/one.txt")
                try pull(stage.documents)
                try Disk.put([2], at: stage.root / "in/two.txt")
                try await stage.expectListed("two.txt", state: "waiting", reasons: ["retrying"])
                #expect(stage.logged("Input/output error") == 1)
                #expect(try Disk.read(stage.root / "in/two.txt") == [2])
                try await stage.expectProblem("the disk that \(stage.documents) is on does not work")
                let others = (0..<20).map { stage.root / TestPath("in/\($0).txt") }
                for path in others { try Disk.put([3], at: path) }
                try await stage.expectListed("19.txt", state: "waiting", reasons: ["retrying"])
                #expect(stage.logged("does not work") == 1, "a line for each document")
                // A try that is under way has claimed the document, and puts it back.
                for path in others {
                    try await eventually {
                        do { try Disk.remove(path) } catch { return "\(error)" }
                        return nil
                    }
                }
                try await mounts.unmountWhenIdle(stage.documents)
                try await stage.expectProblem("another filesystem than before")
                try mounts.mountDevice(disk, "ext4", at: stage.documents)
                try await stage.expectFiled(stage.documents / "two.txt", [2], from: stage.root / "in/two.txt")
                #expect(try Disk.read(stage.documents / "one.txt") == [1], "what was filed was on the disk")
                try await stage.expectProblem(nil)
                #expect(try stage.filedRecords().count == 2)
            }
        }

        @Test(
            "An Inbox whose disk was pulled out is reported, and what it held is filed when it is back",
            Means.loop("ext4"), Means.needed(.program("xfs_io")))
        func pulledInbox() async throws {
            try await onMounts { stage, mounts in
                let disk = try mounts.device("ext4", size: "32M", options: ["-q", "-F"])
                let folder = stage.root / "disk"
                try mounts.mountDevice(disk, "ext4", at: folder)
                try stage.useInbox(folder / "in")
                // Not before the disk has gone.
                stage.settings.append("Inbox.Settle=2s")
                try await stage.start()
                try Disk.put([1], at: folder / "in/one.txt")
                try Tool.run("sync", "-f", folder)
                try pull(folder)
                try await stage.expectListed("one.txt", state: "waiting", reasons: ["retrying"])
                #expect(stage.logged("Input/output error") >= 1)
                try await mounts.unmountWhenIdle(folder)
                try await stage.expectProblem("is missing")
                try mounts.mountDevice(disk, "ext4", at: folder)
                try await stage.expectFiled(stage.documents / "one.txt", [1], from: folder / "in/one.txt")
                try await stage.expectProblem(nil)
            }
        }

        @Test(
            "A disk that was made read-only is a problem, and gets what waits when it may be written again",
            Means.loop("ext4"))
        func readOnly() async throws {
            try await onMounts { stage, mounts in
                let disk = try mounts.device("ext4", size: "32M", options: ["-q", "-F"])
                try mounts.mountDevice(disk, "ext4", at: stage.documents, "errors=remount-ro")
                try Disk.makeFolders(stage.inbox)
                // What the kernel does of itself when it meets an error on the disk.
                let name = try #require(disk.components.last)
                let trigger = "/sys/fs/ext4" / name / "trigger_fs_error"
                stage.settings.append("Inbox.Settle=2s")
                try await stage.start()
                try Disk.put([1], at: stage.inbox / "one.txt")
                try Tool.run("sync", "-f", stage.documents)
                if Disk.exists(trigger) {
                    try Disk.append(Array("a test".utf8), to: trigger)
                } else {
                    try Tool.run("mount", "-o", "remount,ro", stage.documents)
                }
                // After an error of its own the kernel syncs nothing any more; without one the rename is denied.
                try await eventually {
                    let arrival = try await stage.arrival("one.txt")
                    return ["sync-failed", "retrying"].contains(arrival["reason"]?.string) ? nil : "\(arrival)"
                }
                #expect(stage.logged("Read-only file system") == 1, "\(Disk.text(stage.daemonLog))")
                #expect(try stage.filedRecords().isEmpty)
                try await mounts.unmountWhenIdle(stage.documents)
                try mounts.mountDevice(disk, "ext4", at: stage.documents)
                try await stage.expectFiled(stage.documents / "one.txt", [1], from: stage.inbox / "one.txt")
                // The same by a person: only the table of mounts shows a remount.
                try Disk.put([2], at: stage.inbox / "two.txt")
                try Tool.run("mount", "-o", "remount,ro", stage.documents)
                try await stage.expectListed("two.txt", state: "waiting", reasons: ["retrying"])
                try await stage.expectProblem(
                    "nothing more can be written to \(stage.documents) (Read-only file system)")
                try Tool.run("mount", "-o", "remount,rw", stage.documents)
                try await stage.expectFiled(stage.documents / "two.txt", [2], from: stage.inbox / "two.txt")
                try await stage.expectProblem(nil)
            }
        }

        @Test("An Inbox on a disk that was made read-only is one problem, however much waits in it", Means.needed())
        func readOnlyInbox() async throws {
            try await onMounts(settings: ["Inbox.Settle=0"]) { stage, mounts in
                let inbox = stage.root / "in"
                try mounts.memory(at: inbox)
                try stage.useInbox(inbox)
                let names: [TestPath] = ["one.txt", "two.txt", "new/three.txt"]
                for name in names {
                    try Disk.makeFolders((inbox / name).parent)
                    try Disk.put([1], at: inbox / name)
                }
                try Tool.run("mount", "-o", "remount,ro", inbox)
                try await stage.start()
                for name in names { try await stage.expectListed(name, state: "waiting", reasons: ["retrying"]) }
                try await stage.expectProblem("nothing more can be written to \(inbox) (Read-only file system)")
                #expect(stage.logged("Read-only file system") == 1, "\(Disk.text(stage.daemonLog))")
                #expect(!Disk.exists(stage.documents / "new"))
                try Tool.run("mount", "-o", "remount,rw", inbox)
                for name in names { try await stage.expectFiled(stage.documents / name, [1], from: inbox / name) }
                try await stage.expectProblem(nil)
            }
        }

        /// A disk of 64 MB whose image may take 8 only.
        private func failingDisk(_ stage: Stage, _ mounts: Mounts) throws -> TestPath {
            let small = stage.root / "small"
            try mounts.memory(at: small, "size=8m")
            let lazily: [TestPath] = ["-q", "-F", "-J", "size=4", "-E", "lazy_itable_init=1,lazy_journal_init=1"]
            return try mounts.device("ext4", size: "64M", options: lazily, in: small)
        }

        /// Whatever is asked of the disk from now on fails with EIO: `EXT4_IOC_SHUTDOWN`.
        private func pull(_ point: TestPath) throws { try Tool.run("xfs_io", "-x", "-c", "shutdown", point) }
    }
}
