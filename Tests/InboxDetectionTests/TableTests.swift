import Testing

@testable import InboxDetection

@Suite("The table of formats")
struct TableTests {
    private let table = FormatTable.builtIn

    @Test("Every line of the texts that begins a format is one, in their order")
    func complete() {
        var lines: [String] = []
        table.text.text.split(separator: "\n").forEach { line in
            if !line.hasPrefix(" "), !line.hasPrefix("#") { lines.append(String(line.prefix { $0 != " " })) }
        }
        #expect(lines.count > 400)
        #expect(table.formats.map(\.mime) == lines)
    }

    @Test("Every line fits the grammar, and one that does not is reported")
    func grammar() {
        func problems(_ text: Bytes) -> [String] {
            var reader = FormatReader(text)
            reader.read()
            return reader.problems
        }
        #expect(problems(table.text) == [])
        let wrong: [StaticString] = [
            "image/a\n", "image/a a txet\n", "image/a a in:box\n", "image/a a\n  'a'\n", "image/a a\n  0:ag\n",
            "image/a a\n  0:??\n", "  0:00\n",
        ]
        for text in wrong { #expect(!problems(Bytes(text)).isEmpty, "\(text)") }
    }

    @Test("No MIME type is in the table twice, and each is found")
    func unique() {
        var seen: Set<String> = []
        for (place, format) in table.formats.enumerated() {
            #expect(seen.insert(format.mime).inserted, "\(format.mime) stands twice")
            #expect(table.format(mime: format.mime) == FormatID(place: place), "\(format.mime)")
        }
    }

    @Test("Extensions and identifiers lead to all formats that have them, in the table's order")
    func names() throws {
        var claims: [String: [FormatID]] = [:]
        for (place, format) in table.formats.enumerated() {
            let id = FormatID(place: place)
            var tags = format.extensions
            while let tag = tags.next() { claims[tag.text, default: []].append(id) }
            guard let identifier = format.identifier else { continue }
            let first = try #require(table.format(identifier: identifier.text))
            #expect(first.index <= id.index && table[first].identifier?.text == identifier.text, "\(identifier.text)")
        }
        #expect(claims.count > 400)
        for (tag, formats) in claims {
            #expect(table.claims(ofExtension: Array(tag.utf8)) == formats, "of .\(tag)")
        }
    }

    @Test("Nothing is found that no format has, though it begins or ends like a list of extensions")
    func unknown() {
        for name in ["jp", "pg", "jpg,jpeg", ",", "-", "", "JPG"] {
            #expect(table.claims(ofExtension: Array(name.utf8)).isEmpty, "\(name)")
        }
        for name in ["no/such", "IMAGE/PNG", ""] { #expect(table.format(mime: name) == nil, "\(name)") }
        for name in ["no.such", ""] { #expect(table.format(identifier: name) == nil, "\(name)") }
    }

    @Test("The traits mean what their words say")
    func traits() {
        for format in table.formats {
            let words = format.traits.bytes.text.split(separator: " ").map(String.init)
            let carriers = words.filter { $0.hasPrefix("in:") }.map { String($0.dropFirst(3)) }
            let named = Carrier.allCases.filter { carriers.contains("\($0)") }
            #expect(format.carrier.map { "\($0)" } == carriers.first, "\(format.mime)")
            #expect(Carrier.allCases.filter { format.carriers.contains($0) } == named, "\(format.mime)")
            #expect(named.count == Set(carriers).count, "\(format.mime)")
            #expect(format.isCarrier.map { "is:\($0)" } == words.first { $0.hasPrefix("is:") }, "\(format.mime)")
            #expect(
                format.superclass.map { "sub:\($0.text)" } == words.first { $0.hasPrefix("sub:") }, "\(format.mime)")
            #expect(
                format.isText == words.contains("text") && format.isVague == words.contains("vague"), "\(format.mime)")
            #expect(format.isEither == words.contains("either"), "\(format.mime)")
            #expect(format.isStrict == words.contains("strict"), "\(format.mime)")
            #expect(format.isMandatory != (words.contains("text") || words.contains("loose")), "\(format.mime)")
        }
    }

    @Test("A signature matches the bytes that it names and no others; of several the longest counts, then the last")
    func signatures() {
        func mime(_ bytes: [UInt8]) -> String? {
            bytes.withUnsafeBytes { table.signatures.match(Bytes($0)).map { table[$0.format].mime } }
        }
        #expect(
            mime(Array("\u{89}PNG".unicodeScalars.map { UInt8($0.value) } + [0x0D, 0x0A, 0x1A, 0x0A])) == "image/png")
        #expect(mime([0x89] + Array("PNG".utf8) + [0x0D, 0x0A, 0x1A]) == nil)
        #expect(mime(Array("RIFF----WEBP".utf8)) == "image/webp")
        #expect(mime([0xFF, 0xD8, 0xFF, 0xE0]) == "image/jpeg")
        #expect(mime([0xFF, 0xD8, 0xFF, 0xF7]) == "image/jls")
        #expect(mime([]) == nil)
    }
}

@Suite("What tags may mean, once it was worked out")
struct RememberedKindsTests {
    @Test("A tag is worked out once, and again when more tags than the limit made everything be forgotten")
    func limit() {
        let remembered = RememberedKinds(most: 2)
        var worked: [String] = []
        func ask(_ tag: String) {
            _ = remembered.kinds(of: ArraySlice(tag.utf8)) {
                worked.append(tag)
                return []
            }
        }
        for tag in ["a", "b", "a", "b"] { ask(tag) }
        #expect(worked == ["a", "b"])
        for tag in ["c", "c", "a"] { ask(tag) }
        #expect(worked == ["a", "b", "c", "a"])
    }
}
