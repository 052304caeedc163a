import Glibc
import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite("Where a passed descriptor lies")
struct PassedMountTests {
    private static let table = MountTable(
        Array(
            """
            21 1 254:0 / / rw - ext4 /dev/vda rw
            40 21 0:50 / /home/eve/mnt rw - fuse.sshfs eve: rw,user_id=1000,group_id=1000
            41 21 0:51 / /mnt/ours rw - fuse.rclone r: rw,user_id=0,group_id=0

            """.utf8))

    private static func reason(_ record: String) -> String? {
        table.unansweredReason(Array(record.utf8), trusting: 900)
    }

    @Test("A file on somebody's own FUSE mount is not read, nor one on a mount that is not here")
    func refused() {
        #expect(
            Self.reason("pos:\t0\nflags:\t0100000\nmnt_id:\t40\nino:\t2\n")?.contains("the user 1000 serves") == true)
        #expect(Self.reason("pos:\t0\nmnt_id:\t99\n")?.contains("not mounted here") == true)
        #expect(Self.reason("pos:\t0\n") != nil)
        #expect(Self.reason("mnt_id:\tx\n") != nil)
    }

    @Test("A file on a disk, or on a mount that root or the daemon's user serves, is read")
    func read() {
        #expect(Self.reason("pos:\t0\nmnt_id:\t21\n") == nil)
        #expect(Self.reason("mnt_id:\t41\n") == nil)
        #expect(Self.table.unansweredReason(Array("mnt_id:\t40\n".utf8), trusting: 1000) == nil)
    }

    @Test("The kernel's own record of an open file is read")
    func real() throws {
        let number = open("/etc/passwd", O_RDONLY | O_CLOEXEC)
        try #require(number >= 0)
        #expect(try PassedFile(owning: number, of: 0).unansweredReason(trusting: 0) == nil)
    }
}
