import Testing

@testable import InboxDetection

@Suite("The table of formats")
struct TableTests {
    @Test("Every line of the table can be read")
    func noFaults() {
        #expect(FormatTable.builtIn.faults.isEmpty)
        #expect(FormatTable.builtIn.formats.count > 400)
    }

    @Test("No MIME type is in the table twice")
    func unique() {
        var seen: Set<String> = []
        for format in FormatTable.builtIn.formats {
            #expect(seen.insert(format.mime).inserted, "\(format.mime) stands twice")
        }
    }
}

@Suite("Finding formats by their names")
struct FormatNamesTests {
    private let formats = FormatTable.builtIn.formats

    @Test("The first questions, which go through the formats, get the answers that later ones get from tables")
    func searchAndTables() {
        let asked = FormatNames(formats)
        // More than are answered without tables.
        for _ in 0..<100 { _ = asked.format(mime: formats[0].mimeWord.bytes) }
        for format in formats {
            let mime = format.mimeWord.bytes
            #expect(FormatNames(formats).format(mime: mime) == asked.format(mime: mime), "\(format.mime)")
            #expect(asked.format(mime: mime) != nil, "\(format.mime)")
            if let identifier = format.identifier {
                #expect(
                    FormatNames(formats).format(identifier: identifier) == asked.format(identifier: identifier),
                    "\(identifier.text)")
            }
            var tags = format.extensions
            while let tag = tags.next() {
                let claims = asked.claims(ofExtension: tag)
                #expect(FormatNames(formats).claims(ofExtension: tag) == claims, "\(tag.text)")
                #expect(claims.contains { FormatTable.builtIn[$0].mime == format.mime }, "\(tag.text)")
            }
        }
    }

    @Test("Neither way finds what no format has, though it begins or ends like a list of extensions")
    func unknown() {
        let asked = FormatNames(formats)
        for round in 0..<100 {
            for name in ["jp", "pg", "jpg,jpeg", ",", "-", ""] {
                Bytes.lending(name) { #expect(asked.claims(ofExtension: $0).isEmpty, "\(name), round \(round)") }
            }
            Bytes.lending("no/such") { #expect(asked.format(mime: $0) == nil) }
            Bytes.lending("no.such") { #expect(asked.format(identifier: $0) == nil) }
        }
    }
}

@Suite("What tags may mean, once it was worked out")
struct RememberedKindsTests {
    @Test("A tag is worked out once, and again when more tags than the limit made everything be forgotten")
    func limit() {
        let remembered = RememberedKinds(most: 2)
        var worked: [String] = []
        func ask(_ tag: String) {
            _ = remembered.kinds(of: Array(tag.utf8)) {
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
