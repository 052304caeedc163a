import InboxDetection
import InboxLinux
import InboxTestSupport
import Testing
import UniformTypeIdentifiers

@testable import InboxConfiguration
@testable import InboxFiling

/// A document type as its conditions are drawn, and judged without any of the product's matching.
private struct NaiveEntry {
    var name = ""
    var types: [UTType] = []
    var names: [String] = []
    var paths: [String] = []
    var inboxes: [String] = []
    var pattern: String?
    var sizes: (least: UInt64?, most: UInt64?) = (nil, nil)
    var origins: [String] = []
    var annotations: [(key: String, glob: String)] = []
    var facts: [(key: String, glob: String)] = []
    var rank = "Default"

    /// As the configuration has it.
    var text: String {
        func line(_ key: String, _ words: [String]) -> String {
            words.isEmpty ? "" : "\(key)=\(words.joined(separator: " "))\n"
        }
        return "[DocumentType \(name)]\nRank=\(rank)\n" + line("ContentTypes", types.map(\.identifier))
            + line("Names", names.map { $0.replacing("\\", with: "\\\\") }) + line("Paths", paths)
            + line("Inboxes", inboxes)
            + line("Pattern", [pattern].compactMap { $0 })
            + line("MinSize", [sizes.least.map(String.init)].compactMap { $0 })
            + line("MaxSize", [sizes.most.map(String.init)].compactMap { $0 }) + line("Origins", origins)
            + line("Annotations", annotations.map { "\($0.key)=\($0.glob)" })
            + line("Facts", facts.map { "\($0.key)=\($0.glob)" })
    }

    init(_ number: Int, _ random: inout SeededRandom) {
        func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        func some(_ values: [String], oneIn: Int) -> [String] {
            guard Int.random(in: 0..<oneIn, using: &random) == 0 else { return [] }
            return (0...Int.random(in: 0..<2, using: &random)).map { _ in one(values) }
        }
        name = "E\(number)"
        types =
            Int.random(in: 0..<4, using: &random) == 0
            ? [] : (0...Int.random(in: 0..<2, using: &random)).map { _ in one(Self.types) }
        names = some(["a*", "*B", "?b*", "*.ab", "!*c*", "Ü*", "u\u{308}*", "\\!a", "*a*b*"], oneIn: 2)
        paths = some(["x/*", "**/y/*", "x/**", "*", "!x/**", "x/?/**"], oneIn: 3)
        inboxes = some(["Inbox", "Scans"], oneIn: 3)
        pattern = Int.random(in: 0..<3, using: &random) == 0 ? one(Self.patterns) : nil
        if Int.random(in: 0..<4, using: &random) == 0 { sizes.least = one([1, 2, 3]) }
        if Int.random(in: 0..<4, using: &random) == 0 { sizes.most = one([3, 4, 5]) }
        origins = some(["*.example.com", "example.com", "!evil.*"], oneIn: 5)
        annotations = some(["a*", "*b", "!b"], oneIn: 5).map { (one(["k", "l"]), $0) }
        facts = some(["a*", "*b", "!b"], oneIn: 6).map { (one(["k", "l"]), $0) }
        rank = one(["First", "Owner", "Default", "Default", "Alternate", "None"])
    }

    static let types: [UTType] = [
        .item, .data, .content, .text, .plainText, .image, .jpeg, .png, .compositeContent, .pdf,
    ]
    private static let patterns = ["{x}-{n:digits}*", "*{n:digits}", "{w:letters}b", "{x}", "a{x}c*", "{w:word}-*"]
}

/// A document as its facts are drawn.
private struct NaiveDocument {
    let type: UTType
    let name: String
    let folder: [String]
    let inbox: String
    let size: UInt64
    let host: String?
    let annotations: [String: String]
    let facts: [String: String]

