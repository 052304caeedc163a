@testable import InboxLinux
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

@Suite struct MountTableTests {
    private let table = MountTable(
        Array(
            """
            21 1 254:0 / / rw - ext4 /dev/vda rw
            30 21 0:40 / /home/a\\040b rw - tmpfs tmpfs rw
            31 30 0:41 / /home/a\\040b/Documents/Inbox rw - tmpfs tmpfs rw
            32 21 0:42 / /home/a\\040bc rw - tmpfs tmpfs rw
            a line that is none
            """.utf8))

    @Test("What concerns a folder are the mounts that it lies on, and those in it")
    func concerning() {
        let documents = BytePath("/home/a b/Documents")
        #expect(table.mounts(concerning: documents).map(\.identifier) == [21, 30, 31])
        #expect(table.mounts(beneath: documents).map(\.identifier) == [31])
    }

    @Test("Foreign are the mounts of servers and programs that a folder lies on or has in it")
    func foreign() {
        let table = MountTable(
            Array(
                """
                21 1 254:0 / / rw shared:1 - ext4 /dev/vda rw
                30 21 0:40 / /home/a rw shared:2 master:3 - nfs4 server:/home rw
                31 30 0:41 / /home/a/Inbox rw - fuse.sshfs phone: rw
                32 21 0:42 / /home/b rw - fuse.sshfs phone: rw
                33 21 0:43 / /srv rw - cifs //server/srv rw
                34 21 0:44 / /home/a/fuse rw - tmpfs fuse rw
                """.utf8))
        #expect(
            table.foreign(concerning: [BytePath("/home/a/Documents"), BytePath("/home/a/Inbox/x"), BytePath("/srv/x")])
                .mapValues(\.path) == [30: BytePath("/home/a"), 31: BytePath("/home/a/Inbox"), 33: BytePath("/srv")])
        #expect(table.foreign(concerning: [BytePath("/var")]).isEmpty)
        #expect(table.foreign(concerning: [BytePath("/home")]).keys.sorted() == [30, 31, 32])
    }

    @Test(
        "Foreign is what another machine, or the host of a virtual one, serves",
        arguments: ["beegfs", "cifs", "fuse.sshfs", "gpfs", "lustre", "nfs4", "prl_fs", "pvfs2", "vboxsf", "vmhgfs"])
    func served(_ type: String) {
        let table = MountTable(Array("30 21 0:40 / /a rw - \(type) there rw\n".utf8))
        #expect(table.isForeign(BytePath("/a/b")) && !table.isForeign(BytePath("/b")))
    }

    @Test("The user of a FUSE mount is the one that the kernel names, whatever the server calls itself")
    func user() {
        let table = MountTable(
            Array(
                """
                21 1 254:0 / / rw - ext4 /dev/vda rw,user_id=5
                30 21 0:40 / /a rw - fuse.user_id=0 user_id=0,rw rw,user_id=1001,group_id=0,allow_other
                31 21 0:41 / /b rw - nfs4 server:/b rw
                """.utf8))
        let mounts = table.mounts(beneath: BytePath("/"))
        #expect(mounts.map(\.user) == [nil, 1001, nil])
    }

    @Test("A mount that is read-only now is another one")
    func options() {
        let before = MountTable(Array("30 21 0:40 / /a rw - ext4 /dev/b rw\n".utf8))
        let after = MountTable(Array("30 21 0:40 / /a ro - ext4 /dev/b rw\n".utf8))
        #expect(before.mounts(concerning: BytePath("/a")) != after.mounts(concerning: BytePath("/a")))
    }
}

@Suite struct WatchTableTests {
    @Test("The events of a watch are about every folder that shares it, until the last has gone")
    func shared() throws {
        let stage = try IntakeStage()
        stage.folder.makeFolder("inbox/a")
        stage.folder.makeFolder("inbox/b")
        stage.event([.created, .isFolder], "a")
        stage.event([.created, .isFolder], "b")
        let (first, second) = (try #require(stage.walked("a")), try #require(stage.walked("b")))
        var watches = WatchTable()
        watches.add(first, 5)
        watches.add(second, 5)
        watches.add(second, 5)
        #expect(watches[5].count == 2 && watches[5][0] === first && watches[5][1] === second)
        #expect(watches.remove(first, 5) === second)
        #expect(watches[5].count == 1)
        #expect(watches.remove(second, 5) == nil)
        #expect(watches[5].isEmpty && watches.watches.isEmpty)
    }
}
