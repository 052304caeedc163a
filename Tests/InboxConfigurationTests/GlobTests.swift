import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxFiling

@Suite struct GlobTests {
    private static func matches(_ pattern: String, _ name: String) -> Bool {
        Glob(Array(pattern.utf8)).matches(Array(name.utf8)[...])
    }

    @Test(
        "Patterns match as glob(7) says",
        arguments: [
            ("", "", true), ("", "a", false), ("*", "", true), ("*", "anything", true), ("**", ".x", true),
            ("?", "", false), ("?", "a", true), ("?", "ab", false), ("??", "\u{E9}", true),
            ("*.part", ".part", true), ("*.part", "a.part", true), ("*.part", "a.partx", false),
            ("a*b*c", "aXbXbYc", true), ("a*b*c", "aXbYcd", false), ("*ab", "aab", true), ("*aab", "aaaab", true),
            ("[abc]", "b", true), ("[abc]", "d", false), ("[!abc]", "d", true), ("[^abc]", "a", false),
            ("[a-c]x", "cx", true), ("[a-c]", "d", false), ("[c-a]", "b", false), ("[]a]", "]", true),
            ("[!]a]", "]", false), ("[!]a]", "b", true), ("[a-]", "-", true), ("[a-]", "b", false),
            ("[", "[", true), ("[a", "[a", true), ("[a", "a", false), ("[]", "[]", true), ("[!", "[!", true),
            ("\\*", "*", true), ("\\*", "x", false), ("a\\", "a\\", true), ("\\[a]", "[a]", true),
            ("a\\?b", "a?b", true), ("a\\?b", "axb", false), ("~$*", "~$a.docx", true),
            (".~lock.*#", ".~lock.a#", true),
        ] as [(String, String, Bool)])
    func table(_ pattern: String, _ name: String, _ isMatch: Bool) {
        #expect(Self.matches(pattern, name) == isMatch)
    }

    @Test(
        "What a person types names the longest bytes that every line with a matching path has",
        arguments: [
            ("report", "report"), ("*.pdf", ".pdf"), ("inv*26?.pdf", ".pdf"), ("invoice[0-9]*.p", "invoice"),
            ("a\\*bcd*", nil), ("Grünwald", "nwald"), ("a\"quoted", "quoted"), ("*", nil), ("[a]?", nil), ("", nil),
        ] as [(String, String?)])
    func rawPart(_ typed: String, _ part: String?) {
        #expect(PathPattern(Array(typed.utf8)).rawPart == part.map { Array($0.utf8) })
    }

    @Test(
        "A pattern that a person types is for the whole path, for its last component, or with a slash for its last ones",
        arguments: [
            ("/d/dir/*", true), ("dir/*", true), ("dir/a?.pdf", true), ("d*r/*.pdf", true), ("a*", true),
            ("*/dir/*", true),
            ("ir/*", false), ("dir/*.txt", false), ("/dir/*", false), ("d/*", true), ("*dir", false), ("dir", true),
        ])
    func typed(_ typed: String, _ isMatch: Bool) {
        #expect(PathPattern(Array(typed.utf8)).matches(Array("/d/dir/ab.pdf".utf8)) == isMatch)
    }

    /// The definition itself, without a thought for time; patterns of stars, question marks and letters.
    private static func naive(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        let rest = pattern.dropFirst()
        if first == UInt8(ascii: "*") {
            return naive(rest, name) || (!name.isEmpty && naive(pattern, name.dropFirst()))
        }
        guard let byte = name.first else { return false }
        return (first == UInt8(ascii: "?") || first == byte) && naive(rest, name.dropFirst())
    }

