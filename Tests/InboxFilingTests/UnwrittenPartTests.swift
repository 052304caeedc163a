import Glibc
import InboxTestSupport
import Testing

@testable import InboxFiling
@testable import InboxLinux

@Suite("The part of a file that is not written")
struct UnwrittenPartTests {
    @Test(
        "Where only a sync shows that reserved blocks are written, whoever may not wait learns that, and nothing is synced"
    )
    func unsynced() throws {
        let folder = try TemporaryFolder()
        let (size, content) = (1 << 20, [UInt8](repeating: 7, count: 1 << 20))
        let path = folder.path + "/scan.bin"
        let writer = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(writer >= 0)
        defer { close(writer) }
        try #require(posix_fallocate(writer, 0, off_t(size)) == 0)
        try #require(pwrite(writer, content, size, 0) == size)
        let file = try OpenFile(Directory.open(path: BytePath(folder.path)).file(aName("scan.bin")))
        func find(mayWait: Bool) throws(SyscallError) -> UnwrittenPart.Found {
            try UnwrittenPart.find(in: file.descriptor, file.descriptor.status(), mayWait: mayWait)
        }
        do throws(SyscallError) {
            // Unless the kernel has just written it, or the filesystem reserves nothing.
            for _ in 0..<2 where try find(mayWait: false) != .little { #expect(try find(mayWait: false) == .unsynced) }
            #expect(try find(mayWait: true) == .little)
            #expect(try find(mayWait: false) == .little)
        } catch {
            // The filesystem does not tell, as tmpfs does not.
            #expect([EOPNOTSUPP, ENOTTY].contains(error.errno.rawValue), "\(error)")
        }
    }
}
