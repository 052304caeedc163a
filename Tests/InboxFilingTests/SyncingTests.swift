import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxFiling

@Suite("A large file that is brought to the disk part by part")
struct SyncingTests {
    /// A file of a little more than two parts, none of which takes room.
    private static func largeFile() throws -> OpenFile {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/large"
        try Disk.put([], at: TestPath(path))
        #expect(truncate(path, off_t(2 * Syncing.portion + 1)) == 0)
        return OpenFile(try .reading(path: BytePath(path)))
    }

    private static func sync(_ file: OpenFile, _ abandonment: Abandonment = Abandonment()) throws(SyscallError) -> Bool
    {
        try Syncing.sync(file, ofSize: UInt64(2 * Syncing.portion + 1), abandonment)
    }

    @Test("Where the daemon is ending, the sync of the whole is not begun")
    func ending() async {
        await #expect(processExitsWith: .success) {
            let file = try Self.largeFile()
            let abandonment = Abandonment()
            abandonment.request()
            FaultPlan.arm(FaultPlan(at: .every, action: .fail(.inputOutput), only: .fsync))
            #expect(try !Self.sync(file, abandonment))
            #expect(FaultPlan.disarm() == 0)
        }
    }

    @Test("A part that the disk does not keep is a failure, of which the sync of the whole may not hear")
    func part() async {
        await #expect(processExitsWith: .success) {
            let file = try Self.largeFile()
            FaultPlan.arm(FaultPlan(nth: 2, action: .fail(.inputOutput), only: .syncFileRange))
            #expect(throws: SyscallError.self) { try Self.sync(file) }
        }
    }

    @Test("Where there are no parts the whole is synced")
    func whole() async {
        await #expect(processExitsWith: .success) {
            let file = try Self.largeFile()
            FaultPlan.arm(FaultPlan(at: .every, action: .fail(.invalid), only: .syncFileRange))
            #expect(try Self.sync(file))
        }
    }

    @Test("A file of holes that is larger than any disk has no more parts than others")
    func holes() async {
        await #expect(processExitsWith: .success) {
            let file = try Self.largeFile()
            FaultPlan.arm(FaultPlan(nth: 2000, action: .fail(.inputOutput), only: .syncFileRange))
            #expect(try Syncing.sync(file, ofSize: UInt64(Int64.max), Abandonment()))
            #expect(FaultPlan.disarm() <= 1024)
        }
    }
}
