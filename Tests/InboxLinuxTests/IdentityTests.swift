import Glibc
import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite struct IdentityTests {
    /// Waits until the clock that files are stamped by has gone on.
    private func nextTick() {
        var before = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &before)
        var now = before
        while now.tv_sec == before.tv_sec && now.tv_nsec == before.tv_nsec {
            usleep(500)
            clock_gettime(CLOCK_REALTIME_COARSE, &now)
        }
    }

    @Test("A new file is another file, even where the filesystem gives it the number of one just deleted")
    func inodeNumberUsedAgain() throws {
        let folder = try TemporaryFolder()
        let opened = try folder.open()
        var keys: Set<FileKey> = []
        var inodes: Set<UInt64> = []
        for _ in 0..<50 {
            try folder.write("a")
            let key = try opened.status(of: aName("a")).identity.file
            keys.insert(key)
            inodes.insert(key.inode)
            try opened.removeFile(aName("a"))
            nextTick()
        }
        #expect(keys.count == 50, "\(inodes.count) inode numbers")
    }

    @Test("Renaming keeps a file's identity; writing changes its state, not which file it is")
    func states() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "1")
        let opened = try folder.open()
        let first = try opened.status(of: aName("a"))
        nextTick()
        try opened.rename(aName("a"), to: opened, as: aName("b"))
        let renamed = try opened.status(of: aName("b"))
        #expect(renamed.identity == first.identity)
        #expect(renamed.changed > first.changed)
        nextTick()
        let file = try opened.appendingFile(aName("b"))
        try file.write(Array("2".utf8))
        let written = try file.status()
        #expect(written.identity.file == first.identity.file)
        #expect(written.identity != first.identity)
        #expect(written.size == 2 && written.identity.modified > first.identity.modified)
    }

    @Test("A status has kind, owner, mode and links as they are")
    func status() throws {
        let folder = try TemporaryFolder()
        try folder.write("file")
        folder.makeFolder("folder")
        folder.makeLink("link", to: "file")
        mkfifo(folder.path + "/fifo", 0o600)
        chmod(folder.path + "/file", 0o4751)
        let opened = try folder.open()
        let kinds = try ["file", "folder", "link", "fifo"].map { try opened.status(of: aName($0)).kind }
        #expect(kinds == [.regular, .directory, .symlink, .special])
        let status = try opened.status(of: aName("file"))
        #expect(status.permissions == 0o4751 && status.owner == Process.user && status.links == 1)
        #expect(!status.isSocket)
        _ = try UnixListener(at: folder.address("socket"), mode: 0o600)
        let socket = try opened.status(of: aName("socket"))
        #expect(socket.kind == .special && socket.isSocket)
        #expect(try opened.status().mount == status.mount)
    }

    @Test("What is in a folder counts as its size and its times, and no sum runs over")
    func absorb() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "12345")
        folder.makeFolder("f")
        folder.makeLink("l", to: "a")
        let opened = try folder.open()
        var sum = try opened.status()
        let key = sum.identity.file
        sum.emptySize()
        #expect(sum.size == 0)
        for inner in ["a", "f", "l", "a"] { sum.absorb(try opened.status(of: aName(inner))) }
        #expect(sum.size == 10)
        #expect(sum.identity.file == key)
        let latest = try ["a", "f", "l"].map { try opened.status(of: aName($0)).changed }.max()
        #expect(try sum.changed == max(opened.status().changed, latest ?? sum.changed))
    }

    @Test("A file's permissions are set whatever the umask, and a file is cut off where it is to be")
    func changes() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "12345")
        let file = try folder.open().appendingFile(aName("a"))
        try file.changePermissions(0o7_0666)
        #expect(try file.status().permissions == 0o666)
        try file.changeOwner(Process.user, group: file.status().group)
        try file.truncate(to: 2)
        try file.write(Array("x".utf8))
        try file.sync()
        try file.syncData()
        #expect(try folder.read("a") == "12x")
        try file.close()
    }
}
