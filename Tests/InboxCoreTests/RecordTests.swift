import FoundationEssentials
import Glibc
import InboxDetection
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

@Suite struct RecordIDTests {
    @Test("Identifiers grow, 200,000 of them, while the clock goes on, stops and goes back")
    func grow() {
        let seed: UInt64 = 0x1D
        var random = SeededRandom(seed: seed)
        var source = RecordID.Source()
        var milliseconds: Int64 = 1_795_215_067_000
        var last = ""
        var isGrowing = true
        for index in 0..<200_000 {
            if index % 1000 == 0 { milliseconds += Int64.random(in: -2_000...2_000, using: &random) }
            let time = Timestamp(
                seconds: milliseconds / 1000, nanoseconds: UInt32(milliseconds % 1000) * 1_000_000)
            let text = source.next(at: time).text
            isGrowing = isGrowing && last.utf8.lexicographicallyPrecedes(text.utf8)
            last = text
        }
        #expect(isGrowing, "seed \(seed)")
        #expect(RecordID(last)?.text == last)
    }

    @Test("No clock traps or repeats an identifier")
    func hostileClock() {
        var source = RecordID.Source()
        var seen: Set<RecordID> = []
        for seconds in [Int64.min, -1, 0, 1, .max, 0, 9_000_000_000_000_000, .max, 5] {
            for nanoseconds in [0, 999_999_999, UInt32.max] {
                #expect(seen.insert(source.next(at: Timestamp(seconds: seconds, nanoseconds: nanoseconds))).inserted)
            }
        }
    }

    @Test("Identifiers of two runs in the same millisecond differ")
    func runs() {
        let time = Timestamp(seconds: 1_795_215_067, nanoseconds: 0)
        let texts = (0..<1_000).map { _ in
            var source = RecordID.Source()
            return source.next(at: time).text
        }
        #expect(Set(texts).count == 1_000)
        #expect(Set(texts.map { $0.prefix(9) }).count == 1)
    }

    @Test("There is an identifier before all of a millisecond and those after it, and after all before that")
    func before() throws {
        for _ in 0..<1_000 {
            let time = Timestamp(seconds: 1_795_215_067, nanoseconds: 5_999_999)
            var (source, earlier) = (RecordID.Source(), RecordID.Source())
            let first = RecordID(before: time).text
            #expect(first < source.next(at: time).text)
            #expect(earlier.next(at: Timestamp(seconds: 1_795_215_067, nanoseconds: 4_999_999)).text < first)
        }
    }

    @Test(
        "What is no identifier is none",
        arguments: [
            "", "0123456789abcde", "0123456789abcdefg", "0123456789ABCDEF",
            "0123456789abcdei", "0123456789abcde\u{E9}",
        ])
    func malformed(_ text: String) {
        #expect(RecordID(text) == nil)
    }
}

@Suite struct HistoryTests {
    private func names(_ folder: TemporaryFolder) throws -> Set<String> {
        var entries = try DirectoryEntries(of: try folder.open())
        var names: Set<String> = []
        while let entry = try entries.next() { names.insert(entry.name.description) }
        return names
    }

    @Test(
        "A line that a crash has torn is cut off, and nothing before it",
        arguments: [
            ("", ""), ("{}\n", "{}\n"), ("{}\n{\"id\"", "{}\n"), ("torn", ""), ("\n", "\n"), ("a\nb\nc", "a\nb\n"),
        ])
    func torn(_ before: String, _ after: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("history.jsonl", before)
        _ = try History(in: OpenFolder(try folder.open()), maxSize: 0)
        #expect(try folder.read("history.jsonl") == after)
    }

    @Test("A whole record that lacks only its newline gets it, and no beginning of one does")
    func unended() throws {
        let record = #"{"id":"1","source":"a}\"]\\","identity":["1","2"],"size":{"of":[1]}}"#
        for count in 1...record.utf8.count {
            let folder = try TemporaryFolder()
            let beginning = String(record.prefix(count))
            try folder.write("history.jsonl", "{}\n" + beginning)
            let history = try History(in: OpenFolder(try folder.open()), maxSize: 0)
            let expected = beginning == record ? "{}\n\(record)\n" : "{}\n"
            #expect(try folder.read("history.jsonl") == expected, "\(beginning)")
            #expect(history.mark.size == expected.utf8.count)
        }
    }

    @Test("A torn line longer than any buffer is cut off whole")
    func tornLong() throws {
        let folder = try TemporaryFolder()
        for size in [4095, 4096, 4097, 20_000] {
            try folder.write("history.jsonl", "{}\n" + String(repeating: "x", count: size))
            let history = try History(in: OpenFolder(try folder.open()), maxSize: 0)
            #expect(try folder.read("history.jsonl") == "{}\n")
            #expect(history.mark.size == 3)
        }
    }

    @Test("A file that is missing is made, private and empty")
    func missing() throws {
        let folder = try TemporaryFolder()
        let history = try History(in: OpenFolder(try folder.open()), maxSize: 1)
        #expect(try folder.status("history.jsonl").permissions & 0o077 == 0)
        #expect(history.mark.size == 0)
        try history.rotate(at: Timestamp(seconds: 0, nanoseconds: 0))
        #expect(try names(folder) == ["history.jsonl"])
    }

