import Glibc
import InboxTestSupport
import Testing

/// A writer that makes room for a file first, writes it in any order, and has it closed in between: restic does so.
@Suite("Files that are not written to their ends")
struct HollowTests {
    private static let row = FaultRow(name: "across, with room", isAcross: true, drops: [])

    /// `SEEK_DATA` of lseek(2), which the Glibc module lacks.
    private static let seekData: Int32 = 3

    @Test(
        "One of which a part is only reserved waits for it, and says how much is missing",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem to write to"))
    func reserved() async throws {
        try await Gate.daemons.pass {
            let files = try FaultStage(Self.row)
            let stage = files.stage
            try await stage.start()
            let place = stage.inbox / "scan.bin"
            let (size, written) = (3 << 20, 1 << 20)
            let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 % 251) }
            let descriptor = try Disk.open(place, O_RDWR | O_CREAT)
            try #require(posix_fallocate(descriptor, 0, off_t(size)) == 0)
            // Where the filesystem makes no room, the C library has written zeros, which nobody can tell from content.
            let makesRoom = lseek(descriptor, 0, Self.seekData) == -1
            try #require(pwrite(descriptor, content, written, 0) == written)
            close(descriptor)
            guard makesRoom else { return }
            try await stage.expectListed("scan.bin", state: "waiting", reasons: ["empty"])
            let list = try await stage.control(["list", "--json"]).output
            #expect(list.contains("of its 3.0 MB, ") && list.contains(" MB are not written yet"), "\(list)")
            let again = try Disk.open(place, O_RDWR)
            let rest = Array(content.dropFirst(written))
            try #require(pwrite(again, rest, rest.count, off_t(written)) == rest.count)
            close(again)
            try await stage.expectFiledRecords(1)
            let isSame = try Disk.read(stage.documents / "scan.bin") == content
            #expect(isSame)
        }
    }
}
