import Glibc
import InboxTestSupport
import Testing

@testable import InboxFiling
@testable import InboxLinux

@Suite("Moving what is delivered", .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
struct MovedSourceTests {
    /// The owner rw-, a user r--, the group ---, the mask rw-, others ---: linux/posix_acl_xattr.h.
    private static let accessList: [UInt8] =
        [2, 0, 0, 0]
        + [(1, 6, nil), (2, 4, 4711), (4, 0, nil), (16, 6, nil), (32, 0, nil)].flatMap {
            (tag: UInt8, rights: UInt8, user: UInt32?) in
            [tag, 0, rights, 0] + withUnsafeBytes(of: (user ?? .max).littleEndian, Array.init)
        }

    private let inbox: TemporaryFolder
    private let folder: OpenFolder
    private let outside: TemporaryFolder
    private let delivery = Delivery(name: aName("a"))

    init() throws {
        inbox = try TemporaryFolder()
        folder = OpenFolder(try inbox.open())
        outside = try TemporaryFolder(in: OtherFilesystem.place(than: nil)?.description)
    }

    private func source(_ name: String) throws -> MovedSource? {
        try MovedSource(
            OpenFile(try FileDescriptor.reading(path: outside.bytePath(name))), aName(name),
            in: OpenFolder(try outside.open()))
    }

    @Test("A copy for a move has everything of its source: holes, attributes, access list, mode and time")
    func everything() throws {
        let file = try outside.open().newFile(aName("s"))
        try file.truncate(to: 4 << 20)
        try file.write(Array("end".utf8)[...], at: 4 << 20)
        let attribute = try #require(AttributeName("user.comment"))
        let note = try #require(AttributeName("user.inboxd.note"))
        try file.setAttribute(attribute, to: [1, 2])
        try file.setAttribute(note, to: Array("old".utf8))
        try file.changePermissions(0o640)
        try file.setAttribute(.accessList, to: Self.accessList)
        let time = Timestamp(seconds: 1_000_000_000, nanoseconds: 7)
        try file.setTimes(accessed: time, modified: time)
        try file.close()
        var delivery = delivery
        delivery.annotations = ["note": "new"]

        var moved = try #require(try source("s"))
        #expect(try delivery.move(&moved, to: folder) == nil)
        #expect(try moved.file.descriptor.attribute(note) == Array("old".utf8), "nothing is done to what is copied")
        let (delivered, lost) = try delivery.copy(moved, to: folder) { _ in true }
        #expect(lost.isEmpty)
        let copy = try folder.directory.file(delivered.name)
        let status = try copy.status()
        #expect(status.size == 4 << 20 + 3 && status.allocated < 1 << 20)
        #expect(status.permissions == moved.status.permissions && status.identity.modified == time)
        #expect(try copy.attribute(attribute) == [1, 2])
        #expect(try copy.attribute(note) == Array("new".utf8))
        #expect(try copy.attribute(.accessList) == Self.accessList)
        #expect(moved.remove(lost: lost) == nil)
        #expect(throws: SyscallError.self) { try outside.status("s") }
    }

    @Test("A copy without the access list gives the group no more than that did")
    func group() throws {
        try outside.write("s", "x")
        let file = try outside.open().file(aName("s"))
        try file.setAttribute(.accessList, to: Self.accessList)
        var delivery = delivery
        try delivery.takeOver(try file.status(), of: file)
        #expect(delivery.permissions == 0o600)
    }

    @Test("What somebody writes is not moved")
    func written() throws {
        try outside.write("s", "x")
        let writer = try FileDescriptor.open(path: outside.bytePath("s"), flags: O_WRONLY)
        #expect(throws: DeliveryError.self) { try source("s") }
        try writer.close()
        Program.waitForStarts()
        #expect(try source("s") != nil)
    }

    @Test("What was changed since, and what the copy has not all of, stays, and it is said why")
    func stays() throws {
        try outside.write("s", "x")
        let moved = try #require(try source("s"))
        let (_, lost) = try delivery.copy(moved, to: folder) { _ in true }
        #expect(lost.isEmpty)
        #expect(moved.remove(lost: ["the owner (Operation not permitted)"])?.contains("has not the owner") == true)
        try moved.file.descriptor.changePermissions(0o600)
        #expect(moved.remove(lost: []) == "it was changed since")
        #expect(try outside.read("s") == "x")
    }

    @Test("What an editor has saved in its place stays, under its name")
    func saved() throws {
        try outside.write("s", "x")
        let moved = try #require(try source("s"))
        let (_, lost) = try delivery.copy(moved, to: folder) { _ in true }
        try outside.write("new", "y")
        #expect(rename(outside.path + "/new", outside.path + "/s") == 0)
        #expect(moved.remove(lost: lost)?.contains("changed") == true)
        #expect(try outside.read("s") == "y")
        var entries = try DirectoryEntries(of: try outside.open())
        #expect(try entries.next()?.name == aName("s"))
        #expect(try entries.next() == nil)
    }

    @Test("A copy by the daemon has neither attributes nor the access list")
    func contentAlone() throws {
        try outside.write("s", "x")
        let file = try outside.open().file(aName("s"))
        #expect(try #require(try source("s")).lostByContentAlone().isEmpty)
        try file.setAttribute(try #require(AttributeName("user.comment")), to: [1])
        try file.setAttribute(.accessList, to: Self.accessList)
        let lost = try #require(try source("s")).lostByContentAlone()
        #expect(Set(lost) == ["the extended attribute user.comment", "the access list"])
    }

    @Test("A link is not what is moved")
    func link() throws {
        try outside.write("s", "x")
        outside.makeLink("l", to: "s")
        #expect(try source("l") == nil)
    }
}