    @Test("Files that are full at the same second all keep their lines under names of their own")
    func rotation() throws {
        let folder = try TemporaryFolder()
        let time = Timestamp(seconds: 1_795_215_067, nanoseconds: 0)
        for number in 0..<4 {
            try folder.write("history.jsonl", "{\(number)}\n")
            let history = try History(in: OpenFolder(try folder.open()), maxSize: 4)
            try history.rotate(at: time)
            #expect(history.mark.size == 0)
        }
        let stem = "history-20261120T225107"
        let rotated = ["\(stem).jsonl", "\(stem)-1.jsonl", "\(stem)-2.jsonl", "\(stem)-3.jsonl"]
        #expect(try names(folder) == Set(rotated + ["history.jsonl"]))
        #expect(try rotated.map { try folder.read($0) } == ["{0}\n", "{1}\n", "{2}\n", "{3}\n"])
    }

    @Test("Lines that would make the file too large go to a new one, and so does what is larger than any may be")
    func growth() throws {
        let folder = try TemporaryFolder()
        let history = try History(in: OpenFolder(try folder.open()), maxSize: 10)
        for number in 0..<3 { try history.append(Array("{\(number)}\n".utf8), isDurable: number == 2) }
        #expect(try names(folder).count == 2)
        #expect(try folder.read("history.jsonl") == "{2}\n")
        #expect(history.mark.size == 4)
        try history.append(Array("{\"long\":3}\n".utf8), isDurable: true)
        #expect(try folder.read("history.jsonl") == "{\"long\":3}\n")
        try history.append(Array("{4}\n".utf8), isDurable: true)
        #expect(try names(folder).count == 4)
        #expect(history.takeObstacle() == nil)
    }

    @Test(
        "Lines that arrive at once are shared out to files, none of which grows too large", arguments: [1, 10, 11, 64])
    func burst(_ limit: Int64) throws {
        let folder = try TemporaryFolder()
        let history = try History(in: OpenFolder(try folder.open()), maxSize: limit)
        let lines = (0..<40).map { "{\($0)}\n" }
        try history.append(Array(lines[..<3].joined().utf8), isDurable: false)
        try history.append(Array(lines[3...].joined().utf8), isDurable: true)
        let files = try names(folder).map { aName($0) }.sorted(by: History.isOlder).map { try folder.read("\($0)") }
        #expect(files.allSatisfy { $0.utf8.count <= max(limit, 5) })
        #expect(files.joined() == lines.joined())
    }

    @Test("Of files that were full in one second the higher number is the younger one")
    func order() {
        let stem = "history-20261120T225107"
        let names = [
            "\(stem)-10.jsonl", "history-20261120T225108.jsonl", "\(stem)-2.jsonl", "\(stem).jsonl", "\(stem)-1.jsonl",
        ]
        let sorted = names.map { aName($0) }.sorted(by: History.isOlder)
        #expect(sorted == [3, 4, 2, 0, 1].map { aName(names[$0]) })
    }

    @Test("A file that is not full, or has no limit, stays", arguments: [0, 5] as [Int64])
    func small(_ limit: Int64) throws {
        let folder = try TemporaryFolder()
        try folder.write("history.jsonl", "{0}\n")
        let history = try History(in: OpenFolder(try folder.open()), maxSize: limit)
        try history.rotate(at: .now())
        #expect(try names(folder) == ["history.jsonl"])
    }

    @Test("A history that somebody removed is begun anew when it is full")
    func removed() throws {
        let folder = try TemporaryFolder()
        try folder.write("history.jsonl", "{0}\n")
        let history = try History(in: OpenFolder(try folder.open()), maxSize: 4)
        unlink(folder.path + "/history.jsonl")
        try history.rotate(at: .now())
        #expect(try names(folder) == ["history.jsonl"])
        #expect(history.mark.size == 0)
    }
}

@Suite struct RecoveryTests {
    private final class Stage {
        let folder: TemporaryFolder
        let history: History
        var identifiers = RecordID.Source()

        init() throws {
            folder = try TemporaryFolder()
            for made in ["state", "inbox", "documents"] { folder.makeFolder(made) }
            history = try History(in: OpenFolder(try Directory.open(path: folder.bytePath("state"))), maxSize: 0)
        }

        func intend(_ name: String, in inbox: String = "inbox", to documents: String = "documents") throws
            -> JournalEntry
        {
            JournalEntry(
                id: identifiers.next(at: .now()), source: BytePath(folder.path + "/\(inbox)/" + name),
                status: try Directory.open(path: folder.bytePath(inbox)).status(of: aName(name)),
                destination: BytePath(folder.path + "/" + documents), name: aName(name))
        }

        func move(_ name: String, as other: String) throws {
            let from = try Directory.open(path: folder.bytePath("inbox"))
            try from.rename(aName(name), to: try Directory.open(path: folder.bytePath("documents")), as: aName(other))
        }

