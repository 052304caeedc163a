import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxFiling

@Suite struct JournalTests {
    private static let time = Timestamp(seconds: 1_795_215_067, nanoseconds: 0)

    private func intent(_ folder: TemporaryFolder, _ name: FileName) throws -> Intent {
        var source = RecordID.Source()
        return Intent(
            id: source.next(at: Self.time), source: BytePath("").appending(name),
            status: try folder.status("a"), destination: BytePath("/d"), name: name)
    }

    @Test("Any name and any mark come back from the journal")
    func roundTrip() throws {
        let seed: UInt64 = 0x10
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        try folder.write("a", "content")
        let intents = try (0..<100).compactMap { _ in FileName(random.bytes(upTo: 60)) }.map { try intent(folder, $0) }
        #expect(intents.count > 20)
        try folder.write("journal", String(decoding: intents.flatMap(\.line), as: UTF8.self))
        let journal = try Journal(in: OpenFolder(try folder.open()))
        #expect(Set(journal.interrupted.moves.values) == Set(intents), "seed \(seed)")
        let identity = try folder.status("a").identity
        #expect(intents.allSatisfy { $0.identity == identity })
        try journal.end(intents.map(\.id))
        #expect(journal.interrupted.isEmpty)
        #expect(try folder.status("journal").size == 0)
    }

    @Test("A line that is torn at any byte means nothing; the lines before it count")
    func torn() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let line = try intent(folder, aName("x\"\\\n")).line
        for count in stride(from: 0, to: line.count - 1, by: 7) + [line.count - 2] {
            try folder.write("journal", String(decoding: line + line.prefix(count), as: UTF8.self))
            let journal = try Journal(in: OpenFolder(try folder.open()))
            #expect(journal.interrupted.moves.count == 1, "\(count)")
        }
    }

    @Test("Foreign lines, numbers out of range and random bytes mean nothing")
    func hostile() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let line = String(decoding: try intent(folder, aName("x")).line, as: UTF8.self)
        let negative = line.replacing("\"size\":0", with: "\"size\":-1")
        let huge = line.replacing("\"size\":0", with: "\"size\":99999999999999999999999")
        #expect(negative != line && huge != line)
        try folder.write("journal", "{}\n[]\nnull\n\n\u{0}\n{\"id\":1}\n\(negative)\(huge)\(line)")
        #expect(try Journal(in: OpenFolder(try folder.open())).interrupted.moves.count == 1)
    }

    @Test("What is open, of every kind, survives the file's replacement, and what has ended does not")
    func replaced() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "content")
        let state = OpenFolder(try folder.open())
        let journal = try Journal(in: state, full: 20_000)
        var kept = try intent(folder, aName("kept"))
        kept.unsyncedBoot = "a boot"
        var made = FolderEntry(id: journal.nextID(), parent: BytePath("/d"), name: aName("made"))
        try journal.note([kept], isDurable: true)
        try journal.note(made)
        made.created = FileKey(device: 0, inode: 7, birth: Timestamp(seconds: 1, nanoseconds: 2))
        try journal.note(made)
        var longest: UInt64 = 0
        for number in 0..<500 {
            let passing = try intent(folder, aName("passing\(number)"))
            try journal.note([passing], isDurable: false)
            try journal.end([passing.id])
            longest = max(longest, try folder.status("journal").size)
        }
        #expect(longest > 10_000 && longest < 25_000)
        let read = try Journal(in: state).interrupted
        #expect(Array(read.moves.values) == [kept] && Array(read.folders.values) == [made] && read.claims.isEmpty)
        try journal.end([kept.id, made.id])
        #expect(try folder.status("journal").size == 0)
    }

    @Test("Entries that a job works on are none that recovery ends")
    func active() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let journal = try Journal(in: OpenFolder(try folder.open()))
        let entry = try intent(folder, aName("x"))
        try journal.note([entry], isDurable: false)
        #expect(journal.interrupted.isEmpty && journal.isOpen(entry.id))
        try journal.endMoves(of: entry.identity.file)
        #expect(journal.isOpen(entry.id))
        journal.rest([entry.id])
        #expect(Array(journal.interrupted.moves.values) == [entry])
        try journal.endMoves(of: entry.identity.file)
        #expect(journal.interrupted.isEmpty && !journal.isOpen(entry.id))
    }
}
