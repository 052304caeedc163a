import Glibc
import InboxTestSupport
import Testing

/// Filesystems that report data as a hole, as several have done.
@Suite(
    "Holes that are none", .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem to write to"))
struct LyingHoleTests {
    private static let empty = FaultRow(
        name: "across, with a hole", settings: ["Inbox.EmptySettle=0"], isAcross: true, drops: [])
    private static let data = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 % 251) }

    @Test(
        "A document with holes keeps its data where lseek(2) says that there is none, or none beyond the first part",
        arguments: [off_t(4 << 20), 100 << 20], [1, 2])
    func lie(size: off_t, from search: Int) async throws {
        let stage = try FaultStage(Self.empty)
        let source = stage.stage.inbox / "scan.bin"
        let parts: [off_t] = [0, size / 2, size - off_t(Self.data.count)]
        let descriptor = try Disk.open(source, O_RDWR | O_CREAT)
        for offset in parts {
            try #require(pwrite(descriptor, Self.data, Self.data.count, offset) == Self.data.count)
        }
        close(descriptor)
        // Each part is found by two calls: for its beginning and for its end.
        let run = try await stage.run("lseek@/scan.bin:\(search * 2 - 1)+:\(ENXIO)")
        #expect(run.exit == .status(0), "\(run.errors)")
        #expect(!run.trace.calls.filter { $0.name == "lseek" && $0.result == .struck }.isEmpty, "no lie was told")
        #expect(try Disk.names(in: stage.stage.inbox).isEmpty)
        let copied = try Disk.open(stage.stage.documents / "scan.bin", O_RDONLY)
        defer { close(copied) }
        #expect(lseek(copied, 0, SEEK_END) == size)
        for offset in parts {
            var found = [UInt8](repeating: 0, count: Self.data.count)
            #expect(pread(copied, &found, found.count, offset) == found.count)
            // Not the arrays: a difference of so many bytes would be searched for minutes.
            let isSame = found == Self.data
            #expect(isSame, "what lies at \(offset) is not what it was")
        }
    }

    @Test("Holes are neither read nor written where the filesystem's count of blocks shows that nothing is missing")
    func truth() async throws {
        let stage = try FaultStage(Self.empty)
        let source = stage.stage.inbox / "scan.bin"
        let size: off_t = 40 << 30
        let descriptor = try Disk.open(source, O_RDWR | O_CREAT)
        try #require(ftruncate(descriptor, size) == 0)
        try #require(pwrite(descriptor, Self.data, 4096, size / 2) == 4096)
        close(descriptor)
        let run = try await stage.run(nil)
        #expect(run.exit == .status(0), "\(run.errors)")
        #expect(run.trace.calls.count { $0.name == "pread" } < 100)
        var status = stat()
        #expect((stage.stage.documents / "scan.bin").withCString { stat($0, &status) } == 0)
        #expect(status.st_size == size && status.st_blocks * 512 <= 1 << 20)
    }
}
