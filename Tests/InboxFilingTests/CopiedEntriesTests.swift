import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxFiling

@Suite("What the journal says of a copied package")
struct CopiedEntriesTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/file" }

    init() throws {
        folder = try TemporaryFolder()
        try Disk.put(Array("letter".utf8), at: TestPath(path))
    }

    private func status() throws -> FileStatus { try FileDescriptor.readingItself(path: BytePath(path)).status() }

    private func read(_ entries: CopiedEntries) throws -> CopiedEntries {
        try #require(CopiedEntries(text: entries.text))
    }

    @Test("An entry is one that was copied as long as nobody has changed it, whatever its times are")
    func changed() throws {
        for seconds in [-1, 1 << 33] {
            let times = [timespec(tv_sec: seconds, tv_nsec: 999_999_999)]
            #expect(utimensat(AT_FDCWD, path, times + times, 0) == 0)
            var entries = CopiedEntries()
            let before = try status()
            entries.note(before)
            #expect(try read(entries).has(status(), isSetAside: false))
            #expect(rename(path, path + "-1") == 0 && rename(path + "-1", path) == 0)
            #expect(try read(entries).has(status(), isSetAside: true))
            // Some kernels count time in steps.
            while try status().changed == before.changed { #expect(chmod(path, 0o600) == 0) }
            #expect(try !read(entries).has(status(), isSetAside: false))
            try Disk.append([1], to: TestPath(path))
            #expect(try !read(entries).has(status(), isSetAside: true))
        }
    }

    @Test("A folder is one that was copied whatever is in it now")
    func folders() throws {
        var entries = CopiedEntries()
        let before = try FileDescriptor.readingItself(path: BytePath("\(folder.path)")).status()
        entries.note(before)
        try Disk.put([1], at: TestPath(path + "-1"))
        let after = try FileDescriptor.readingItself(path: BytePath("\(folder.path)")).status()
        #expect(try read(entries).hasFolder(after))
        #expect(try !read(entries).hasFolder(status()))
    }

    @Test("What is no list of entries is none", arguments: ["0", String(repeating: "x", count: 32)])
    func broken(_ text: String) { #expect(CopiedEntries(text: text) == nil) }
}
