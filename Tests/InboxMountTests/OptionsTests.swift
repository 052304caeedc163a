import Glibc
import InboxTestSupport
import Testing

extension MountTests {
    /// What a mount or a filesystem is made to do otherwise.
    @Suite("Mount options and quotas")
    struct OptionsTests {
        @Test(
            "A set-user-ID bit that counted for nothing where the document lay is not gained elsewhere", Means.needed())
        func nosuid() async throws {
            try await onMounts { stage, mounts in
                let (ignoring, heeding) = (stage.root / "ignoring", stage.root / "heeding")
                for folder in [ignoring, heeding] { try mounts.memory(at: folder) }
                try Tool.run("mount", "-o", "remount,nosuid", ignoring)
                for (inbox, wanted) in [(ignoring / "in", 0o755), (heeding / "in", 0o4755)] as [(TestPath, mode_t)] {
                    let run = try Stage(settings: ["Inbox.Settle=0"])
                    defer { run.close() }
                    try run.useInbox(inbox)
                    let tool = inbox / "tool.bin"
                    try Disk.put([1], at: tool)
                    try Disk.check("chmod", tool, tool.withCString { chmod($0, 0o4755) })
                    try await run.runDaemon(["--once"])
                    #expect(try Disk.mode(run.documents / "tool.bin") == wanted)
                    let isReported = run.lastRun?.errors.contains("without the set-user-ID bits") == true
                    #expect(isReported == (wanted == 0o755), "\(run.lastRun?.errors ?? "")")
                }
            }
        }

        @Test(
            "Over its quota a destination keeps nothing, and gets the document when the quota is raised",
            Means.loop("btrfs"))
        func quota() async throws {
            try await onMounts { stage, mounts in
                let disk = stage.root / "disk"
                try mounts.loop("btrfs", at: disk, size: "256M")
                try Tool.run("btrfs", "quota", "enable", disk)
                try Tool.run("btrfs", "subvolume", "create", disk / "docs")
                try Tool.run("btrfs", "qgroup", "limit", "2M", disk / "docs")
                try stage.useInbox(stage.inbox)
                try await stage.start(["--documents", disk / "docs"])
                let content = [UInt8](repeating: 0x62, count: 4 << 20)
                let source = stage.inbox / "large.bin"
                try Disk.put(content, at: source)
                try await stage.expectListed("large.bin", state: "waiting", reasons: ["retrying"])
                try await stage.expectAnotherTry(of: "large.bin")
                #expect(stage.logged("Disk quota exceeded") == 1)
                try await stage.expectNothingStaged(beneath: disk)
                #expect(!Disk.exists(disk / "docs/large.bin"))
                try Tool.run("btrfs", "qgroup", "limit", "none", disk / "docs")
                try await stage.expectFiled(disk / "docs/large.bin", content, from: source)
            }
        }

        /// ecryptfs allows 143 bytes; where there is none, a plan says what it would.
        @Test("A name that is too long for the destination is held", Means.needed(), arguments: [true, false])
        func tooLong(_ isAcross: Bool) async throws {
            try await onMounts { stage, mounts in
                if isAcross {
                    try mounts.memory(at: stage.documents)
                    try stage.useInbox(stage.root / "in")
                }
                let inbox = isAcross ? stage.root / "in" : stage.inbox
                let name = TestPath([UInt8](repeating: 0x6E, count: 144))
                // Only the calls that would make the name: looking at it and removing it must work.
                let call = isAcross ? "linkat" : "renameat2"
                stage.variables = ["INBOXD_FAULT=\(call)@Documents/nnnn:*:36"]
                try await stage.start()
                try Disk.put([1], at: inbox / name)
                try Disk.put([2], at: inbox / "short.txt")
                try await stage.expectListed(name, state: "held", reasons: ["name"])
                try await stage.expectFiled(stage.documents / "short.txt", [2], from: inbox / "short.txt")
                #expect(try Disk.read(inbox / name) == [1])
                try await stage.expectNothingStaged(beneath: stage.documents)
            }
        }
    }
}
