import Glibc
import InboxLinux
import InboxTestSupport
import Testing

extension MountTests {
    /// exFAT by FUSE: names without case, no second names, no rename that does not replace, no files without a name, no
    /// owners, no extended attributes, times of 10 ms, and others may write to it unseen.
    @Suite("exFAT by FUSE")
    struct ForeignTests {
        static let means = Means.needed(
            .loops, .fuse, .program("mkfs.exfat"), .program("mount.exfat-fuse"), .program("losetup"))

        @Test("As a destination nothing is overwritten, whatever the case of a name, and nothing is left over", means)
        func destination() async throws {
            try await onMounts { stage, mounts in
                try mountExFAT(at: stage.documents, mounts)
                try stage.useInbox(stage.root / "in")
                try Disk.put([7], at: stage.documents / "A.txt")
                try #require(Disk.exists(stage.documents / "a.TXT"))
                try await stage.start()
                let inbox = stage.root / "in"
                try Disk.put([1], at: inbox / "a.txt")
                try await stage.expectFiled(stage.documents / "a-1.txt", [1], from: inbox / "a.txt")
                try Disk.put([2], at: inbox / "A.TXT")
                try await stage.expectFiled(stage.documents / "A-2.TXT", [2], from: inbox / "A.TXT")
                let large = [UInt8](repeating: 0x33, count: 6 << 20)
                try Disk.put(large, at: inbox / "large.bin")
                try await stage.expectFiled(stage.documents / "large.bin", large, from: inbox / "large.bin")
                try await stage.dropPackage(in: inbox)
                try await stage.expectFiledRecords(4)
                #expect(try Disk.read(stage.documents / "A.txt") == [7])
                try await stage.expectLeaves(
                    ["A.txt", "a-1.txt", "A-2.TXT", "large.bin", "note.rtfd/TXT.rtf", "note.rtfd/in/a.png"],
                    of: stage.documents)
                try await stage.expectCounters(["waiting": 0, "held": 0, "filed": 4])
            }
        }

        @Test("A name that it cannot hold is held, and keeps nobody waiting", means)
        func names() async throws {
            try await onMounts { stage, mounts in
                try mountExFAT(at: stage.documents, mounts)
                try stage.useInbox(stage.root / "in")
                try await stage.start()
                let inbox = stage.root / "in"
                let latin = TestPath(Array("caf".utf8) + [0xE9] + Array(".txt".utf8))
                let packages = stage.root / "outside"
                let inner: [TestPath: TestPath] = ["p.rtfd": "a:b", "q.rtfd": "txt.rtf", "r.rtfd": "a:b/c"]
                for (name, inner) in inner {
                    for file: TestPath in ["TXT.rtf", inner] {
                        try Disk.makeFolders((packages / name / file).parent)
                        try Disk.put([2], at: packages / name / file)
                    }
                    try Disk.move(packages / name, to: inbox / name)
                }
                try Disk.makeFolder(inbox / "c:d")
                for name: TestPath in ["a:b.txt", latin, "c:d/e.txt", "fine.txt"] {
                    try Disk.put([1], at: inbox / name)
                }
                try await stage.expectFiled(stage.documents / "fine.txt", [1], from: inbox / "fine.txt")
                for name: TestPath in ["a:b.txt", latin, "c:d/e.txt", "p.rtfd", "q.rtfd", "r.rtfd"] {
                    try await stage.expectListed(name, state: "held", reasons: ["name"])
                }
                try await stage.expectLeaves(["fine.txt"], of: stage.documents)
            }
        }

        @Test("As Inbox and Documents it is polled, and a document is copied inside it", means)
        func both() async throws {
            try await onMounts { stage, mounts in
                try mountExFAT(at: stage.documents, mounts)
                try Disk.makeFolders(stage.inbox)
                try await stage.start()
                #expect(try await stage.status()["inboxes"]?.array?.first?["watching"]?.string == "polling")
                #expect(stage.logged("FUSE") == 1)
                try Disk.put([7], at: stage.documents / "letter.txt")
                try Disk.put([1], at: stage.inbox / "Letter.txt")
                try await stage.expectFiled(stage.documents / "Letter-1.txt", [1], from: stage.inbox / "Letter.txt")
                try await stage.dropPackage(in: stage.inbox)
                try await stage.expectFiledRecords(2)
                #expect(try Disk.read(stage.documents / "letter.txt") == [7])
                try await stage.expectNothingStaged(beneath: stage.documents)
                try await stage.expectCounters(["waiting": 0, "held": 0, "filed": 2, "seen": 2])
                try await mounts.unmountWhenIdle(stage.documents)
            }
        }

