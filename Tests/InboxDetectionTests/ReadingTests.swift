import Glibc
import InboxTestSupport
import Testing

@testable import InboxDetection

/// What reads eight bytes at a time, or less of a file than there is, gives what the plain way gives.
@Suite("Reading fast")
struct ReadingTests {
    private static let list = """
        # a comment\tof words
        application/x-none
        application/x-first\t\tqqa qqb # rest qqz
        application/x-second qqB qqc
        no-slash qqd
        Application/X-Third QQE
        application/x-second\tqqf\u{b}qqg
        application/x-late qqa
        application/x-#cut qqh
        """

    private func answers(_ text: [UInt8], extensions: [String], mimes: [String]) {
        let asked = MIMETypesFile(text: text)
        // From here on the table answers.
        for _ in 0..<8 { _ = asked.mime(of: "none".utf8) }
        text.withUnsafeBytes { text in
            let lines = MIMETypesLines(Bytes(text))
            for name in extensions {
                let found = lines.mime(of: Array(name.utf8))?.array
                #expect(found == asked.mime(of: name.utf8), "of .\(name)")
            }
            for name in mimes {
                let found = Array(name.utf8).withUnsafeBytes { lines.fileExtension(of: Bytes($0)) }
                #expect(found == asked.fileExtension(of: name.utf8), "of \(name)")
            }
        }
    }

    @Test("The lines of mime.types answer what its table answers")
    func mimeTypes() {
        let text = Array(Self.list.utf8)
        answers(
            text, extensions: ["qqa", "qqb", "qqc", "qqd", "qqe", "QQE", "qqf", "qqg", "qqh", "qqz", "", "rest", "of"],
            mimes: [
                "application/x-none", "application/x-first", "application/x-second", "Application/X-Third",
                "application/x-third", "application/x-late", "application/x-", "no-slash", "",
            ])
        let first = MIMETypesFile(text: text)
        #expect(first.mime(of: "qqb".utf8) == Array("application/x-first".utf8))
        #expect(first.fileExtension(of: "application/x-second".utf8) == Array("qqc".utf8))
        // What only lines claim that come too late has no extension of its own.
        #expect(first.fileExtension(of: "application/x-late".utf8) == nil)
    }

    @Test(
        "So do the lines of this machine's mime.types",
        .enabled(if: access("/etc/mime.types", R_OK) == 0, "media-types is not installed"))
    func mimeTypesOfThisMachine() throws {
        let text = try #require(readFile("/etc/mime.types"))
        let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
        // Each question reads the lines anew: some of them are enough.
        let some = stride(from: 0, to: words.count, by: 40).map { words[$0].lowercased() }
        answers(text, extensions: some.filter { !$0.contains("/") }, mimes: some.filter { $0.contains("/") })
    }

    @Test("Names in an arena keep their numbers and are found, however many there are")
    func arena() {
        var random = SeededRandom(seed: 15)
        var arena = NameArena(expectedCount: 0)
        var numbers: [[UInt8]: Int32] = [:]
        for _ in 0..<3_000 {
            let name = random.bytes(upTo: 40)
            let number = arena.add(name)
            #expect(numbers[name, default: Int32(numbers.count)] == number)
            numbers[name] = number
        }
        #expect(arena.count == numbers.count)
        for (name, number) in numbers {
            #expect(arena.find(name) == number)
            #expect(arena.name(number).elementsEqual(name))
            #expect(arena.find(name + [1, 2, 3]) == numbers[name + [1, 2, 3]])
        }
    }

    @Test("Bytes are found, compared and split as one by one, wherever they lie")
    func bytes() {
        var random = SeededRandom(seed: 16)
        for _ in 0..<3_000 {
            let text = random.bytes(upTo: 40).map { $0 % 5 == 0 ? $0 % 0x30 : $0 }
            let start = Int.random(in: 0...text.count, using: &random)
            let wanted = UInt8.random(in: 0...0x30, using: &random)
            text.withUnsafeBytes { raw in
                let window = Bytes(raw)
                #expect(window.index(of: wanted, from: start) == text[start...].firstIndex(of: wanted))
                #expect(window.endOfWord(from: start) == text[start...].firstIndex(where: ASCII.isSpace) ?? text.count)
                var other = text
                other.withUnsafeBytes { #expect(Bytes($0).isEqual(to: window) && Bytes($0).hash == window.hash) }
                guard let changed = other.indices.randomElement(using: &random) else { return }
                other[changed] ^= 1
                other.withUnsafeBytes { #expect(!Bytes($0).isEqual(to: window)) }
                let lowered = text.map(ASCII.lower)
                #expect(window.isEqual(loweredTo: lowered))
                #expect(window.isLowered == (lowered == text))
            }
        }
    }
}
