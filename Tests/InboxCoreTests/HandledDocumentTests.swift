import Glibc
import InboxFiling
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxLinux

@Suite("What has a document's name when its handler begins")
struct HandledDocumentTests {
    private static let ext4 = Filesystem(magic: 0xEF53, identifier: 0)
    private static let overlay = Filesystem(magic: 0x794C_7630, identifier: 0)
    private static let fuse = Filesystem(magic: 0x6573_5546, identifier: 0)

    private let folder: TemporaryFolder
    private let document: FileStatus
    private let other: FileStatus

    init() throws {
        folder = try TemporaryFolder()
        document = try Self.file("document", in: folder)
        other = try Self.file("other", in: folder)
    }

    private static func file(_ name: String, in folder: TemporaryFolder) throws -> FileStatus {
        try folder.write(name, name)
        return try FileStatus(path: folder.bytePath(name))
    }

    /// A document that was filed so many seconds after the other file was made.
    private func handled(filed seconds: Int64, _ identity: FileIdentity?) throws -> HandledDocument {
        let made = try #require(other.identity.file.birth, "the temporary folder's filesystem keeps no birth times")
        let filed = Timestamp(seconds: made.seconds + seconds, nanoseconds: 0)
        return HandledDocument(
            id: RecordID(before: filed).text, path: folder.bytePath("document"), source: BytePath("/i"), type: "t.t",
            mime: nil, size: 8, documentType: "T", identity: identity)
    }

    @Test("It is the document on whatever device that is now and whatever was written into it, and no other file")
    func identity() throws {
        let key = document.identity.file
        let earlier = FileIdentity(
            file: FileKey(device: key.device + 1, inode: key.inode, birth: key.birth), size: 1,
            modified: Timestamp(seconds: 1, nanoseconds: 0))
        let handled = try handled(filed: 10, earlier)
        #expect(handled.accepts(document, on: Self.ext4, user: document.owner))
        #expect(handled.accepts(document, on: Self.ext4, user: document.owner + 1))
        #expect(!handled.accepts(other, on: Self.ext4, user: other.owner))
    }

    @Test("A file that was made since is a new version of it if the daemon's user has made it, and no other user")
    func version() throws {
        for identity in [document.identity, nil] {
            let earlier = try handled(filed: -10, identity)
            #expect(earlier.accepts(other, on: Self.ext4, user: other.owner))
            #expect(!earlier.accepts(other, on: Self.ext4, user: other.owner + 1))
            #expect(try !handled(filed: 10, identity).accepts(other, on: Self.ext4, user: other.owner))
        }
    }

    @Test("Where inode numbers change, it is known by its size and time")
    func fleetingInodes() throws {
        let moved = FileIdentity(
            file: FileKey(device: 1, inode: 1, birth: nil), size: document.size, modified: document.identity.modified)
        let handled = try handled(filed: 10, moved)
        for filesystem in [Self.overlay, Self.fuse] {
            #expect(handled.accepts(document, on: filesystem, user: document.owner + 1))
            #expect(!handled.accepts(other, on: filesystem, user: other.owner + 1))
        }
        #expect(!handled.accepts(document, on: Self.ext4, user: document.owner + 1))
    }
}