        @Test(
            "After a kill in the middle of a copy under its own name, the next start leaves one whole document", means)
        func crash() async throws {
            try await onMounts { stage, mounts in
                try mountExFAT(at: stage.documents, mounts)
                try stage.useInbox(stage.root / "in")
                let large = [UInt8](repeating: 0x44, count: 6 << 20)
                // The first copy shows that there is no safe way to give a name; the second try is the one.
                let faults = [
                    "pwrite@/Documents/scan.bin:2:KILL", "fsync@/Documents/scan.bin:1:KILL",
                    "write@/history.jsonl:1:KILL",
                    "openat@/Documents/scan.bin:1:KILL",
                ]
                for fault in faults {
                    try Disk.put(large, at: stage.root / "in/scan.bin")
                    stage.variables = ["INBOXD_FAULT=\(fault)"]
                    try await stage.runDaemon(["--once"])
                    let exit = stage.lastRun?.exit
                    stage.variables = []
                    try await stage.runDaemon(["--once"])
                    #expect(stage.lastRun?.exit == .status(0), "\(fault): \(stage.lastRun?.errors ?? "")")
                    #expect(exit == .signal(SIGKILL), "\(fault)")
                    let found = try Disk.leaves(of: stage.documents)
                    #expect(found == ["scan.bin"], "\(fault): \(found)")
                    #expect(try Disk.read(stage.documents / "scan.bin") == large, "\(fault)")
                    #expect(try Disk.leaves(of: stage.root / "in").isEmpty, "\(fault)")
                    try Disk.remove(stage.documents / "scan.bin")
                }
                #expect(try stage.filedRecords().count == faults.count)
            }
        }

        private func mountExFAT(at point: TestPath, _ mounts: Mounts) throws {
            let device = try mounts.device("exfat", size: "40M")
            try mounts.serve("mount.exfat-fuse", ["-d", "-o", "umask=022", device, point], at: point)
        }
    }

    /// A FUSE filesystem that gives no leases and has everything else.
    @Suite("bindfs")
    struct BindFSTests {
        static let means = Means.needed(.fuse, .program("bindfs"))

        @Test("As an Inbox it is polled, and what another program drops there unseen is filed", means)
        func inbox() async throws {
            try await onMounts { stage, mounts in
                let tree = stage.root / "tree"
                try Disk.makeFolders(tree)
                try mounts.serve("bindfs", ["-f", tree, stage.inbox], at: stage.inbox)
                try await stage.start()
                #expect(try await stage.status()["inboxes"]?.array?.first?["watching"]?.string == "polling")
                // Not through the mount, so that no event reports it.
                try Disk.put([1], at: tree / "letter.txt")
                try await stage.expectFiled(stage.documents / "letter.txt", [1], from: tree / "letter.txt")
                try await stage.expectRecord([("proof", "quiet-time")])
            }
        }

        @Test("Where no lease can be had, a quiet time replaces it, and the record says so", means)
        func quiet() async throws {
            try await onMounts { stage, mounts in
                let tree = stage.root / "tree"
                try Disk.makeFolders(tree)
                try mounts.serve("bindfs", ["-f", tree, stage.inbox], at: stage.inbox)
                // What the kernel says of a lease on a filesystem that has none.
                stage.variables = ["INBOXD_FAULT=fcntl(F_SETLEASE):*:22"]
                stage.settings = ["Inbox.Settle=1s"]
                try await stage.start()
                try Disk.put([1], at: stage.inbox / "letter.txt")
                let clock = ContinuousClock()
                let dropped = clock.now
                try await stage.expectFiled(stage.documents / "letter.txt", [1], from: stage.inbox / "letter.txt")
                #expect(clock.now - dropped >= .seconds(5))
                try await stage.expectRecord([("proof", "quiet-time")])
            }
        }

        @Test(
            "What a daemon elsewhere claimed long ago counts as held, unlike a claim made just now; a retry files both",
            means)
        func stranded() async throws {
            try await onMounts { stage, mounts in
                let staging = stage.root / "tree/.inboxd-0123456789abcdef"
                for (name, claim) in [("letter.txt", "0000000000000001"), ("copying.txt", Self.claimNow())] {
                    let folder = staging / TestPath("source-\(claim)")
                    try Disk.makeFolders(folder)
                    chmod("\(folder)", 0o700)
                    try Disk.put([1], at: folder / TestPath(name))
                }
                chmod("\(staging)", 0o700)
                try mounts.serve("bindfs", ["-f", stage.root / "tree", stage.inbox], at: stage.inbox)
                try await stage.start()
                try await stage.expectProblem("staging folder, with 1 document:")
                try await stage.expectCounters(["seen": 1, "held": 1, "waiting": 0, "filed": 0])
                #expect(try await stage.control(["retry"]).exit == .status(0))
                for name: TestPath in ["letter.txt", "copying.txt"] {
                    try await stage.expectFiled(stage.documents / name, [1], from: stage.inbox / name)
                }
                try await stage.expectCounters(["seen": 3, "held": 0, "withdrawn": 1, "filed": 2])
                try await stage.expectProblem(nil)
            }
        }

