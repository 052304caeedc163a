import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore

@Suite("How long records are kept")
struct HistoryLimitTests {
    private static func later(_ seconds: Int64) -> Timestamp {
        let now = Timestamp.now()
        return Timestamp(seconds: now.seconds + seconds, nanoseconds: now.nanoseconds)
    }

    private static func names(_ folder: TemporaryFolder) throws -> [String] {
        var entries = try DirectoryEntries(of: try folder.open())
        var found: [String] = []
        while let entry = try entries.next() { found.append("\(entry.name)") }
        return found.sorted()
    }

    @Test("A file is rotated once it covers a tenth of MaxAge, and removed when its last record is older than that")
    func age() throws {
        let folder = try TemporaryFolder()
        let history = try History(in: OpenFolder(try folder.open()), maxSize: 0, maxAge: .seconds(1000))
        try history.append(Array("{0}\n".utf8), isDurable: false)
        try #require(try folder.status("history.jsonl").identity.file.birth != nil, "no birth times here")
        try history.rotate(at: Self.later(90))
        #expect(try Self.names(folder) == ["history.jsonl"])
        try history.rotate(at: Self.later(110))
        #expect(try Self.names(folder).count == 2 && history.mark.size == 0)
        // An empty file has no record that could be too old.
        try history.rotate(at: Self.later(10_000))
        #expect(try Self.names(folder).count == 2)
        #expect(try !history.expire(at: Self.later(990)))
        #expect(try Self.names(folder).count == 2)
        #expect(try !history.expire(at: Self.later(1010)))
        #expect(try Self.names(folder) == ["history.jsonl"])
    }

    @Test("With MaxAge=0 nothing is removed, and only what is a file of the history ever is")
    func forEver() throws {
        let folder = try TemporaryFolder()
        for name in ["history-20010101T000000.jsonl", "history-notes.txt", "history.jsonl.1"] {
            try folder.write(name, "{}\n")
        }
        let history = try History(in: OpenFolder(try folder.open()), maxSize: 0)
        #expect(try !history.expire(at: Self.later(1 << 30)))
        #expect(try Self.names(folder).count == 4)
        history.adopt(maxSize: 0, maxAge: .seconds(1))
        #expect(try !history.expire(at: Self.later(1 << 30)))
        #expect(try Self.names(folder) == ["history-notes.txt", "history.jsonl", "history.jsonl.1"])
    }

    @Test("Many old files are removed a part at a time, and none that handlers still need")
    func parts() throws {
        let folder = try TemporaryFolder()
        for number in 10..<50 { try folder.write("history-200101\(number)T000000.jsonl", "{}\n") }
        let history = try History(in: OpenFolder(try folder.open()), maxSize: 0)
        var settings = HistorySettings()
        settings.maxAge = .seconds(10)
        let start = Moment(now: .now(), wall: Self.later(1000))
        let upkeep = HistoryUpkeep(history, settings, at: start)
        #expect(upkeep.proceed(isNeeded: true, at: start) == nil)
        #expect(try Self.names(folder).count == 41)
        var moment = start
        var turns = 0
        while try Self.names(folder).count > 1, turns < 10 {
            moment = Moment(now: upkeep.nextDeadline, wall: moment.wall)
            #expect(upkeep.proceed(isNeeded: false, at: moment) == nil)
            turns += 1
        }
        #expect(turns == 3)
        #expect(upkeep.nextDeadline > moment.now)
    }

    @Test("Rotation while others append loses no line and tears none")
    func underLoad() throws {
        let folder = try TemporaryFolder()
        let history = try History(in: OpenFolder(try folder.open()), maxSize: 64)
        let worker = try Worker<Int, Int> { number in
            do throws(SyscallError) { try history.append(Array("{\"n\":\(number)}\n".utf8), isDurable: false) } catch {
                return -1
            }
            return number
        }
        for number in 0..<500 {
            worker.begin(number)
            try history.rotate(at: Self.later(Int64(number)))
        }
        var done: [Int] = []
        while done.count < 500 { done += worker.finished() }
        worker.end()
        #expect(done == Array(0..<500))
        var lines: Set<Substring> = []
        for name in try Self.names(folder) {
            for line in try folder.read(name).split(separator: "\n") { #expect(lines.insert(line).inserted) }
        }
        #expect(lines == Set((0..<500).map { Substring("{\"n\":\($0)}") }))
    }
}
