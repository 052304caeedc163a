import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxFiling

@Suite struct JournalTests {
    private static let time = Timestamp(seconds: 1_795_215_067, nanoseconds: 0)

    private func intent(_ folder: TemporaryFolder, _ name: FileName) throws -> JournalEntry {
        var source = RecordID.Source()
        return JournalEntry(
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

    #if DEBUG
        /// A journal that is replaced at the next end, with an entry that stays open and one that ends then.
        private func aboutToBeReplaced() throws -> (TemporaryFolder, Journal, kept: JournalEntry, passing: JournalEntry)
        {
            let folder = try TemporaryFolder()
            try folder.write("a", "content")
            let journal = try Journal(in: OpenFolder(try folder.open()), full: 1)
            let (kept, passing) = (try intent(folder, aName("kept")), try intent(folder, aName("passing")))
            try journal.note([kept, passing], isDurable: true)
            return (folder, journal, kept, passing)
        }

        @Test("Where the name of the file's replacement is not brought to the disk, what follows is in it all the same")
        func unsyncedReplacement() async {
            await #expect(processExitsWith: .success) {
                let test = JournalTests()
                let (folder, journal, kept, passing) = try test.aboutToBeReplaced()
                FaultPlan.arm(FaultPlan(nth: 1, action: .fail(.inputOutput), only: .fsync))
                #expect(throws: SyscallError.self) { try journal.end([passing.id]) }
                let late = try test.intent(folder, aName("late"))
                try journal.note([late], isDurable: true)
                // The name is brought to the disk with what is durable next.
                #expect(FaultPlan.disarm() == 2)
                let read = try Journal(in: OpenFolder(try folder.open())).interrupted
                #expect(Set(read.moves.values) == [kept, late])
            }
        }

        @Test("Nobody who asks what is open waits while the file's replacement is brought to the disk")
        func slowReplacement() async {
            await #expect(processExitsWith: .success) {
                let (folder, journal, kept, passing) = try JournalTests().aboutToBeReplaced()
                let barrier = try Barrier(at: TestPath(folder.path) / "barrier")
                defer { barrier.open() }
                FaultPlan.arm(FaultPlan(at: .nth(1), action: .wait("\(barrier.path)"), only: .fdatasync))
                let ending = try Worker<RecordID, Bool> { id in
                    do throws(SyscallError) { try journal.end([id]) } catch { return false }
                    return true
                }
                ending.begin(passing.id)
                try await barrier.reached()
                let asking = try Worker<FileKey, Bool> { file in
                    let isOpen = journal.isOpen(kept.id) && !journal.isOpen(passing.id)
                    do throws(SyscallError) { try journal.endMoves(of: file) } catch { return false }
                    return isOpen
                }
                asking.begin(FileKey(device: 0, inode: 0, birth: nil))
                try await eventually { asking.finished() == [true] ? nil : "whoever asks waits" }
                barrier.open()
                try await eventually { ending.finished() == [true] ? nil : "the file is not replaced" }
                let read = try Journal(in: OpenFolder(try folder.open())).interrupted
                #expect(Array(read.moves.values) == [kept])
            }
        }
    #endif

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
