import Glibc
import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite struct LeakTests {
    /// The numbers of this process's open descriptors.
    private static func open() -> Set<Int32> {
        Set((0..<256).filter { fcntl($0, F_GETFD) >= 0 })
    }

    /// What the library can be asked to do, each with whatever it opens.
    private static func operations(_ folder: TemporaryFolder) -> [(String, () throws -> Void)] {
        [
            ("Directory.open", { _ = try folder.open() }),
            ("Directory.folder", { _ = try folder.open().folder(aName("inner")) }),
            ("Directory.folder(beneath:)", { _ = try folder.open().folder(beneath: [aName("inner"), aName("deep")]) }),
            ("a long way", { _ = try folder.open().folder(beneath: Array(repeating: aName("inner"), count: 2000)) }),
            ("a link", { _ = try folder.open().folder(aName("link")) }),
            ("Directory.file", { _ = try folder.open().file(aName("a")).contents(limit: 100) }),
            ("Directory.appendingFile", { _ = try folder.open().appendingFile(aName("a")).status() }),
            ("FileDescriptor.close", { try folder.open().file(aName("a")).close() }),
            (
                "DirectoryEntries",
                {
                    var entries = try DirectoryEntries(of: try folder.open())
                    while try entries.next() != nil {}
                }
            ),
            ("Filesystem", { _ = try Filesystem(of: try folder.open().descriptor) }),
            (
                "Inotify",
                {
                    let inotify = try Inotify()
                    inotify.unwatch(try inotify.watch(try folder.open(), for: .created))
                    _ = try inotify.read { _ in }
                }
            ),
            (
                "Epoll, Timer, Bell",
                {
                    var epoll = try Epoll()
                    var timer = try Timer()
                    let bell = try Bell()
                    _ = try epoll.add(timer.descriptor, for: .readable)
                    try timer.set(.now() + .seconds(100))
                    bell.ring()
                    _ = try epoll.add(bell.descriptor, for: .readable)
                    try epoll.wait(blocking: false) { _, _ in }
                }
            ),
            (
                "UnixListener, UnixSocket",
                {
                    unlink(folder.path + "/s")
                    let listener = try UnixListener(at: folder.address("s"), mode: 0o600)
                    let client = try UnixSocket.connect(to: folder.address("s"))
                    let server = try listener.accept()
                    _ = try client.send([1, 2])
                    _ = try client.peer()
                    try client.endSending()
                    var buffer = [UInt8](repeating: 0, count: 8)
                    _ = try server?.receive(into: &buffer)
                }
            ),
            ("no socket", { _ = try UnixSocket.connect(to: folder.address("none")) }),
            ("Datagram", { try Datagram.send([1], to: folder.address("none")) }),
            ("SignalReader", { _ = try SignalReader().next() }),
            ("standard error", { _ = try FileDescriptor.standardError().journalStreamName() }),
            (
                "ReadLease",
                {
                    let file = try folder.open().file(aName("a"))
                    _ = ReadLease.take(file)
                    _ = try ReadLease.isWhole(file)
                    try ReadLease.release(file)
                }
            ),
        ]
    }

    /// Whether the operation leaves one descriptor more behind each time: the test library's own threads open some too,
    /// but not every time.
    private static func leaks(_ operation: () -> Void) -> Bool {
        for _ in 0..<3 {
            let before = open()
            operation()
            if open().subtracting(before).isEmpty { return false }
        }
        return true
    }

    @Test("No operation leaves a descriptor open, at whichever system call it fails")
    func none() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try folder.write("a", "content")
            folder.makeFolder("inner")
            folder.makeFolder("inner/deep")
            folder.makeLink("link", to: "inner")
            // First of all: is a leak seen?
            try #require(LeakTests.leaks { _ = dup(0) })
            try #require(!LeakTests.leaks { close(dup(0)) })
            var strikes = 0
            for (title, operation) in LeakTests.operations(folder) {
                var nth = 1
                var counted = 0
                repeat {
                    let isLeaky = LeakTests.leaks {
                        FaultPlan.arm(FaultPlan(nth: nth, action: .fail(.inputOutput)))
                        _ = failureOf(operation)
                        counted = FaultPlan.disarm()
                    }
                    #expect(!isLeaky, "\(title), call \(nth)")
                    strikes += 1
                    nth += 1
                } while counted == nth - 1
            }
            #expect(strikes > 50, "\(strikes)")
        }
    }
}
