import Glibc
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("A document that was moved where each mount numbers the files anew")
struct InterruptedMoveTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["Inbox", "a.rtfd"] { folder.makeFolder(name) }
        try folder.write("a.rtfd/TXT.rtf", "letter")
        try folder.write("a.txt", "letter")
    }

    /// The move of what lies at its destination by now.
    private func intent(of name: String) throws -> JournalEntry {
        let destination = OpenFolder(try folder.open())
        let kind = try destination.directory.status(of: aName(name)).kind
        var identifiers = RecordID.Source()
        return JournalEntry(
            id: identifiers.next(at: .now()), source: folder.bytePath("Inbox").appending(aName(name)),
            status: try #require(try OpenedSource.status(of: aName(name), kind, in: destination)),
            destination: folder.bytePath(), name: aName(name))
    }

    /// Looks for it as on FAT, or on another filesystem.
    private func find(_ intent: JournalEntry, magic: Int64 = 0x4D44) throws -> FileName? {
        try InterruptedMove.renumbered(
            intent, in: OpenFolder(try folder.open()), on: Filesystem(magic: magic, identifier: 1),
            FolderSearch(JournalEntries()))
    }

    @Test("It is found by its size and its times, also under another name of its row", arguments: ["a.txt", "a.rtfd"])
    func found(_ name: String) throws {
        let intent = try intent(of: name)
        #expect(try find(intent) == aName(name))
        #expect(try find(intent, magic: 0xEF53) == nil, "the numbers of ext4 last")
        let next = try #require(NumberedName(aName(name)).numbered(1))
        folder.rename(name, to: "\(next)")
        try folder.write(name, "LETTER")
        #expect(try find(intent) == next)
    }

    @Test("It is in the Inbox if that has its name, and another document is not taken for it")
    func others() throws {
        let intent = try intent(of: "a.txt")
        try folder.write("Inbox/a.txt", "letter")
        #expect(try find(intent) == nil)
        #expect(unlink("\(folder.path)/Inbox/a.txt") == 0)
        #expect(try find(intent) != nil)
        // A file of its size and time, made later.
        let modified = intent.identity.modified
        guard intent.identity.file.birth != nil else { return }
        while try folder.status("a.txt").identity.file.birth == intent.identity.file.birth {
            #expect(unlink("\(folder.path)/a.txt") == 0)
            try folder.write("a.txt", "LETTER")
        }
        let time = timespec(tv_sec: Int(modified.seconds), tv_nsec: Int(modified.nanoseconds))
        #expect(utimensat(AT_FDCWD, "\(folder.path)/a.txt", [time, time], 0) == 0)
        try #require(try folder.status("a.txt").identity.modified == modified)
        #expect(try find(intent) == nil)
    }
}