    @Test("Random patterns match what the definition says")
    func random() {
        let seed: UInt64 = 0x610B
        var random = SeededRandom(seed: seed)
        let letters = Array("ab*?*".utf8)
        var count = 0
        for _ in 0..<4_000 {
            let pattern = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                letters[Int.random(in: 0..<5, using: &random)]
            }
            let name = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                letters[Int.random(in: 0..<2, using: &random)]
            }
            let wanted = Self.naive(pattern[...], name[...])
            if wanted { count += 1 }
            #expect(Glob(pattern).matches(name[...]) == wanted, "seed \(seed): \(pattern) \(name)")
        }
        #expect((400...3_600).contains(count))
    }

    @Test("Any bytes are a pattern, and matching them never traps")
    func anyBytes() {
        var random = SeededRandom(seed: 0xA11)
        let special = Array("[]!^-\\*?a".utf8)
        for _ in 0..<3_000 {
            let pattern = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                special[Int.random(in: 0..<special.count, using: &random)]
            }
            let glob = Glob(pattern)
            // What has no special character matches itself.
            let isPlain = pattern.allSatisfy { !Array("[\\*?".utf8).contains($0) }
            #expect(glob.matches(pattern[...]) || !isPlain, "\(pattern)")
            _ = glob.matches(random.bytes(upTo: 20)[...])
        }
    }

    @Test("For a path all ways of a pattern are followed at once, with the same result, whatever its length")
    func paths() {
        let seed: UInt64 = 0x9A7
        var random = SeededRandom(seed: seed)
        let steps = ["a", "b", "?", "*", "[a-c]", "[!a]", "\\b", "[", "*[bc]", "aab"]
        var count = 0
        for round in 0..<4_000 {
            let most = round % 10 == 0 ? 150 : 8
            let pattern = (0..<Int.random(in: 0...most, using: &random)).map { _ in
                steps[Int.random(in: 0..<steps.count, using: &random)]
            }.joined()
            // Its own text with the special characters replaced is near to what matches.
            let name = pattern.utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case UInt8(ascii: "*"): Array("abcab".utf8.prefix(Int.random(in: 0...5, using: &random)))
                case UInt8(ascii: "?"), UInt8(ascii: "["): [UInt8(ascii: "b")]
                case UInt8(ascii: "]"), UInt8(ascii: "!"), UInt8(ascii: "-"), UInt8(ascii: "\\"): []
                default: Int.random(in: 0..<40, using: &random) == 0 ? [] : [byte]
                }
            }
            let glob = Glob(Array(pattern.utf8))
            let isMatch = glob.matches(name[...])
            if isMatch { count += 1 }
            #expect(PathGlob(glob).matches(name[...]) == isMatch, "seed \(seed): \(pattern) \(name)")
        }
        #expect((400...3_600).contains(count))
    }

    @Test(
        "The longest pattern that a stranger may give is compared with the longest path in no time",
        arguments: [("[a/]", 255), ("?", 1020), ("*a", 510), ("[!b]", 255)])
    func strangers(part: String, count: Int) {
        let pattern = PathPattern(Array(("*" + String(repeating: part, count: count) + "[b]").utf8))
        let path = Array((String(repeating: "/" + String(repeating: "a", count: 250), count: 16)).utf8)
        let time = processorTime { for _ in 0..<10 { #expect(!pattern.matches(path)) } }
        #expect(time < .seconds(2))
    }

    @Test("A pattern made to take for ever takes no time")
    func pathological() {
        let pattern = Glob(Array(String(repeating: "a*", count: 60).utf8) + Array("b".utf8))
        let name = [UInt8](repeating: UInt8(ascii: "a"), count: 255)
        let time = processorTime { #expect(!pattern.matches(name[...])) }
        #expect(time < .seconds(2))
    }
}

@Suite struct IgnoringTests {
    @Test(
        "Downloads under way, transfers and litter are left alone",
        arguments: [
            "a.part", "a.crdownload", "a.opdownload", "a.aria2", "a.partial", "a.filepart",
            "a.!qB", "a.!ut", "a.tmp", ".goutputstream-XYZ", ".syncthing.a.pdf.tmp", "~syncthing~a.pdf.tmp",
            "~$report.docx", ".~lock.a.odt#", "._a.pdf", ".DS_Store", "Thumbs.db", "desktop.ini", "@eaDir",
            ".stfolder", ".stversions", ".a.swp", ".#a",
        ])
    func defaults(_ text: String) {
        var settings = InboxSettings()
        settings.ignoreHidden = false
        #expect(Ignoring(settings).ignores(aName(text), isInside: false))
    }

    @Test(
        "Documents are not",
        arguments: [
            "report.pdf", "part", "a.part.pdf", "tmp", "a.tmpx", "crdownload", "Thumbs.db.pdf", "desktop.ini.txt", "~a",
            "@eaDirs", "a#", "syncthing.pdf",
        ])
    func documents(_ text: String) {
        #expect(!Ignoring(InboxSettings()).ignores(aName(text), isInside: false))
    }

    @Test("Hidden names are left alone where that is asked for, though not in a folder: there they are delayed")
    func hidden() {
        var settings = InboxSettings()
        #expect(!Ignoring(settings).ignores(aName(".profile"), isInside: true))
        #expect(Ignoring(settings).delays(aName(".profile")) && !Ignoring(settings).delays(aName("profile")))
        #expect(Ignoring(settings).ignores(aName(".DS_Store"), isInside: true))
        #expect(Ignoring(settings).ignores(aName(".profile"), isInside: false))
        settings.ignoreHidden = false
        #expect(!Ignoring(settings).ignores(aName(".profile"), isInside: false))
        #expect(!Ignoring(settings).delays(aName(".profile")))
        settings.ignore = []
        #expect(!Ignoring(settings).ignores(aName("a.part"), isInside: true))
    }

    @Test(
        "Where case is ignored, letters match in either and in any composition, in sets too",
        arguments: [
            ("*.part", "X.PART", true), ("Thumbs.db", "thumbs.DB", true), ("[a-c]x", "BX", true),
            ("[!a-c]x", "BX", false), ("[!a-c]x", "DX", true), ("\u{e9}", "\u{c9}", true),
            ("\u{e9}*", "E\u{301}t\u{e9}", true), ("a", "1", false),
            ("@eaDir", "`eadir", false), ("[Z-]", "z", true),
        ])
    func ignoringCase(pattern: String, name: String, matches: Bool) {
        #expect(Glob(Array(pattern.utf8), ignoringCase: true).matches(FoldedName(Array(name.utf8)[...])) == matches)
    }
}
