import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxFiling

@Suite("Paths as bytes")
struct ConfigurationPathTests {
    @Test(
        "The text of any bytes differs from every other and turned back",
        arguments: [
            ("plain/é", "plain/é", "plain/é"),
            ("a\\b", "a\\\\b", "a\\\\b"),
            ("a\nb", "a\nb", "a\\x0ab"),
            ("a\u{7f}\t\u{a0}", "a\u{7f}\t\u{a0}", "a\\x7f\\x09\u{a0}"),
            ("\u{1b}[31m", "\u{1b}[31m", "\\x1b[31m"),
            ("\u{9b}\u{202e}", "\u{9b}\u{202e}", "\\xc2\\x9b\\xe2\\x80\\xae"),
        ])
    func escaping(text: String, exact: String, display: String) {
        #expect(BytePath(text).escapedText == exact)
        #expect(BytePath(text).displayText == display)
    }

    @Test("A byte that is not UTF-8 is written in lower-case hexadecimal")
    func invalidBytes() {
        let cases: [([UInt8], String)] = [
            ([0x63, 0xe9], "c\\xe9"), ([0xff, 0x0f], "\\xff\u{0f}"), ([0xe2, 0x82], "\\xe2\\x82"),
            ([0xe2, 0x82, 0x41], "\\xe2\\x82A"), ([0xed, 0xa0, 0x80], "\\xed\\xa0\\x80"), ([0xc0, 0x80], "\\xc0\\x80"),
            ([0xf4, 0x90, 0x80, 0x80], "\\xf4\\x90\\x80\\x80"), ([0xf0, 0x9f, 0x98, 0x80], "😀"),
        ]
        for (bytes, text) in cases { #expect(EscapedBytes.text(bytes) == text) }
    }

    @Test("Random bytes survive both ways of escaping")
    func roundTrip() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...10, using: &random)).map { _ in
                // Half of them from where UTF-8 sequences begin and go on.
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random) : UInt8.random(in: 0x80...0xf5, using: &random)
            }
            #expect(EscapedBytes.bytes(EscapedBytes.text(bytes)) == bytes)
            #expect(EscapedBytes.bytes(EscapedBytes.printable(bytes)) == bytes)
        }
        for text in ["\\", "\\x", "\\x1", "\\xzz", "\\q", "a\\"] { #expect(EscapedBytes.bytes(text) == nil) }
    }

    @Test(
        "A path is normalised without the disk",
        arguments: [
            ("/", "/"), ("//a///b/", "/a/b"), ("/./a/./b/.", "/a/b"), ("a//b", "a/b"), (".", ""),
            ("/a/..b/...", "/a/..b/..."),
            ("/a/../b", nil), ("..", nil), ("/..", nil),
        ])
    func normalizing(text: String, expected: String?) {
        #expect(BytePath(text).normalized == expected.map { BytePath($0) })
    }

    @Test("Parents, last components and joined paths are those of dirname, basename and a shell")
    func parts() {
        #expect(BytePath("/a/b/").lastComponent == raw("b"))
        #expect(BytePath("/").lastComponent.isEmpty)
        #expect(BytePath("/a/b/").parent == BytePath("/a"))
        #expect(BytePath("/a").parent == BytePath("/"))
        #expect(BytePath("/").parent == nil)
        #expect(BytePath("a").parent == nil)
        #expect(BytePath("/a").appending("b") == BytePath("/a/b"))
        #expect(BytePath("/").appending("b") == BytePath("/b"))
        #expect(BytePath("/a").appending("/b") == BytePath("/b"))
        #expect(BytePath("/a").appending("") == BytePath("/a"))
    }

    @Test(
        "A path is inside another by whole components, never inside itself",
        arguments: [
            ("/a/b", "/a", true), ("/a/b/c", "/a", true), ("/a", "/", true), ("/ab", "/a", false), ("/a", "/a", false),
            ("/a/", "/a", false), ("/", "/", false), ("a/b", "/a", false), ("/a//b", "/a/", true),
        ])
    func inside(path: String, other: String, expected: Bool) {
        #expect(BytePath(path).isInside(BytePath(other)) == expected)
    }

    @Test(
        "Documents is found in user-dirs.dirs as xdg-user-dirs writes it",
        arguments: [
            ("XDG_DOCUMENTS_DIR=\"$HOME/Papers\"", "/home/u/Papers", 1),
            ("# c\nXDG_MUSIC_DIR=\"/m\"\n  XDG_DOCUMENTS_DIR = \"/srv/My Docs/\"\n", "/srv/My Docs", 3),
            ("XDG_DOCUMENTS_DIR=\"$HOME/a\\\"b\\$c\"", "/home/u/a\"b$c", 1),
            ("XDG_DOCUMENTS_DIR=\"/one\"\nXDG_DOCUMENTS_DIR=\"/two\"", "/two", 2),
            ("XDG_DOCUMENTS_DIR=\"/one\"\nXDG_DOCUMENTS_DIR=\"relative\"", "/one", 1),
            ("XDG_DOCUMENTS_DIR=\"$HOME\"", nil, 0), ("XDG_DOCUMENTS_DIR=\"$HOME/\"", nil, 0),
            ("XDG_DOCUMENTS_DIR=\"$HOMER/x\"", nil, 0), ("XDG_DOCUMENTS_DIR=/x", nil, 0),
            ("XDG_DOCUMENTS_DIR=\"/x", nil, 0), ("XDG_DOCUMENTS_DIR=\"/x/../y\"", nil, 0), ("", nil, 0),
            ("#XDG_DOCUMENTS_DIR=\"/x\"", nil, 0), ("XDG_DOCUMENTS_DIR", nil, 0),
        ])
    func userDirectories(text: String, path: String?, line: Int) {
        let found = UserDirectories.documents(in: raw(text), home: BytePath("/home/u"))
        #expect(found?.path == path.map { BytePath($0) })
        #expect(found?.line ?? 0 == line)
    }
}