    init(_ random: inout SeededRandom) {
        func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        type = one([.jpeg, .png, .pdf, .plainText, .html, .json, .folder, .mp3])
        name =
            (0...Int.random(in: 0..<6, using: &random)).map { _ in
                one(["a", "B", "b", "c", "-", "1", "2", "ü", "U\u{308}", "!"])
            }
            .joined() + one(["", "", ".ab", ".c"])
        folder = one([[], [], ["x"], ["X", "y"], ["z", "x", "y"], ["x", "q"]])
        inbox = one(["Inbox", "Scans"])
        size = one([0, 1, 2, 3, 4, 9])
        host = one([nil, "example.com", "www.example.com", "evil.org"])
        annotations = one([[:], ["k": "ab"], ["k": "B", "l": "a"]])
        facts = one([[:], ["k": "ab"], ["l": "B", "k": "a"]])
    }

    var routed: RoutedDocument {
        get throws {
            var document = RoutedDocument(
                detection: Detection(type: type, mime: nil, evidence: .content, mismatch: false, unread: false),
                name: try #require(FileName(name)), in: BytePath("/home/u/Documents/\(inbox)"),
                folder: try folder.map { try #require(FileName($0)) }, size: size,
                modified: Timestamp(seconds: 0, nanoseconds: 0),
                attributes: DocumentAttributes(
                    annotations: annotations, origin: host.map { "https://\($0)/p" }))
            document.facts = facts
            return document
        }
    }

    /// The name without its extension: none here has a character that an extension cannot have.
    var stem: String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}

/// The sentences of the contract about conditions, one after the other.
private struct NaiveChoice {
    let entries: [NaiveEntry]

    func winner(_ document: NaiveDocument) -> String? {
        let able = entries.indices.filter { entries[$0].rank != "None" && accepts(entries[$0], document) }
        let typed = able.filter { accepted(entries[$0], document) != nil }
        if let first = typed.first(where: { entries[$0].rank == "First" }) { return entries[first].name }
        let pairs = typed.flatMap { index in
            entries[index].types.filter { document.type.conforms(to: $0) }.map { (index, type: Optional($0)) }
                + (entries[index].types.isEmpty ? [(index, type: nil)] : [])
        }
        let unbeaten = pairs.filter { pair in
            guard let type = pair.type else { return !pairs.contains { $0.type != nil } }
            return !pairs.contains { $0.type?.isSubtype(of: type) == true }
        }
        let ranks = ["Owner", "Default", "Alternate"]
        return unbeaten.min { left, right in
            func key(_ pair: (index: Int, type: UTType?)) -> (Int, Int, Int) {
                (
                    pair.type.map { Self.steps(document.type, $0) } ?? 0,
                    ranks.firstIndex(of: entries[pair.index].rank) ?? 9, pair.index
                )
            }
            return key((left.0, left.type)) < key((right.0, right.type))
        }.map { entries[$0.0].name }
    }

    private func accepted(_ entry: NaiveEntry, _ document: NaiveDocument) -> Bool? {
        entry.types.isEmpty || entry.types.contains { document.type.conforms(to: $0) } ? true : nil
    }

    private static func steps(_ type: UTType, _ goal: UTType) -> Int {
        type == goal
            ? 0 : 1 + (type.directSupertypes.filter { $0.conforms(to: goal) }.map { steps($0, goal) }.min() ?? 99)
    }

    private func accepts(_ entry: NaiveEntry, _ document: NaiveDocument) -> Bool {
        let path = (document.folder + [document.name]).joined(separator: "/")
        func accepts(_ conditions: [(key: String, glob: String)], _ values: [String: String]) -> Bool {
            Set(conditions.map(\.key)).allSatisfy { key in
                values[key].map { value in
                    Self.accepts(conditions.filter { $0.key == key }.map(\.glob), value, isPath: false)
                } == true
            }
        }
        return Self.accepts(entry.names, document.name, isPath: false)
            && Self.accepts(entry.paths, path, isPath: true)
            && (entry.inboxes.isEmpty || entry.inboxes.contains(document.inbox))
            && document.size >= entry.sizes.least ?? 0 && document.size <= entry.sizes.most ?? .max
            && (entry.origins.isEmpty
                || document.host.map { Self.accepts(entry.origins, $0, isPath: false) } == true)
            && accepts(entry.annotations, document.annotations) && accepts(entry.facts, document.facts)
            && entry.pattern.map { Self.fits(Array($0)[...], Array(document.stem)[...]) } ?? true
    }

