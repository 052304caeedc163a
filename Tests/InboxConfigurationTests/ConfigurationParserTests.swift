import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxFiling

@Suite("The configuration parser")
struct ConfigurationParserTests {
    /// Sections and entries in one line each, so that a table can hold them.
    private func summary(_ text: [UInt8]) -> [String] {
        let parsed = ConfigurationParser.parse(text, label: "f")
        let sections = parsed.sections.flatMap { section in
            ["[\(section.name)\(section.argument.map { "|" + EscapedBytes.text($0) } ?? "")] \(section.origin)"]
                + section.entries.map { "\($0.key)=\(EscapedBytes.text($0.value)) \($0.origin)" }
        }
        return sections + parsed.problems.map { "! \($0)" }
    }

    @Test(
        "What systemd.syntax(7) allows is read with the line where it begins",
        arguments: [
            ("", []),
            ("\n\n", []),
            ("[A]", ["[A] f:1"]),
            ("[A]\nK=v", ["[A] f:1", "K=v f:2"]),
            ("[A]\r\nK=v\r\n", ["[A] f:1", "K=v f:2"]),
            ("\u{feff}[A]\nK=v", ["[A] f:1", "K=v f:2"]),
            ("\u{feff}# x\n[A]", ["[A] f:2"]),
            ("  [A]  \n\t K \t=  v w \t", ["[A] f:1", "K=v w f:2"]),
            ("[A]\nK=", ["[A] f:1", "K= f:2"]),
            ("[A]\nK=a=b", ["[A] f:1", "K=a=b f:2"]),
            ("[A]\n#K=1\n ; x\nK=2 # no comment", ["[A] f:1", "K=2 # no comment f:4"]),
            ("[A b c]\n[A  /x/]y ]", ["[A|b c] f:1", "[A|/x/]y] f:2"]),
            ("[A]\nK=1\n[B]\n[A]\nK=2", ["[A] f:1", "K=1 f:2", "[B] f:3", "[A] f:4", "K=2 f:5"]),
            ("[A]\nK=1\\\n  2\nL=3", ["[A] f:1", "K=1   2 f:2", "L=3 f:4"]),
            ("[A]\nK=1\\\n# c\n  ; d\\\n2", ["[A] f:1", "K=1 2 f:2"]),
            ("[A]\nK=1\\\r\n2", ["[A] f:1", "K=1 2 f:2"]),
            ("[A]\nK=1\\\\\nL=2", ["[A] f:1", "K=1\\\\\\\\ f:2", "L=2 f:3"]),
            ("[A]\nK=1\\\\\\\n2", ["[A] f:1", "K=1\\\\\\\\ 2 f:2"]),
            ("[A]\nK=1\\\n\nL=2", ["[A] f:1", "K=1 f:2", "L=2 f:4"]),
            ("[A]\nK=1\\", ["[A] f:1", "K=1 f:2"]),
            ("[A\\\nb]", ["[A|b] f:1"]),
        ])
    func syntax(text: String, expected: [String]) {
        #expect(summary(raw(text)) == expected)
    }

    @Test("A value keeps every byte, UTF-8 or not")
    func bytesOfValues() {
        let every = (1...255).map { UInt8($0) }.filter { ![0x0a, 0x0d, 0x5c].contains($0) }
        let value = raw("x") + every + raw("x")
        let parsed = ConfigurationParser.parse(raw("[A]\nK=") + value, label: "f")
        #expect(parsed.sections.first?.entries.first?.value == value)
        #expect(parsed.problems.isEmpty)
    }

    @Test("Every problem is found, each with its line, and what is sound is kept")
    func problems() {
        let text = "K=1\nnonsense\n[A\nK=2\n=x\n[]\n[A]\nno equals\nK=3\n[ ]\nK=4"
        #expect(
            summary(raw(text)) == [
                "[A] f:7", "K=3 f:9",
                "! f:1: \"K\" is before the first section header",
                "! f:2: \"nonsense\" has no \"=\"",
                "! f:3: \"[A\" is not a section header, such as [Inbox]",
                "! f:5: there is no key before the \"=\"",
                "! f:6: \"[]\" is not a section header, such as [Inbox]",
                "! f:8: \"no equals\" has no \"=\"",
                "! f:10: \"[ ]\" is not a section header, such as [Inbox]",
            ])
    }

    @Test("A line with NUL is refused with all its continuations, and the next is read")
    func nul() {
        let words = "the line holds a NUL byte: remove it, or save the file as UTF-8 if it is UTF-16"
        #expect(summary(raw("[A]\nK=a\u{0}b\\\nc\nL=1")) == ["[A] f:1", "L=1 f:4", "! f:2: \(words)"])
        #expect(summary(raw("[A]\nK=a\\\nb\u{0}\nL=1")) == ["[A] f:1", "L=1 f:4", "! f:3: \(words)"])
    }

    @Test("A line of 1 MiB is read and a longer one refused, in one piece or in continuations")
    func longLines() {
        func lengths(_ text: [UInt8]) -> [Int] {
            ConfigurationParser.parse(text, label: "f").sections.flatMap { $0.entries.map(\.value.count) }
        }
        let limit = ConfigurationParser.longestLine
        let longest = raw("K=") + [UInt8](repeating: 0x61, count: limit - 2)
        #expect(lengths(raw("[A]\n") + longest) == [limit - 2])
        let tooLong = raw("[A]\n") + longest + raw("a\nL=1")
        #expect(lengths(tooLong) == [1])
        #expect(
            ConfigurationParser.parse(tooLong, label: "f").problems.map(\.description) == [
                "f:2: the line is longer than 1048576 bytes"
            ])
        #expect(lengths(raw("[A]\n") + longest.dropLast() + raw("\\\nb\nL=1")) == [1])
    }

    @Test("A million continuations take no more than linear time")
    func manyContinuations() {
        let text = raw("[A]\nK=") + (0..<1_000_000).flatMap { _ in raw("\\\n") } + raw("x")
        var parsed = ParsedConfiguration()
        let time = processorTime { parsed = ConfigurationParser.parse(text, label: "f") }
        #expect(parsed.sections.first?.entries.first?.value == raw("x"))
        #expect(time < .seconds(30))
    }

    @Test("Of a file that is no configuration a thousand problems are shown, and a remark that there may be more")
    func manyProblems() {
        let lines = [
            "no pair\n", "[Nothing]\n", "[Inbox]\nSettel=1\n", "[Inbox]\nSettle=x\n", "[Type]\n", "[Inbox /x]\n",
        ]
        for line in lines {
            for count in [999, 1000, 20_000] {
                let fixture = ConfigurationFixture(String(repeating: line, count: count))
                let problems = fixture.load().problems
                #expect(problems.count == (count < 1000 ? count : 1001), "\(count) times \(line)")
                #expect(problems.last?.text.hasPrefix("more may be wrong") == (count >= 1000))
            }
        }
    }
}
