import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite struct FileNameTests {
    @Test(
        "What Linux takes for a name is one, byte for byte",
        arguments: [
            "a", "...", "..a", "a.", " ", "-", "\n", "\u{7F}", "caf\u{E9}", ".hidden", "a\\b", "\u{202E}gpj.exe",
            String(repeating: "x", count: 255), String(repeating: "文", count: 255), String(repeating: "x", count: 4095),
        ])
    func accepts(_ text: String) throws {
        let name = try #require(FileName(text))
        #expect(Array(name.bytes) == Array(text.utf8))
        #expect(name.count == text.utf8.count)
        #expect(name.isHidden == text.utf8.starts(with: [0x2E]))
    }

    @Test(
        "What is no name is refused",
        arguments: ["", ".", "..", "a/b", "/", "a/", "\0", "a\0", "\0a", String(repeating: "x", count: 4096)])
    func refuses(_ text: String) {
        #expect(FileName(text) == nil)
    }

    @Test("Bytes are a name exactly where there are 1 to 4095 of them, without slash and NUL, and not a dot or two")
    func randomBytes() {
        let seed: UInt64 = 0xF11E
        var random = SeededRandom(seed: seed)
        var refused = 0
        for _ in 0..<5_000 {
            let bytes = random.bytes(upTo: 8)
            let isName =
                !bytes.isEmpty && !bytes.contains(0) && !bytes.contains(0x2F) && bytes != [0x2E]
                && bytes != [0x2E, 0x2E]
            let name = FileName(bytes)
            #expect((name != nil) == isName, "seed \(seed): \(bytes)")
            if let name { #expect(Array(name.bytes) == bytes) } else { refused += 1 }
        }
        #expect(refused > 100)
    }

    @Test("Names are equal, hashed and ordered by their bytes alone")
    func order() throws {
        // The same letter for Unicode, but two names for Linux.
        let (composed, decomposed) = (aName("\u{E9}"), aName("e\u{301}"))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, aName("\u{E9}")]).count == 2)
        let high = try #require(FileName([0xFF]))
        #expect(aName("a") < aName("aa") && aName("aa") < aName("b") && aName("z") < high)
        #expect(!(aName("a") < aName("a")))
    }

    @Test("A name is lent to the kernel with one NUL, at its end")
    func pointer() {
        let lent = aName("a\n").withPointer { pointer in (0..<3).map { UInt8(bitPattern: pointer[$0]) } }
        #expect(lent == [0x61, 0x0A, 0])
    }
}

@Suite struct EscapedBytesTests {
    @Test(
        "Bytes have the text that the contract says",
        arguments: [
            ([0x61, 0x5C, 0x62], "a\\\\b"), ([0x63, 0xE9], "c\\xe9"), ([0xC3, 0xA9], "\u{E9}"),
            // Overlong, a surrogate, beyond U+10FFFF, cut off, and a lonely continuation: none of it is UTF-8.
            ([0xC0, 0xAF], "\\xc0\\xaf"), ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"),
            ([0xF4, 0x90, 0x80, 0x80], "\\xf4\\x90\\x80\\x80"), ([0xE2, 0x82, 0x41], "\\xe2\\x82A"),
            ([0xF0, 0x9F, 0x99], "\\xf0\\x9f\\x99"), ([0x80], "\\x80"), ([0xE2, 0xE2, 0x82, 0xAC], "\\xe2\u{20AC}"),
            ([0x0A, 0x1B], "\n\u{1B}"), ([0], "\0"), ([], ""),
        ] as [([UInt8], String)])
    func text(_ bytes: [UInt8], _ text: String) {
        #expect(EscapedBytes.text(bytes) == text)
        #expect(EscapedBytes.bytes(text) == bytes)
    }

    @Test("Every byte string has a text of its own, which turns back into it")
    func roundTrip() {
        let seed: UInt64 = 0xE5C
        var random = SeededRandom(seed: seed)
        for _ in 0..<4_000 {
            let bytes = random.bytes(upTo: 24)
            let text = EscapedBytes.text(bytes)
            #expect(EscapedBytes.bytes(text) == bytes, "seed \(seed)")
            #expect(Array(text.utf8) == Self.naiveEscape(bytes), "seed \(seed): \(bytes)")
            let printable = EscapedBytes.printable(bytes)
            #expect(EscapedBytes.bytes(printable) == bytes, "seed \(seed)")
        }
    }

    /// Byte by byte, asking the standard library whether a character is there.
    private static func naiveEscape(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let first = rest.first {
            let length = (1...4).first { count in
                guard rest.count >= count, let text = String(validating: rest.prefix(count), as: UTF8.self) else {
                    return false
                }
                return text.unicodeScalars.count == 1
            }
            if first == 0x5C {
                result += [0x5C, 0x5C]
            } else if let length {
                result += rest.prefix(length)
            } else {
                let digits = String(first, radix: 16)
                result += Array("\\x\(digits.utf8.count < 2 ? "0" : "")\(digits)".utf8)
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return result
    }

    @Test("Nothing in a printable text moves the cursor, ends the line or turns it round")
    func printable() {
        let dangerous: [ClosedRange<UInt32>] = [
            0...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF...0xFEFF,
        ]
        for value in dangerous.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = EscapedBytes.printable(Array("a\(scalar)b".utf8))
            #expect(text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "U+\(String(value, radix: 16))")
            #expect(text.hasPrefix("a\\x") && text.hasSuffix("b"))
        }
        #expect(EscapedBytes.printable(Array("a\u{1B}[31m\n".utf8)) == "a\\x1b[31m\\x0a")
        #expect(EscapedBytes.printable(Array("Grüße 文 🙂".utf8)) == "Grüße 文 🙂")
    }

    @Test(
        "An escape that nobody wrote is no text of bytes",
        arguments: ["\\", "a\\", "\\x", "\\x1", "\\xg0", "\\x0G", "\\xAB", "\\n", "\\u0041", "\\X00"])
    func malformed(_ text: String) {
        #expect(EscapedBytes.bytes(text) == nil)
    }
}