        /// The id of a claim that is made at this moment.
        private static func claimNow() -> String {
            let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
            let milliseconds = UInt64(time(nil)) * 1000
            return String((0..<9).map { letters[Int(milliseconds >> UInt64((8 - $0) * 5) & 31)] }) + "0000001"
        }

        @Test("What somebody writes in a staging folder there names nothing that is removed", means)
        func hostileNotes() async throws {
            try await onMounts { stage, mounts in
                let staging = stage.root / "tree/.inboxd-0123456789abcdef"
                try Disk.makeFolders(staging / "source-0000000000000001")
                for folder in [staging, staging / "source-0000000000000001"] { chmod("\(folder)", 0o700) }
                try Disk.put([1], at: staging / "source-0000000000000001/letter.txt")
                let victim = stage.root / "victim.conf"
                try Disk.put([1], at: victim)
                let identity = try FileDescriptor.reading(path: BytePath("\(victim)")).status().identity
                let device = identity.file.device
                let birth = try #require(identity.file.birth)
                let marks = [
                    "\(device)", "\(identity.file.inode)", "\(identity.size)", "\(identity.modified.seconds)",
                    "\(identity.modified.nanoseconds)", "\(birth.seconds)", "\(birth.nanoseconds)",
                ]
                let list = "[" + marks.map { "\"\($0)\"" }.joined(separator: ",") + "]"
                let note = """
                    {"claim":"0000000000000001","source":"\(stage.inbox)/letter.txt","inbox":"\(stage.inbox)",\
                    "identity":\(list),"staging":"\(stage.inbox)","stagingDevice":\(device),\
                    "destination":"\(stage.root)","making":"\(stage.root)","device":\(device),"name":"letter.txt",\
                    "directName":"victim.conf","made":\(list)}
                    """
                try Disk.put(Array((note + "\n").utf8), at: staging / "claims-0000000000000001")
                try mounts.serve("bindfs", ["-f", stage.root / "tree", stage.inbox], at: stage.inbox)
                try await stage.start()
                try await stage.expectProblem("staging folder, with 1 document")
                #expect(try await stage.control(["retry"]).exit == .status(0))
                try await stage.expectFiled(
                    stage.documents / "letter.txt", [1], from: staging / "source-0000000000000001/letter.txt")
                #expect(Disk.exists(victim))
            }
        }

        @Test("A folder that another user has put under the name of a staging folder is not used, nor removed", means)
        func staging() async throws {
            try await onMounts { stage, mounts in
                let tree = stage.root / "tree"
                try Disk.makeFolders(tree / "Inbox")
                try mounts.serve("bindfs", ["-f", tree, stage.documents], at: stage.documents)
                // What filesystems say that have no rename that never replaces: documents are claimed there.
                stage.variables = ["INBOXD_FAULT=renameat2:*:22"]
                try await stage.start()
                try Disk.put([1], at: stage.inbox / "one.txt")
                try await stage.expectFiled(stage.documents / "one.txt", [1], from: stage.inbox / "one.txt")
                try await stage.expectNothingStaged(beneath: stage.documents)
                let instances = Disk.text(stage.state / "instance").split(separator: "\n")
                let name = TestPath(".inboxd-\(try #require(instances.first))")
                try Disk.makeFolder(tree / name)
                chown("\(tree / name)", 4001, 4001)
                chmod("\(tree / name)", 0o777)
                try Disk.put([2], at: stage.inbox / "two.txt")
                try await stage.expectFiled(stage.documents / "two.txt", [2], from: stage.inbox / "two.txt")
                #expect(Disk.owner(tree / name) == 4001, "it was removed")
                #expect(try Disk.names(in: tree / name).isEmpty)
            }
        }

        @Test("A server that has died makes a destination that fails, and a new one mends it", means)
        func died() async throws {
            try await onMounts { stage, mounts in
                let tree = stage.root / "tree"
                try Disk.makeFolders(tree)
                let server = try mounts.serve("bindfs", ["-f", tree, stage.documents], at: stage.documents)
                try stage.useInbox(stage.root / "in")
                try await stage.start()
                try Disk.put([1], at: stage.root / "in/one.txt")
                try await stage.expectFiled(stage.documents / "one.txt", [1], from: stage.root / "in/one.txt")
                server.signal(SIGKILL)
                _ = try await server.ended()
                try Disk.put([2], at: stage.root / "in/two.txt")
                try await stage.expectListed("two.txt", state: "waiting", reasons: ["retrying"])
                try mounts.unmount(stage.documents, lazily: true)
                try mounts.serve("bindfs", ["-f", tree, stage.documents], at: stage.documents)
                try await stage.expectFiled(stage.documents / "two.txt", [2], from: stage.root / "in/two.txt")
                try await stage.expectProblem(nil)
            }
        }
    }
}