        func write(_ intents: [JournalEntry]) throws {
            try folder.write("state/journal", String(decoding: intents.flatMap(\.line), as: UTF8.self))
        }

        func recover() throws -> [FiledRecord] {
            let state = OpenFolder(try Directory.open(path: folder.bytePath("state")))
            return try Recovery.started(in: state, history, documents: folder.path + "/none").perform().records
        }

        func lines() throws -> Int { try folder.read("state/history.jsonl").count { $0 == "\n" } }
    }

    @Test("What has moved is recorded, once; what has not moved and what its owner took is not")
    func cases() throws {
        let stage = try Stage()
        for name in ["moved.txt", "numbered.txt", "stayed.txt", "taken.txt", "odd\n.txt"] {
            try stage.folder.write("inbox/" + name, name)
        }
        let intents = try ["moved.txt", "numbered.txt", "stayed.txt", "taken.txt", "odd\n.txt"].map {
            try stage.intend($0)
        }
        try stage.move("moved.txt", as: "moved.txt")
        try stage.move("numbered.txt", as: "numbered-1.txt")
        try stage.move("odd\n.txt", as: "odd\n.txt")
        unlink(stage.folder.path + "/inbox/taken.txt")
        // Another file of the same name is not the one that was meant.
        try stage.folder.write("documents/taken.txt", "another")
        try stage.write(intents)
        let made = try stage.recover()
        #expect(made.map(\.id) == [intents[0].id, intents[1].id, intents[4].id])
        #expect(made.map(\.renamed) == [false, true, false])
        #expect(
            made.map(\.destination.lastComponent)
                == ["moved.txt", "numbered-1.txt", "odd\n.txt"].map { Array($0.utf8) })
        #expect(made.allSatisfy { $0.proof == .recovered })
        #expect(try stage.folder.read("state/journal").isEmpty)
        #expect(try stage.lines() == 3)
        // Interrupted before the journal was cleared: the records exist already.
        try stage.write(intents)
        #expect(try stage.recover().isEmpty)
        #expect(try stage.lines() == 3)
    }

    @Test("Folders that are gone, and lines that nobody wrote, end nothing")
    func gone() throws {
        let stage = try Stage()
        try stage.folder.write("inbox/a.txt", "a")
        let intent = try stage.intend("a.txt")
        try stage.write([intent])
        unlink(stage.folder.path + "/inbox/a.txt")
        rmdir(stage.folder.path + "/inbox")
        rmdir(stage.folder.path + "/documents")
        #expect(try stage.recover().isEmpty)
        try stage.folder.write("state/journal", "{\"id\":\"../..\"}\nnonsense\n")
        #expect(try stage.recover().isEmpty)
        #expect(try stage.folder.read("state/journal").isEmpty)
    }

    @Test("A document deeper than PATH_MAX is recorded like any other")
    func deep() throws {
        let stage = try Stage()
        var path = "inbox"
        var current = try Directory.open(path: stage.folder.bytePath("inbox"))
        for _ in 0..<20 {
            let inner = String(repeating: "d", count: 250)
            try current.makeFolder(aName(inner), mode: 0o755)
            current = try current.folder(aName(inner))
            path += "/" + inner
        }
        let file = try current.appendingFile(aName("deep.txt"))
        var identifiers = RecordID.Source()
        let intent = JournalEntry(
            id: identifiers.next(at: .now()), source: BytePath(stage.folder.path + "/\(path)/deep.txt"),
            status: try file.status(), destination: BytePath(stage.folder.path + "/documents"), name: aName("deep.txt"))
        try stage.write([intent])
        #expect(try stage.recover().isEmpty)
        try current.rename(
            aName("deep.txt"), to: try Directory.open(path: stage.folder.bytePath("documents")), as: aName("deep.txt"))
        try stage.write([intent])
        #expect(try stage.recover().map(\.id) == [intent.id])
    }

    @Test("A whole batch is found in a long history in no time")
    func long() throws {
        let stage = try Stage()
        let filler = "{\"id\":\"0000000000000000\",\"source\":\"\(String(repeating: "s", count: 400))\"}\n"
        try stage.folder.write("inbox/a.txt", "a")
        let intents = try (0..<128).map { _ in try stage.intend("a.txt") }
        try stage.move("a.txt", as: "a.txt")
        let records = intents.map { "{\"id\":\"\($0.id.text)\",\"event\":\"filed\"}\n" }.joined()
        try stage.folder.write("state/history.jsonl", String(repeating: filler, count: 2_000) + records)
        let history = try History(
            in: OpenFolder(try Directory.open(path: stage.folder.bytePath("state"))), maxSize: 0)
        try stage.write(intents)
        let start = Instant.now()
        let state = OpenFolder(try Directory.open(path: stage.folder.bytePath("state")))
        let found = try Recovery.started(in: state, history, documents: stage.folder.path + "/none").perform()
        #expect(found.records.isEmpty && found.failure == nil)
        #expect(Instant.now() - start < .seconds(60))
    }
}
