import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxFiling

@Suite("The daemons that an Inbox names")
struct InboxDaemonsTests {
    private let folder: TemporaryFolder
    private let inbox: OpenFolder

    init() throws {
        folder = try TemporaryFolder()
        folder.makeFolder("Inbox")
        inbox = OpenFolder(try Directory.open(path: folder.bytePath("Inbox")))
    }

    /// The path of a state folder without links.
    private func state(_ name: String) throws -> BytePath {
        folder.makeFolder(name)
        return try #require(try RealPath.ofFolder(folder.bytePath(name)))
    }

    private func join(_ state: BytePath) throws { try InboxDaemons.join(inbox.directory.descriptor, with: state) }

    private var states: [BytePath] {
        get throws { try InboxDaemons.states(on: inbox.directory.descriptor) }
    }

    @Test("Each is there once, under a name of any bytes, and one whose state folder is gone goes with the next one")
    func joined() throws {
        let (first, second) = (try state("first"), try state("second \n"))
        #expect(try states.isEmpty)
        for path in [first, second, first] { try join(path) }
        #expect(try states == [first, second])
        try Disk.removeTree(TestPath("\(folder.path)/first"))
        try join(second)
        #expect(try states == [first, second], "nothing is written")
        let third = try state("third")
        try join(third)
        #expect(try states == [second, third])
    }

    @Test("They are eight at most")
    func bounded() throws {
        let all = try (1...10).map { try state("\($0)") }
        for path in all { try join(path) }
        #expect(try states == all.suffix(8))
    }

    @Test(
        "What is no path is not followed",
        arguments: ["", "a", "\0\0/", "relative\0", String(repeating: "/x\0", count: 100)])
    func hostile(_ text: String) throws {
        let name = try #require(AttributeName("user.inboxd.state"))
        try inbox.directory.descriptor.setAttribute(name, to: Array(text.utf8))
        let found = try states
        #expect(found.count <= 8 && found.allSatisfy(\.isAbsolute))
        let own = try state("own")
        try join(own)
        #expect(try states.last == own)
    }

    @Test("A state folder that others may write to, or that is a link, says nothing")
    func unsafe() throws {
        let path = try state("state")
        Program.waitForStarts()
        _ = try StateFolder(path: path)
        #expect(try OtherState(at: path) != nil)
        folder.makeLink("link", to: "state")
        #expect(throws: SyscallError.self) { try OtherState(at: folder.bytePath("link")) }
        #expect(throws: SyscallError.self) { try OtherState(at: folder.bytePath("none")) }
        #expect(chmod("\(folder.path)/state", 0o777) == 0)
        #expect(try OtherState(at: path) == nil)
    }
}
