import Glibc
import InboxTestSupport
import Testing

@testable import InboxFiling
@testable import InboxLinux

@Suite("The watch of the paths to the roots")
struct RootWatchTests {
    @Test("What is removed from the state folder is noticed while a path that leads through it is followed too")
    func stateFolder() throws {
        let folder = try TemporaryFolder()
        let lock = TestPath(folder.path) / "lock"
        try Disk.put([], at: lock)
        let path = BytePath(folder.path)
        let watch = try RootWatch()
        watch.follow(state: path)
        var chain = watch.chain()
        let opened = try Directory.open(path: path)
        chain.add(opened.descriptor, try opened.status())
        watch.put(chain, for: folder.bytePath("root"))
        let other = TestPath(folder.path) / "other"
        try Disk.put([], at: other)
        try Disk.remove(other)
        #expect(try !watch.takeEvents(), "the daemon's own files come and go")
        try Disk.remove(lock)
        #expect(try watch.takeEvents())
    }
}
