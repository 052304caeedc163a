#if DEBUG
    import InboxFiling
    import InboxLinux
    import InboxTestSupport
    import Testing

    @Suite("Foreign mounts")
    struct ForeignMountsTests {
        @Test("Where no thread can be had a mount counts as silent, and the loop makes no call there itself")
        func threads() async {
            await #expect(processExitsWith: .success) {
                let mounts = try ForeignMounts()
                let table = MountTable(Array("30 21 0:40 / /a/nfs rw - nfs4 server:/ rw\n".utf8))
                FaultPlan.arm(FaultPlan(at: .every, action: .fail(.again), only: .threadCreate))
                mounts.follow(table, concerning: [BytePath("/a")], at: .now())
                try mounts.awaitAnswers(atMost: .milliseconds(10))
                #expect(throws: MountError<Never>.self) { try mounts.call(at: BytePath("/a/nfs/b")) { 1 } }
                let there = try mounts.call(at: BytePath("/a/b")) { 1 }
                #expect(there == 1)
                #expect(FaultPlan.disarm() > 0)
            }
        }

        @Test("A mount that does not answer is not touched where it was moved to, and no longer where it was")
        func moved() async {
            await #expect(processExitsWith: .success) {
                let mounts = try ForeignMounts()
                FaultPlan.arm(FaultPlan(at: .every, action: .fail(.again), only: .threadCreate))
                for path in ["/a/b/nfs", "/a/c/nfs"] {
                    let table = MountTable(Array("30 21 0:40 / \(path) rw - nfs4 server:/ rw\n".utf8))
                    mounts.follow(table, concerning: [BytePath("/a")], at: .now())
                    mounts.noteHeeded()
                    #expect(mounts.known.silent == [BytePath(path)])
                }
            }
        }

        @Test("What is mounted in a root whose path leads through a link is known by that path")
        func links() throws {
            let table = MountTable(Array("30 21 0:40 / /data/b/c rw - nfs4 server:/ rw\n".utf8))
            let found = table.following([BytePath("/a"): BytePath("/data/b")]).foreign(concerning: [BytePath("/a")])
            #expect(found.mapValues(\.path) == [30: BytePath("/a/c")])
        }

        @Test("Of FUSE mounts those are closed that neither root, this user nor the root's owner has made")
        func closed() throws {
            let mounts = try ForeignMounts()
            let table = MountTable(
                Array(
                    """
                    30 21 0:40 / /none/a rw - fuse.x x rw,user_id=0
                    31 21 0:41 / /none/b rw - fuse.x x rw,user_id=\(Process.user)
                    32 21 0:42 / /none/c rw - fuse.x x rw,user_id=4711
                    33 21 0:43 / /none rw - fuse.x x rw,user_id=4711
                    34 21 0:44 / /none/d rw - nfs4 x: rw
                    """.utf8))
            mounts.follow(table, concerning: [BytePath("/none")], at: .now())
            #expect(mounts.known.closed == [BytePath("/none/c")])
            #expect(mounts.known.all == Set(["/none", "/none/a", "/none/b", "/none/d"].map { BytePath($0) }))
        }
    }
#endif
