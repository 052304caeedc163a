import Glibc
import InboxLinux
import InboxVarlink
import Testing

// Alone: the JSON of the tests is another one than that of the protocol.
import struct InboxTestSupport.SeededRandom

@testable import inboxctl

@Suite("The history")
struct HistoryTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// A record that was filed so many seconds before the tests' present.
    private func record(_ number: Int, ago seconds: Int64 = 0, path: String = "") -> String {
        let time = Timestamp(seconds: someMoment.seconds - seconds, nanoseconds: 0).text
        return
            "{\"id\":\"\(number)\",\"time\":\"\(time)\",\"event\":\"filed\",\"source\":\"/d/Inbox/s\(number)\(path)\","
            + "\"destination\":\"/d/t\(number)\(path)\",\"type\":\"public.data\",\"size\":4200}\n"
    }

    private func run(_ words: [String], size: (Int, Int)? = nil) -> Run {
        inboxctl(["history", "--state", scratch.path] + words, size: size)
    }

    /// The numbers of the records that are printed, in their order.
    private func numbers(_ words: [String]) throws -> [Int] {
        let run = run(["--json"] + words)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        return try run.output.split(separator: "\n").map { line in
            Int(try JSONValue(parsing: line.utf8)["id"]?.string ?? "") ?? -1
        }
    }

    @Test("The newest is last, across rotated files in their order")
    func order() throws {
        scratch.file("history-20261118T000000.jsonl", record(1) + record(2))
        scratch.file("history-20261119T000000.jsonl", record(3))
        scratch.file("history-20261119T000000-2.jsonl", record(5))
        scratch.file("history-20261119T000000-1.jsonl", record(4))
        scratch.file("history-20261119T000000-10.jsonl", record(6))
        scratch.file("history.jsonl", record(7) + record(8))
        scratch.file("journal", record(9))
        scratch.file("history-notes.txt", record(10))
        #expect(try numbers([]) == Array(1...8))
        for limit in 0...9 { #expect(try numbers(["--limit=\(limit)"]) == Array(1...8).suffix(limit)) }
        #expect(try numbers(["--limit=2", "s5"]) == [5])
    }

    @Test("A file that was rotated while it was read is read once")
    func hardLink() throws {
        scratch.file("history.jsonl", record(1))
        link(scratch["history.jsonl"], scratch["history-20261119T000000.jsonl"])
        #expect(try numbers([]) == [1])
    }

    @Test("A torn last line and lines that are no records are left out")
    func torn() throws {
        scratch.file("history.jsonl", "\n{]\n" + record(1) + "words\n[1]\n" + record(2) + "{\"id\":\"3\"")
        #expect(try numbers([]) == [1, 2])
        #expect(try numbers(["--limit=2"]) == [1, 2])
        #expect(try numbers(["--limit=1"]) == [2])
    }

    @Test("A line that is damaged does not count among the newest ones")
    func damaged() throws {
        scratch.file("history.jsonl", record(1) + record(2) + "{\"id\":\"3\",\"ti\u{0}\n" + record(4) + "{}}\n")
        for limit in 0...4 { #expect(try numbers(["--limit=\(limit)"]) == [1, 2, 4].suffix(limit)) }
    }

    @Test("A file whose beginning is damaged is searched all the same")
    func damagedBeginning() throws {
        scratch.file("history-20261118T000000.jsonl", record(1, ago: 9000))
        let zeros = String(repeating: "\0", count: 100_000)
        scratch.file(
            "history.jsonl", zeros + "\n" + record(2, ago: 90) + zeros + record(3, ago: 80) + record(4, ago: 70))
        let until = "--until=\(Timestamp(seconds: someMoment.seconds - 60, nanoseconds: 0).text)"
        #expect(try numbers([until, "--limit=9"]) == [1, 2, 4])
        #expect(try numbers([until, "--since=1h"]) == [2, 4])
    }

    @Test("However many files were rotated, few of them are open at a time")
    func fewOpen() throws {
        let count = 100
        for number in 0..<count {
            scratch.file("history-20261118T\(100_000 + number).jsonl", record(number))
        }
        scratch.file("history.jsonl", record(count))
        /// How many of the files of the history, and of their folder, are open.
        func openCount() throws -> Int {
            var entries = try DirectoryEntries(of: try Directory.open(path: BytePath("/proc/self/fd")))
            var count = 0
            while let entry = try entries.next() {
                var target = [CChar](repeating: 0, count: 4096)
                let length = readlink("/proc/self/fd/\(entry.name)", &target, 4095)
                let path = target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
                if path.starts(with: scratch.path.utf8) { count += 1 }
            }
            return count
        }
        var query = HistoryQuery()
        (query.since, query.until) = (Timestamp(seconds: 0, nanoseconds: 0), someMoment)
        var search = HistorySearch(query, in: try #require(try HistoryFiles(folder: BytePath(scratch.path))))
        var (found, most) = (0, try openCount())
        while !search.isOver {
            found += try search.step().count
            most = max(most, try openCount())
        }
        #expect(found == count + 1)
        #expect(1...4 ~= most)
    }

    @Test(
        "A pattern is a part of the old or the new path, or a glob for the whole or the last component",
        arguments: [
            ("s3", [3]), ("t3", [3]), ("/d/", [1, 2, 3, 4]), ("b\\ c", []), ("t*", [1, 2, 3, 4]), ("t2*", [2]),
            ("/d/Inbox/s1*", [1]), ("[st]4*", [4]), ("nothing", []), ("é", [2]), ("\"", [4]), ("public", []),
        ] as [(String, [Int])])
    func patterns(pattern: String, expected: [Int]) throws {
        scratch.file(
            "history.jsonl", record(1) + record(2, path: "é") + record(3, path: "\\\\xff") + record(4, path: "\\\""))
        #expect(try numbers([pattern]) == expected)
        #expect(try numbers([pattern, "--limit=1"]) == expected.suffix(1))
    }

    @Test(
        "A name is found as it was printed, whatever is in it",
        arguments: ["s1\n\u{1B}[31m", "s2\u{200B}z", "s3[\u{7F}]*.txt", "s4\\"])
    func printed(name: String) throws {
        scratch.file(
            "history.jsonl",
            record(1, path: "\\n\\u001b[31m") + record(2, path: "\u{200B}z") + record(3, path: "[\\u007f]*.txt")
                + record(4, path: "\\\\\\\\"))
        let number = try #require(name.dropFirst().first?.wholeNumberValue)
        #expect(try numbers([printable(name.utf8)]) == [number], "\(printable(name.utf8))")
        #expect(try numbers([printable(name.utf8), "--limit=1"]) == [number])
    }

    @Test("A pattern is bytes")
    func bytes() {
        scratch.file("history.jsonl", record(1) + record(2, path: "\\\\xff"))
        let words = ["history", "--state", scratch.path].map { Array($0.utf8) } + [[0xFF]]
        #expect(inboxctl(bytes: words).output.split(separator: "\n").count == 2)
    }

    @Test("Since and until are both included, and a clock that was set does not hide records")
    func times() throws {
        let ages: [Int64] = [9000, 100, 7200, 3600, 60, 0]
        scratch.file("history.jsonl", ages.enumerated().map { record($0 + 1, ago: $1) }.joined())
        #expect(try numbers(["--since=2h"]) == [2, 3, 4, 5, 6])
        #expect(try numbers(["--since", "1h"]) == [2, 4, 5, 6])
        #expect(try numbers(["--until", "1h"]) == [1, 3, 4])
        #expect(try numbers(["--since=2h", "--until=1h"]) == [3, 4])
        #expect(try numbers(["--since=2h", "--until=1h", "--limit=1"]) == [4])
        #expect(try numbers(["--since=2026-11-20T22:50:07Z"]) == [5, 6])
        #expect(try numbers(["--since=now"]) == [6])
    }

    @Test("Old records are not read where only new ones are wanted")
    func stopsEarly() throws {
        let old = (0..<3000).map { record($0, ago: 90_000) }.joined()
        scratch.file("history.jsonl", record(-5) + old + record(1) + record(2))
        // The very first record is new, after so many old ones that nobody looks for it.
        #expect(try numbers(["--since=1h"]) == [1, 2])
    }

    @Test("Old records are found among many by their time, across files", arguments: [1, 60, 86_400] as [Int64])
    func bisected(step: Int64) throws {
        // More than is read at once, so that most of it is passed over.
        let count = 9000
        func records(_ range: Range<Int>) -> String {
            range.map { record($0, ago: Int64(count - $0) * step, path: String(repeating: "x", count: 40)) }.joined()
        }
        scratch.file("history-20261118T000000.jsonl", records(0..<count / 3))
        scratch.file("history.jsonl", records(count / 3..<count))
        for number in [0, 10, count / 3 - 1, count / 3, count / 2, count - 1] {
            let until = Timestamp(seconds: someMoment.seconds - Int64(count - number) * step, nanoseconds: 0).text
            let expected = Array(max(0, number - 2)...number)
            #expect(try numbers(["--until=\(until)", "--limit=3"]) == expected.suffix(3))
            #expect(try numbers(["--until=\(until)", "--since=\(until)"]) == [number])
        }
    }

    @Test("Lines longer than a block come out whole, whichever way they are read", arguments: 0..<4)
    func longLines(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let lengths = (0..<40).map { Int.random(in: 0...($0 % 20 == 7 ? 150_000 : 50), using: &random) }
        let lines = lengths.enumerated().map { record($0, path: String(repeating: "x", count: $1)) }
        scratch.file("history.jsonl", lines.joined())
        let limit = Int.random(in: 1...40, using: &random)
        #expect(try numbers(["--limit=\(limit)"]) == Array(0..<40).suffix(limit))
        #expect(try numbers([]) == Array(0..<40))
    }

    @Test("People see a table with local times, and a terminal as much as it is wide")
    func table() {
        scratch.file(
            "history.jsonl", record(1, path: "\\u001b[31m") + record(2, path: String(repeating: "z", count: 300)))
        let time = someMoment.localText
        let lines = run([]).output.split(separator: "\n")
        #expect(lines[0] == "TIME                 ID                EVENT        SIZE  PATH")
        let start = "\(time)  1                 filed      4.2 kB  "
        #expect(lines[1] == "\(start)/d/t1\\x1b[31m  from /d/Inbox/s1\\x1b[31m")
        for width in [80, 120] {
            for line in run([], size: (width, 24)).output.split(separator: "\n") { #expect(line.displayWidth <= width) }
        }
    }

    @Test("A terminal of 80 columns has the id, which undo needs")
    func narrow() {
        scratch.file("history.jsonl", record(1).replacing("\"id\":\"1\"", with: "\"id\":\"06f5k2c9q8w3e7r1\""))
        let lines = run([], size: (80, 24)).output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("TIME              ID                EVENT      PATH") == true)
        #expect(lines.last == "\(someMoment.localText.prefix(16))  06f5k2c9q8w3e7r1  filed      /d/t1")
    }

    @Test(
        "The row of a handler says how that ended",
        arguments: [
            ("\"outcome\":\"done\",\"exitStatus\":0", "done"),
            ("\"outcome\":\"failed\",\"exitStatus\":3,\"detail\":\"x\"", "exit status 3"),
            ("\"outcome\":\"failed\",\"signal\":9,\"detail\":\"x\"", "signal 9"),
            ("\"outcome\":\"failed\",\"detail\":\"it was killed at RunTimeout\"", "it was killed at RunTimeout"),
            ("\"outcome\":\"gone\",\"detail\":\"the document is gone\"", "the document is gone"),
        ])
    func handlers(members: String, words: String) {
        scratch.file(
            "history.jsonl", record(1).replacing("\"filed\"", with: "\"handler\",\(members)"))
        #expect(run([]).output.hasSuffix("  /d/t1  \(words)\n"))
        let narrow = run([], size: (80, 24)).output
        #expect(narrow.contains("/d/t1  \(words.prefix(10))"))
        for line in narrow.split(separator: "\n") { #expect(line.displayWidth <= 80) }
    }

    @Test("A document that was put back is shown where it is")
    func undone() {
        scratch.file("history.jsonl", record(1) + record(1).replacing("\"filed\"", with: "\"undone\""))
        let lines = run([]).output.split(separator: "\n").map {
            $0.split(separator: "  ").suffix(2).joined(separator: "  ")
        }
        #expect(lines.suffix(2) == ["/d/t1  from /d/Inbox/s1", "/d/Inbox/s1  from /d/t1"])
    }

    @Test("No history is a failure that names the places, and an empty one is none")
    func empty() {
        #expect(run([]) == Run(status: 1, output: "", errors: "inboxctl: there is no history in \(scratch.path)\n"))
        scratch.file("history.jsonl", "")
        #expect(run([]) == Run(status: 0, output: "", errors: ""))
        #expect(run([], size: (80, 24)).output == "Nothing was filed yet.\n")
        #expect(run(["x"], size: (80, 24)).output == "Nothing in the history matches.\n")
    }

    @Test("The history of the person's own daemon is found by itself")
    func standardPlace() {
        mkdir(scratch["inboxd"], 0o700)
        scratch.file("inboxd/history.jsonl", record(1))
        let run = inboxctl(["history", "--json"], environment: ["XDG_STATE_HOME": scratch.path])
        unlink(scratch["inboxd/history.jsonl"])
        #expect(run.output.contains("\"id\":\"1\""))
    }

    @Test(
        "What is no time or number is wrong usage",
        arguments: [
            ["--since=soon"], ["--until", "2026-13-01"], ["--since=2026-11-31"], ["--since=5"], ["--since="],
            ["--since=25:00"], ["--limit=-1"], ["--limit=x"], ["a", "b"], ["--since=2026-11-20T10:00:00+25:00"],
            ["--since=2026-11-20T10:00:00soonZ"], ["--until=2026-11-20T99:00:00Z"], ["--until=2026-11-31T10:00:00Z"],
        ])
    func usage(words: [String]) {
        #expect(run(words).status == 64)
    }

    @Test("Times are read as people type them")
    func typedTimes() throws {
        func parse(_ text: String) throws -> Timestamp { try TypedTime.parse(text, now: someMoment, option: "since") }
        let today = try #require(someMoment.startOfLocalDay)
        #expect(try parse("today") == today)
        #expect(try parse("today") == parse(String(someMoment.localText.prefix(10))))
        #expect(try parse("yesterday") == Timestamp(seconds: today.seconds - 1, nanoseconds: 0).startOfLocalDay)
        #expect(try parse("3d").seconds == someMoment.seconds - 3 * 86400)
        #expect(try parse("1h 30min ago").seconds == someMoment.seconds - 5400)
        #expect(try parse("-2h") == parse("2h"))
        #expect(try parse(someMoment.localText) == someMoment)
        #expect(try parse(String(someMoment.localText.suffix(8))) == someMoment)
        #expect(try parse("2026-11-20T22:51:07Z") == someMoment)
        #expect(try parse("2026-11-20T23:51:07+01:00") == someMoment)
        #expect(try parse("2026-11-20T17:21:07.000-05:30") == someMoment)
    }
}
