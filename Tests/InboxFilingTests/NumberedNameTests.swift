import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxFiling

@Suite struct NumberedNameTests {
    private static let rows: [(String, String)] = [
        ("report.pdf", "report-1.pdf"), ("README", "README-1"), (".profile", ".profile-1"), ("a.b.c", "a.b-1.c"),
        ("a.tar.gz", "a-1.tar.gz"), ("a.TAR.GZ", "a-1.TAR.GZ"), ("a.tar.pdf", "a.tar-1.pdf"), ("tar.gz", "tar-1.gz"),
        (".tar.gz", ".tar-1.gz"), ("a.tar.xz", "a-1.tar.xz"), ("a.svg.gz", "a-1.svg.gz"), ("a.v2.gz", "a.v2-1.gz"),
        ("a.", "a.-1"), ("a..", "a..-1"), ("...", "...-1"), ("..a", ".-1.a"), ("a..pdf", "a.-1.pdf"), ("-", "--1"),
        (".a.b", ".a-1.b"), ("a. pdf", "a. pdf-1"), ("a.p f", "a.p f-1"), ("Mr. Smith", "Mr. Smith-1"),
        ("v1.0 final", "v1.0 final-1"), ("a.\u{7}", "a.\u{7}-1"), ("a.\u{85}", "a.\u{85}-1"),
        ("a.\u{A0}b", "a.\u{A0}b-1"), ("a.\u{E9}", "a-1.\u{E9}"), ("a.文", "a-1.文"), ("report-1.pdf", "report-1-1.pdf"),
        ("a." + String(repeating: "x", count: 32), "a-1." + String(repeating: "x", count: 32)),
        ("a." + String(repeating: "x", count: 33), "a." + String(repeating: "x", count: 33) + "-1"),
        ("a.\n", "a.\n-1"), (" ", " -1"), ("a.1", "a-1.1"),
    ]

    @Test("The number goes before what is the extension", arguments: rows)
    func table(_ text: String, _ first: String) {
        let row = NumberedName(aName(text))
        #expect(row.numbered(0) == aName(text))
        #expect(row.numbered(-1) == aName(text))
        #expect(row.numbered(1) == FileName(first))
        #expect(row.numbered(1).flatMap(row.number) == 1)
    }

    @Test("An extension that is not UTF-8 is none")
    func notText() throws {
        let odd = try #require(FileName([0x61, 0x2E, 0xE9]))
        #expect(NumberedName(odd).numbered(2)?.bytes.elementsEqual([0x61, 0x2E, 0xE9, 0x2D, 0x32]) == true)
        let base = try #require(FileName([0xE9, 0x2E, 0x61]))
        #expect(NumberedName(base).numbered(2)?.bytes.elementsEqual([0xE9, 0x2D, 0x32, 0x2E, 0x61]) == true)
    }

    @Test("Beyond 255 bytes the base is cut, at a character's boundary")
    func cut() {
        let long = String(repeating: "é", count: 125) + ".pdf"
        let numbered = NumberedName(aName(long)).numbered(1)
        #expect(numbered?.description == String(repeating: "é", count: 124) + "-1.pdf")
        let longer = NumberedName(aName(String(repeating: "🙂", count: 62) + ".tar.gz"))
        for number in [1, 9, 10, 999, 1_000_000, Int.max] {
            let name = longer.numbered(number)
            #expect((name?.count ?? 0) <= 255)
            #expect(name.map { String(validating: $0.bytes, as: UTF8.self) != nil } == true, "\(number)")
            #expect(name?.bytes.suffix(7).elementsEqual(".tar.gz".utf8) == true)
        }
        #expect(NumberedName(aName(String(repeating: "a", count: 255))).numbered(12)?.count == 255)
        #expect(NumberedName(aName("report.pdf")).numbered(1, longest: 6) == nil)
        #expect(NumberedName(aName("report.pdf")).numbered(1, longest: 7) == aName("r-1.pdf"))
    }

    @Test("Numbers of this row alone are recognised")
    func number() throws {
        let row = NumberedName(aName("report.pdf"))
        for (text, number) in [
            ("report.pdf", 0), ("report-1.pdf", 1), ("report-10.pdf", 10),
            ("report-999999999999999999.pdf", 999_999_999_999_999_999),
        ] { #expect(row.number(of: aName(text)) == number) }
        for text in [
            "report-0.pdf", "report-01.pdf", "report-.pdf", "report--1.pdf", "report-1.PDF", "report-a.pdf",
            "report-1a.pdf",
            "report1.pdf", "xreport-1.pdf", "report-1.pdf.pdf", "report-9999999999999999999.pdf", "report", "r",
            "-1.pdf",
            "report-١.pdf",
        ] { #expect(row.number(of: aName(text)) == nil, "\(text)") }
    }

    @Test("Every number of every name is a name of the row, none twice")
    func random() throws {
        let seed: UInt64 = 0x4E57
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            guard let name = FileName(random.bytes(upTo: 260)) ?? FileName(random.bytes(upTo: 12)) else { continue }
            let row = NumberedName(name)
            var seen: Set<FileName> = []
            for number in [0, 1, 2, 10, 4711, Int.max] {
                let numbered = try #require(row.numbered(number), "seed \(seed): \(name)")
                #expect(seen.insert(numbered).inserted, "seed \(seed): \(name)")
                let wasCut = numbered.count - name.count != (number == 0 ? 0 : "-\(number)".utf8.count)
                if !wasCut, number < 1_000_000 { #expect(row.number(of: numbered) == number, "seed \(seed): \(name)") }
            }
        }
    }
}
