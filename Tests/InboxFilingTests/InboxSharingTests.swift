import InboxTestSupport
import Testing

@testable import InboxFiling
@testable import InboxLinux

@Suite("Daemons that file from one Inbox")
struct InboxSharingTests {
    private let inbox: TemporaryFolder
    private let first: InboxSharing
    private let second: InboxSharing
    private static let now = Timestamp(seconds: 1_800_000_000, nanoseconds: 0)

    init() throws {
        inbox = try TemporaryFolder()
        first = try #require(InboxSharing(stateFolder: FileKey(device: 1, inode: 1, birth: Self.now)))
        second = try #require(InboxSharing(stateFolder: FileKey(device: 1, inode: 2, birth: Self.now)))
    }

    private func join(_ sharing: InboxSharing, daysLater days: Int64 = 0) throws(SyscallError) -> Bool {
        let time = Timestamp(seconds: Self.now.seconds + days * 86400, nanoseconds: 0)
        return try sharing.join(inbox.open().descriptor, isDurable: true, at: time)
    }

    @Test("One that is alone stays so at its next starts")
    func alone() throws {
        #expect(try !join(first))
        #expect(try !join(first))
        #expect(try !join(first, daysLater: 400))
    }

    @Test("Each knows of the other, whoever began, until the other has left")
    func both() throws {
        #expect(try !join(first))
        #expect(try join(second))
        #expect(try join(first))
        try second.leave(inbox.open().descriptor)
        #expect(try !join(first))
        try second.leave(inbox.open().descriptor)
    }

    @Test("One that was not seen for three days is gone, one that runs is seen each day")
    func gone() throws {
        #expect(try !join(first))
        #expect(try join(second, daysLater: 2))
        #expect(try join(first, daysLater: 4))
        #expect(try !join(first, daysLater: 6))
        #expect(try join(second, daysLater: 6))
    }

    @Test("What cannot be read is no daemon")
    func unreadable() throws {
        let name = try #require(AttributeName("user.inboxd-daemon-3"))
        try inbox.open().descriptor.setAttribute(name, to: Array("soon".utf8))
        #expect(try !join(first))
        #expect(try inbox.open().descriptor.attributeNames()?.contains(name) == false)
    }
}
