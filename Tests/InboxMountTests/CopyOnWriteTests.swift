import Glibc
import InboxTestSupport
import Testing

extension MountTests {
    /// xfs and btrfs, which share the content of copies, and what a document keeps on its way between filesystems.
    @Suite("xfs and btrfs")
    struct CopyOnWriteTests {
        private static let size = 1 << 20

        @Test("From one btrfs subvolume to another the content is shared, not copied", Means.loop("btrfs"))
        func subvolumes() async throws {
            try await onMounts { stage, mounts in
                let disk = stage.root / "disk"
                try mounts.loop("btrfs", at: disk, size: "128M")
                for name: TestPath in ["a", "b"] { try Tool.run("btrfs", "subvolume", "create", disk / name) }
                try stage.useInbox(disk / "a/in")
                try await expectShared(stage, from: disk / "a/in", to: disk / "b", beneath: disk)
            }
        }

        @Test("A read-only snapshot of btrfs is held, and Documents is not blamed for it", Means.loop("btrfs"))
        func readOnlySnapshot() async throws {
            try await onMounts { stage, mounts in
                try mounts.loop("btrfs", at: stage.documents, size: "128M")
                try Disk.makeFolders(stage.inbox)
                let kept = stage.documents / "kept"
                try Tool.run("btrfs", "subvolume", "create", kept)
                try Disk.put([1], at: kept / "TXT.rtf")
                for name: TestPath in ["note.rtfd", "folder"] {
                    try Tool.run("btrfs", "subvolume", "snapshot", "-r", kept, stage.inbox / name)
                }
                try await stage.start()
                for name: TestPath in ["note.rtfd", "folder/TXT.rtf"] {
                    try await stage.expectListed(name, state: "held", reasons: ["permission"])
                }
                #expect(!Disk.exists(stage.documents / "folder"), "made for a document that cannot leave its own")
                try Disk.put([2], at: stage.inbox / "beside.txt")
                try await stage.expectFiled(stage.documents / "beside.txt", [2], from: stage.inbox / "beside.txt")
                try await stage.expectProblem(nil)
                for name: TestPath in ["note.rtfd", "folder"] {
                    try Tool.run("btrfs", "property", "set", "-ts", stage.inbox / name, "ro", "false")
                }
                try await stage.runControl(["retry"])
                try await stage.expectCounters(["filed": 3, "held": 0])
            }
        }

        @Test("Between two binds of one xfs the content is shared, not copied", Means.loop("xfs"))
        func binds() async throws {
            try await onMounts { stage, mounts in
                let disk = stage.root / "disk"
                try mounts.loop("xfs", at: disk, size: "320M")
                for name: TestPath in ["in", "b"] { try Disk.makeFolders(disk / name) }
                try mounts.bind(disk / "b", at: stage.root / "b")
                try stage.useInbox(disk / "in")
                try await expectShared(stage, from: disk / "in", to: stage.root / "b", beneath: disk)
            }
        }

