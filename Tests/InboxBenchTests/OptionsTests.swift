import InboxConfiguration
import Testing

@testable import inbox_bench

/// What the benchmark's command line means.
@Suite("The benchmark's options")
struct OptionsTests {
    private let subjects = Catalogue.subjects

    private func options(_ words: String...) throws(CommandFailure) -> inbox_bench.Options {
        try inbox_bench.Options(words.map { Array($0.utf8) }, subjects: subjects)
    }

    @Test("Without a name every benchmark runs, in full and as a table")
    func defaults() throws {
        let options = try options()
        #expect(options.subjects.map(\.name) == subjects.map(\.name))
        #expect(!options.isJSON && !options.isQuick && !options.keepsFolders && !options.wantsHelp)
    }

    @Test("Names choose benchmarks, which keep their order, and each runs once")
    func names() throws {
        let options = try options("copy", "--quick", "types", "copy", "--json", "--keep")
        #expect(options.subjects.map(\.name) == ["types", "copy"])
        #expect(options.isJSON && options.isQuick && options.keepsFolders)
    }

    @Test(
        "What is mistyped is wrong usage, and the right word is suggested",
        arguments: [("latancy", "latency"), ("--jsn", "--json"), ("--quick=yes", "takes no argument")])
    func mistyped(_ word: String, _ advice: String) {
        let failure = #expect(throws: CommandFailure.self) { try options(word) }
        #expect(failure?.status == .usage && failure?.message.contains(advice) == true)
    }

    @Test("The usage text has every option and every benchmark")
    func usage() {
        let text = inbox_bench.Options.usage(subjects)
        for option in inbox_bench.Options.known { #expect(text.contains("  \(option.synopsis) ")) }
        for subject in subjects { #expect(text.contains("  \(subject.name) ") && text.contains(subject.what)) }
        #expect(Set(subjects.map(\.name)).count == subjects.count)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }
}
