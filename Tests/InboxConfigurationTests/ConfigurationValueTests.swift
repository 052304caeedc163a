import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxFiling

@Suite("Values of the configuration")
struct ConfigurationValueTests {
    @Test(
        "A list is split by systemd's quoting",
        arguments: [
            ("", []),
            ("  ", []),
            ("a b\tc", ["a", "b", "c"]),
            ("\"a b\" 'c d'", ["a b", "c d"]),
            ("a\"b c\"d", ["ab cd"]),
            ("\"\" ''", ["", ""]),
            ("'\"' \"'\"", ["\"", "'"]),
            ("\\x41\\040\\102 \\s", ["A B", " "]),
            ("\\a\\b\\f\\n\\r\\t\\v\\\\\\\"\\'", ["\u{07}\u{08}\u{0c}\n\r\t\u{0b}\\\"'"]),
            ("'\\x41' \"\\x42\"", ["A", "B"]),
            ("\\u00e9\\U0001F600", ["é😀"]),
            ("\\!a \\*b\\?", ["\\!a", "\\*b\\?"]),
            (".~lock.*# ~$* *.!qB .#*", [".~lock.*#", "~$*", "*.!qB", ".#*"]),
        ])
    func lists(text: String, expected: [String]) throws {
        #expect(texts(try WordList.split(raw(text))) == expected)
    }

    @Test("An escape gives any byte but NUL")
    func escapedBytes() throws {
        #expect(try WordList.split(raw("caf\\xe9 \\377")) == [raw("caf") + [0xe9], [0xff]])
    }

    @Test(
        "A list with a broken quote or escape is refused with the reason",
        arguments: [
            ("\"a", "a quote (\") is never closed"),
            ("a 'b", "a quote (') is never closed"),
            ("a\\", "a backslash at the end escapes nothing"),
            ("\\q", "\"\\\\q\" is an unknown escape"),
            ("\\x4", "the escape \"\\\\x4\" needs 2 digits"),
            ("\\xg0", "the escape \"\\\\xg0\" needs 2 digits"),
            ("\\08", "the escape \"\\\\08\" needs 3 digits"),
            ("\\x00", "an escape is no byte from 1 to 255"),
            ("\\777", "an escape is no byte from 1 to 255"),
            ("\\ud800", "an escape is no character"),
            ("\\UFFFFFFFF", "an escape is no character"),
        ])
    func brokenLists(text: String, reason: String) {
        #expect(throws: ValueProblem(reason)) { try WordList.split(raw(text)) }
    }