        /// A second link shows that the copy's blocks are those of the source.
        private func expectShared(_ stage: Stage, from inbox: TestPath, to documents: TestPath, beneath disk: TestPath)
            async throws
        {
            let bytes = (0..<Self.size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try Disk.put(bytes, at: inbox / "scan.bin")
            try Disk.link(inbox / "scan.bin", to: inbox.parent / "kept")
            stage.variables = ["INBOXD_TRACE=\(stage.root)/trace"]
            try await stage.start(["--documents", documents])
            try await stage.expectFiled(documents / "scan.bin", bytes, from: inbox / "scan.bin")
            let clones = Disk.text(stage.root / "trace").split(separator: "\n").filter { $0.contains("FICLONE") }
            #expect(clones.count == 1 && clones.allSatisfy { !$0.contains("failed") }, "\(clones)")
            #expect(!Disk.text(stage.root / "trace").contains("copy_file_range"))
            let extents = try Tool.run("filefrag", "-v", documents / "scan.bin")
            #expect(extents.contains("shared"), "\(extents)")
        }

        /// From one kind of filesystem to another.
        static let ways: [(from: String, to: String)] = [("ext4", "xfs"), ("xfs", "btrfs"), ("btrfs", "ext4")]

        @Test(
            "Everything that a document has goes with it from one filesystem to another",
            Means.loop("ext4"), Means.loop("xfs"), Means.loop("btrfs"),
            Means.needed(.program("setfacl"), .program("getfacl"), .program("setfattr"), .program("getfattr")),
            arguments: ways)
        func attributes(_ from: String, _ to: String) async throws {
            try await onMounts { stage, mounts in
                let (disk, documents) = (stage.root / "disk", stage.documents)
                try mounts.loop(from, at: disk, size: "320M")
                try mounts.loop(to, at: documents, size: "320M")
                try stage.useInbox(disk / "in")
                let (made, source, path) = (disk / "scan.bin", disk / "in/scan.bin", documents / "scan.bin")
                try makeSparse(made)
                try Tool.run("setfattr", "-n", "user.origin", "-v", "scanner", made)
                try Tool.run("setfattr", "-n", "trusted.mark", "-v", "m", made)
                try Tool.run("setfacl", "-m", "u:65534:r,g:12:rw", made)
                try Disk.check("chown", made, made.withCString { chown($0, 1234, 5678) })
                try Disk.check("chmod", made, made.withCString { chmod($0, 0o4640) })
                let times = [
                    timespec(tv_sec: 1_111_111_111, tv_nsec: 123_456_789),
                    timespec(tv_sec: 999_999_999, tv_nsec: 987_654_321),
                ]
                try Disk.check("utimensat", made, made.withCString { utimensat(AT_FDCWD, $0, times, 0) })
                let wanted = try facts(made)
                let bytes = try Disk.read(made)
                try Disk.check("utimensat", made, made.withCString { utimensat(AT_FDCWD, $0, times, 0) })
                let status = try Disk.status(made)
                try Disk.move(made, to: source)
                try await stage.start()
                try await stage.expectFiled(path, bytes, from: source)
                let kept = try facts(path)
                #expect(kept == wanted)
                if to == "btrfs" {
                    let all = try Tool.run("getfattr", "--dump", "--match=-", "--absolute-names", path)
                    #expect(
                        !all.contains("SGI_ACL"), "the second name of an access list is none of the document's: \(all)")
                }
                let copied = try Disk.status(path)
                #expect(copied.st_mtim.tv_sec == 999_999_999 && copied.st_mtim.tv_nsec == 987_654_321)
                #expect(copied.st_mode == status.st_mode && copied.st_uid == 1234 && copied.st_gid == 5678)
                #expect(copied.st_blocks < 1 << 10, "the hole is filled: \(copied.st_blocks) blocks")
                #expect(stage.logged("without") == 0, "\(Disk.text(stage.daemonLog))")
            }
        }

        /// Some bytes, a hole of 8 MiB, and some more; a hole at the end too.
        private func makeSparse(_ path: TestPath) throws {
            let descriptor = try Disk.open(path, O_RDWR | O_CREAT)
            defer { close(descriptor) }
            let bytes = [UInt8](repeating: 0x5A, count: 70_000)
            try Disk.write(bytes, to: descriptor, path)
            #expect(pwrite(descriptor, bytes, bytes.count, 8 << 20) == bytes.count)
            try Disk.check("ftruncate", path, ftruncate(descriptor, 16 << 20))
            #expect(fsync(descriptor) == 0)
        }

        private func facts(_ path: TestPath) throws -> [String] {
            let list = try Tool.run("getfacl", "--numeric", "--absolute-names", "--omit-header", path)
            let attributes = try Tool.run("getfattr", "--dump", "--match=user|trusted", "--absolute-names", path)
            // In no order, since each filesystem has its own. xfs shows an access list once more under another name.
            return (list + attributes).split(separator: "\n").map(String.init).sorted().filter { line in
                !line.hasPrefix("# file:") && !line.hasPrefix("trusted.SGI_ACL_FILE=")
            }
        }
    }
}
