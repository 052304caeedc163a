import InboxLinux
import InboxVarlink
import Testing

// Alone: the JSON of the tests is another one than that of the protocol.
import struct InboxTestSupport.SeededRandom

@testable import inboxctl

/// Searches that pass over most lines of files that are read in many blocks.
@Suite("Searches in a large history")
struct HistorySearchTests {
    private struct Record {
        let number: Int
        let seconds: Int64
        let name: String

        func matches(_ part: String, since: Int64, until: Int64) -> Bool {
            name.contains(part) && seconds >= since && seconds <= until
        }
    }

    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// Writes files of a megabyte or so each, with a few lines that are long or broken, and a last one that is torn.
    private func write(files: Int) -> [Record] {
        var random = SeededRandom(seed: 11)
        var records: [Record] = []
        for file in 0..<files {
            var text = ""
            for _ in 0..<5_000 {
                let number = records.count
                let word = random.next() % 4_000 == 0 ? "rare" : ["scan", "letter", "note"][number % 3]
                let length = random.next() % 2_000 == 0 ? 300_000 : 40
                let name = "\(word)-\(number)" + String(repeating: "x", count: Int(random.next() % UInt64(length)))
                let seconds = someMoment.seconds - 200_000 + Int64(number)
                records.append(Record(number: number, seconds: seconds, name: name))
                text += "{\"id\":\"\(number)\",\"time\":\"\(Timestamp(seconds: seconds, nanoseconds: 0).text)\","
                text += "\"event\":\"filed\",\"source\":\"/d/Inbox/\(name)\",\"destination\":\"/d/\(name)\"}\n"
                if random.next() % 3_000 == 0 { text += "rare is no record\n" }
            }
            let isLast = file == files - 1
            if isLast { text += "{\"id\":\"torn\",\"source\":\"/d/Inbox/rare" }
            scratch.file(isLast ? "history.jsonl" : "history-2026111\(file)T000000.jsonl", text)
        }
        return records
    }

    private func numbers(_ words: [String]) throws -> [Int] {
        let run = inboxctl(["history", "--json", "--state", scratch.path] + words)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        return try run.output.split(separator: "\n").map { line in
            Int(try JSONValue(parsing: line.utf8)["id"]?.string ?? "") ?? -1
        }
    }

    @Test("What is rare, at an end or nowhere is found as if every line were read, whatever else is asked for")
    func agree() throws {
        let records = write(files: 3)
        let (first, last) = (try #require(records.first), try #require(records.last))
        #expect(records.contains { $0.name.contains("rare") })
        let middle = (first.seconds + last.seconds) / 2
        for part in ["rare", first.name, last.name, "nowhere", "letter-77"] {
            for (since, until) in [
                (Int64.min, Int64.max), (middle, .max), (.min, middle), (middle - 900, middle + 900),
            ] {
                var words = [part]
                if since != .min { words.append("--since=\(Timestamp(seconds: since, nanoseconds: 0).text)") }
                if until != .max { words.append("--until=\(Timestamp(seconds: until, nanoseconds: 0).text)") }
                let wanted = records.filter { $0.matches(part, since: since, until: until) }.map(\.number)
                #expect(try numbers(words) == wanted, "\(words)")
                for limit in [1, 3] {
                    #expect(try numbers(words + ["--limit=\(limit)"]) == wanted.suffix(limit), "\(words) \(limit)")
                }
            }
        }
        #expect(try numbers(["*rare-*"]) == records.filter { $0.name.contains("rare") }.map(\.number))
    }
}
