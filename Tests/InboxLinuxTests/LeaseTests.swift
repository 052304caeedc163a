import Glibc
import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite struct LeaseTests {
    @Test("A lease is refused as long as somebody has the file open for writing, and had afterwards")
    func writer() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "content")
        let reader = try folder.open().file(aName("a"))
        do {
            let writer = try FileDescriptor.open(path: folder.bytePath("a"), flags: O_WRONLY | O_CLOEXEC)
            #expect(ReadLease.take(reader) == .writer)
            #expect(try !ReadLease.isWhole(reader))
            try writer.close()
            Program.waitForStarts()
        }
        #expect(ReadLease.take(reader) == .held)
        #expect(try ReadLease.isWhole(reader))
        let other = try folder.open().file(aName("a"))
        #expect(try other.contents(limit: 100)?.count == 7)
        try folder.open().rename(aName("a"), to: try folder.open(), as: aName("b"))
        #expect(try ReadLease.isWhole(reader))
        try ReadLease.release(reader)
        #expect(try !ReadLease.isWhole(reader))
    }

    @Test("What is no regular file has no lease")
    func unavailable() throws {
        let folder = try TemporaryFolder()
        let opened = try folder.open()
        guard case .unavailable = ReadLease.take(opened.descriptor) else {
            Issue.record("a folder had a lease")
            return
        }
    }

    @Test("A writer that comes breaks the lease: it waits until the lease is given back, and then goes on")
    func broken() async {
        await #expect(processExitsWith: .success) {
            // The signal of the break is process-wide, and its default is to kill: hence a process of its own.
            let folder = try TemporaryFolder()
            try folder.write("a", "content")
            let reader = try folder.open().file(aName("a"))
            try #require(ReadLease.take(reader) == .held)
            let path = folder.path + "/a"
            let impatient = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
            #expect(impatient == -1 && errno == EWOULDBLOCK)
            #expect(try !ReadLease.isWhole(reader))
            let writer = try Worker<String, Bool> { path in
                let number = open(path, O_WRONLY | O_CLOEXEC)
                defer { close(number) }
                return number >= 0
            }
            writer.begin(path)
            // It cannot be shown that it never comes; that it does not come soon can.
            usleep(50_000)
            #expect(writer.finished().isEmpty)
            try ReadLease.release(reader)
            var outcomes: [Bool] = []
            #expect(
                becomesTrue {
                    outcomes += writer.finished()
                    return !outcomes.isEmpty
                })
            #expect(outcomes == [true])
            writer.end()
        }
    }
}

@Suite struct LockTests {
    @Test("A lock that one process holds is refused to another, and free once its descriptor is closed")
    func twoProcesses() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/lock"
        do {
            let lock = try folder.open().appendingFile(aName("lock"))
            #expect(try lock.lockExclusively())
            // Asking twice on the same open file is no second owner.
            #expect(try lock.lockExclusively())
            let second = try folder.open().appendingFile(aName("lock"))
            #expect(try !second.lockExclusively())
        }
        Program.waitForStarts()
        let lock = try folder.open().appendingFile(aName("lock"))
        try #require(try lock.lockExclusively())
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            let lock = try FileDescriptor.open(path: BytePath(path), flags: O_RDWR | O_CLOEXEC)
            exit(try lock.lockExclusively() ? 0 : 7)
        }
        try lock.close()
        Program.waitForStarts()
        await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
            let lock = try FileDescriptor.open(path: BytePath(path), flags: O_RDWR | O_CLOEXEC)
            exit(try lock.lockExclusively() ? 0 : 7)
        }
    }
}
