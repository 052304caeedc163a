import InboxLinux
import Testing

@testable import InboxFiling

/// The sums in markers.
@Suite("Sums in markers") struct MarkerSumTests {
    private static let one = String(repeating: "1", count: 64)
    private static let two = String(repeating: "2f", count: 32)

    private static func found(_ text: String, for name: String = "letter.pdf") throws -> String? {
        let sum = MarkerSum.sum(in: Array(text.utf8), for: try #require(FileName(name)))
        return sum.map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    }

    @Test(
        "A line as sha256sum writes it has a sum, and so has the sum alone",
        arguments: [
            one, "\(one)\n", "\(one)  letter.pdf\n", "\(one) *letter.pdf\r\n", "done\n\(one)  other\n",
            "SHA256 (letter.pdf) = \(one)\n", "\(one) \t\n",
        ])
    func found(_ text: String) throws { #expect(try Self.found(text) == Self.one) }

    @Test(
        "Other text has none",
        arguments: [
            "", "\n", "done", "\(one)1  letter.pdf", "\(one)-letter.pdf", String(one.dropLast()), "g\(one.dropFirst())",
            "SHA256 (letter.pdf) = \(one)1", "SHA256 () = \(one)", "# \(one)  letter.pdf", "\\",
        ])
    func missing(_ text: String) throws { #expect(try Self.found(text) == nil) }

    @Test("Of several sums the one counts that has the document's name beside it, in whichever folder")
    func several() throws {
        let text = "\(Self.one)  a/other.pdf\n\(Self.two)  some/where/letter.pdf\n"
        #expect(try Self.found(text) == Self.two)
        #expect(try Self.found(text, for: "third.pdf") == nil)
        #expect(try Self.found("\(Self.one)  a\n\(Self.one)  b\n\(Self.one)  c\n") == nil)
        #expect(try Self.found(Self.two.uppercased()) == Self.two)
    }

    @Test("A name with an end of line or a backslash is compared as it was")
    func escaped() throws {
        let text = "\(Self.one)  other\n\\\(Self.two)  dir\\\\x/a\\nb\\\\c\n"
        #expect(try Self.found(text, for: "a\nb\\c") == Self.two)
    }
}