    private static func accepts(_ globs: [String], _ text: String, isPath: Bool) -> Bool {
        func matches(_ glob: Substring) -> Bool {
            self.matches(Array(glob.lowercased())[...], Array(text.lowercased())[...], isPath: isPath)
        }
        let excluding = globs.filter { $0.hasPrefix("!") }
        let others = globs.filter { !$0.hasPrefix("!") }
        return (others.isEmpty || others.contains { matches($0[...]) })
            && !excluding.contains { matches($0.dropFirst()) }
    }

    private static func matches(_ glob: ArraySlice<Character>, _ text: ArraySlice<Character>, isPath: Bool) -> Bool {
        guard let first = glob.first else { return text.isEmpty }
        let rest = glob.dropFirst()
        switch first {
        case "*" where isPath && rest.first == "*":
            let after = rest.dropFirst()
            // Any number of folders, none too; at the end anything.
            if after.first == "/" {
                return matches(after.dropFirst(), text, isPath: isPath)
                    || text.indices.contains { text[$0] == "/" && matches(glob, text[($0 + 1)...], isPath: isPath) }
            }
            return text.indices.contains { matches(after, text[$0...], isPath: isPath) }
                || matches(after, text[text.endIndex...], isPath: isPath)
        case "*":
            if matches(rest, text, isPath: isPath) { return true }
            guard let next = text.first, !(isPath && next == "/") else { return false }
            return matches(glob, text.dropFirst(), isPath: isPath)
        case "?":
            guard let next = text.first, !(isPath && next == "/") else { return false }
            return matches(rest, text.dropFirst(), isPath: isPath)
        case "\\":
            return rest.first == text.first && matches(rest.dropFirst(), text.dropFirst(), isPath: isPath)
        default: return first == text.first && matches(rest, text.dropFirst(), isPath: isPath)
        }
    }

    private static func fits(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return fits(pattern.dropFirst(), text) || !text.isEmpty && fits(pattern, text.dropFirst())
        }
        guard first == "{", let end = pattern.firstIndex(of: "}") else {
            return String(first).lowercased() == text.first.map { String($0).lowercased() }
                && fits(pattern.dropFirst(), text.dropFirst())
        }
        let rest = pattern[(end + 1)...]
        let words = String(pattern[(pattern.startIndex + 1)..<end]).split(separator: ":")
        guard words.count == 2 else {
            return text.indices.contains { fits(rest, text[($0 + 1)...]) }
        }
        let run = text.prefix { character in
            switch words[1] {
            case "digits": character.isASCII && character.isNumber
            case "letters": character.isLetter
            default: !character.isWhitespace
            }
        }
        return !run.isEmpty && fits(rest, text.dropFirst(run.count))
    }
}

@Suite("The choice beside a naive one")
struct NaiveChoiceTests {
    @Test("Whatever document types ask for, the one wins that the contract's sentences name")
    func random() throws {
        let seed = Extent.seed
        var random = SeededRandom(seed: seed)
        for _ in 0..<(Extent.isFull ? 1_000 : 60) {
            let entries = (0..<10).map { NaiveEntry($0, &random) }
            let fixture = try RoutingFixture("[Inbox]\nInbox=Inbox Scans\n" + entries.map(\.text).joined())
            let naive = NaiveChoice(entries: entries)
            for _ in 0..<100 {
                let document = NaiveDocument(&random)
                let routed = try document.routed
                let found = fixture.rules.choice.winner(for: routed)?.configured.name
                #expect(
                    found == naive.winner(document), "seed \(seed): \(document)\n\(entries.map(\.text).joined())")
                let standings = fixture.rules.choice.standings(for: routed)
                #expect(standings.first { $0.wins }?.name == found && standings.count == entries.count)
            }
        }
    }
}
