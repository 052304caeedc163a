import Glibc
import InboxTestSupport
import Testing

/// Real programs, as people use them: `Tests/Programs/cases.txt`.
@Suite("Programs that people use")
struct ProgramTests {
    @Test("What each of them delivers is filed whole, once, and nothing besides")
    func table() async throws {
        let suite = try ProgramSuite()
        let chosen = suite.cases.filter { Extent.isFull || $0.isQuick }
        let (runner, servers) = try await ProgramRunner.start(suite, for: chosen)
        defer { for server in servers { server.signal(SIGTERM) } }
        let there = chosen.filter { runner.missing(for: $0).isEmpty }
        for entry in chosen {
            let missing = runner.missing(for: entry)
            if !missing.isEmpty { print("Programs: skipped \(entry.name): no \(missing.joined(separator: ", "))") }
        }
        let rows = try await withThrowingTaskGroup(of: ProgramRow.self) { group in
            for entry in there { group.addTask { try await Gate.daemons.pass { try await runner.play(entry) } } }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.line < $1.line }
        }
        let lines = [ProgramRow.head] + rows.map(\.text)
        // Other tests print too.
        print(lines.joined(separator: "\n"))
        for row in rows where !row.isRight {
            Issue.record("Tests/Programs/cases.txt:\(row.line): \(row.name)\n\(row.words)")
        }
        #expect(!rows.isEmpty)
    }

    @Test(
        "A line that is neither a case, a source nor a server is refused",
        arguments: ["cp", "cp | cp {source}/a {inbox}", "a | b | c | d | e"])
    func strange(_ line: String) { #expect(throws: Failure.self) { try ProgramSuite(text: line) } }
}