    @Test("A quoted word comes back as the same bytes, as one line of UTF-8, whatever it holds")
    func quoting() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<5000 {
            let word = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                UInt8.random(in: 1...255, using: &random)
            }
            let text = WordList.quoted(word)
            #expect(!text.contains("\n"))
            #expect(try WordList.split(raw(text)) == [word])
            if !word.isEmpty { #expect(try WordList.single(raw(text)) == word) }
        }
        #expect(WordList.quoted(raw("*.part")) == "*.part")
        #expect(WordList.quoted(raw("é")) == "é")
        #expect(WordList.quoted(raw("a b")) == "\"a b\"")
    }

    @Test("A single value is taken as it is, unless it begins with a quote")
    func singles() throws {
        #expect(try WordList.single(raw("/a b\\c")) == raw("/a b\\c"))
        #expect(try WordList.single(raw("\"/a \\x41\"")) == raw("/a A"))
        #expect(throws: ValueProblem.self) { try WordList.single(raw("\"/a\" b")) }
    }

    @Test(
        "A time span is read as in systemd.time(7)",
        arguments: [
            ("0", Duration.zero), ("2", .seconds(2)), ("250ms", .milliseconds(250)), ("5min", .seconds(300)),
            ("1h 30min", .seconds(5400)), ("1h30min", .seconds(5400)), ("2.5s", .milliseconds(2500)),
            (".5", .milliseconds(500)), ("1 min", .seconds(60)), ("1min 5", .seconds(65)), ("3us", .microseconds(3)),
            ("3µs", .microseconds(3)), ("7ns", .nanoseconds(7)), ("1.000000001s", .nanoseconds(1_000_000_001)),
            ("1m", .seconds(60)), ("1M", .seconds(2_629_800)), ("1y", .seconds(31_557_600)),
            ("1w 1d", .seconds(691200)),
            ("1 hour 2 minutes 3 seconds", .seconds(3723)), ("infinity", TimeSpan.infinity),
            ("100y", TimeSpan.infinity), ("0.0000000000000000000001y", .zero),
        ])
    func timeSpans(text: String, expected: Duration) throws {
        #expect(try TimeSpan.parse(raw(text)) == expected)
    }

    @Test(
        "What is no time span, or a longer one than 100 years, is refused",
        arguments: [
            "", " ", "s", "-1s", "+1", "1.s", "1..5s", "1 2", "1h 5 3min", "5 parsecs", "1S", "Infinity", "infinity 1s",
            "1e3", "0x10", "101y", "99999999999999999999", "9223372036854775807y", "100y 1ns",
            "1s 9223372036854775807y", "99y 99y", "1\u{0}s", "1s;",
        ])
    func brokenTimeSpans(text: String) {
        #expect(throws: ValueProblem.self) { try TimeSpan.parse(raw(text)) }
    }

    @Test("A time span that is printed is read as the same")
    func timeSpanText() throws {
        var random = SeededRandom(seed: 2)
        for _ in 0..<5000 {
            let bits = Int64.random(in: 0...61, using: &random)
            let span = Duration.nanoseconds(Int64.random(in: 0...(1 << bits), using: &random))
            #expect(try TimeSpan.parse(raw(TimeSpan.text(span))) == span)
        }
        #expect(TimeSpan.text(.seconds(5400)) == "1h 30min")
        #expect(TimeSpan.text(.milliseconds(250)) == "250ms")
        #expect(TimeSpan.text(.zero) == "0")
        #expect(TimeSpan.text(.seconds(-5)) == "0")
        #expect(TimeSpan.text(.seconds(Int64.max)) == "infinity")
    }

    @Test(
        "A size counts in 1024s",
        arguments: [
            ("0", Int64(0)), ("4096", 4096), ("64K", 65536), ("64 M", 64 << 20), ("2G", 2 << 30), ("1T", 1 << 40),
            ("1.5K", 1536), ("12B", 12), ("9223372036854775807", Int64.max),
        ])
    func sizes(text: String, expected: Int64) throws {
        #expect(try ValueFormat<Int64>.size.parse(raw(text)) == expected)
        #expect(try ValueFormat<Int64>.size.parse(raw(ValueFormat<Int64>.size.text(expected))) == expected)
    }

    @Test(
        "What is no size, or none that fits, is refused",
        arguments: [
            "K", "-1", "1k", "1KB", "1 2", "8388608T", "9223372036854775808", "99999999999999999999999T", "1.K",
        ])
    func brokenSizes(text: String) {
        #expect(throws: ValueProblem.self) { try ValueFormat<Int64>.size.parse(raw(text)) }
    }

    @Test("Booleans are systemd's, in any case")
    func booleans() throws {
        for text in ["1", "yes", "Y", "TRUE", "t", "On"] {
            #expect(try ValueFormat<Bool>.boolean.parse(raw(text)), "\(text)")
        }
        for text in ["0", "no", "N", "False", "f", "OFF"] {
            #expect(try !ValueFormat<Bool>.boolean.parse(raw(text)), "\(text)")
        }
        for text in ["2", "yess", "ja", "tru", "on off", "yes\u{0}"] {
            #expect(throws: ValueProblem.self, "\(text)") { try ValueFormat<Bool>.boolean.parse(raw(text)) }
        }
    }

    @Test("Modes are octal, up to 7777")
    func modes() throws {
        for (text, mode) in [("0600", 0o600), ("660", 0o660), ("7777", 0o7777), ("0", 0)] as [(String, UInt32)] {
            #expect(try ValueFormat<UInt32>.mode.parse(raw(text)) == mode)
            #expect(try ValueFormat<UInt32>.mode.parse(raw(ValueFormat<UInt32>.mode.text(mode))) == mode)
        }
        for text in ["8", "-1", "0o600", "rw", "10000", "77777777777777777777", "+600"] {
            #expect(throws: ValueProblem.self, "\(text)") { try ValueFormat<UInt32>.mode.parse(raw(text)) }
        }
    }

    @Test("A word that is none of a few is refused with all of them and the nearest")
    func choices() {
        #expect(throws: ValueProblem("\"miror\" is none of mirror, flatten, whole; did you mean mirror?")) {
            try ValueFormat<InboxSettings.Folders>.choice.parse(raw("miror"))
        }
        #expect(throws: ValueProblem("\"Hold\" is none of hold, move; did you mean hold?")) {
            try ValueFormat<InboxSettings.Symlinks>.choice.parse(raw("Hold"))
        }
    }

    @Test(
        "The nearest name is found through slips, and nothing is near to something else",
        arguments: [
            ("Setle", "Settle"), ("settle", "Settle"), ("EmtpySettle", "EmptySettle"), ("Ignor", "Ignore"),
            ("Quite", nil), ("", nil),
        ])
    func nearestNames(name: String, expected: String?) {
        #expect(nearest(to: name, among: InboxSettings.fields.map(\.name)) == expected)
    }

    @Test("The nearest of no names is none, and with no limit there is always one")
    func nearestLimits() {
        #expect(nearest(to: "a", among: []) == nil)
        #expect(nearest(to: "zzzzzzzzzz", among: ["status", "list"], limit: .max) != nil)
        #expect(nearest(to: "stauts", among: ["start", "status"]) == "status")
        #expect(nearest(to: String(repeating: "x", count: 1_000_000), among: ["x"]) == nil)
    }

    @Test("A quote or a backslash that an accent follows is printed so that the same word is read again")
    func accents() throws {
        for word in ["a \"\u{301}b", "\"\u{fe0f}", "'\u{301} \\\u{301}", "\"\"\u{301}"] {
            #expect(try WordList.split(Array(WordList.quoted(raw(word)).utf8)) == [raw(word)])
            #expect(try WordList.single(Array(WordList.quoted(raw(word)).utf8)) == raw(word))
        }
    }
}
