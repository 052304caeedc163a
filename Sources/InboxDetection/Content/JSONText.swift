/// JSON (RFC 8259) by its beginning, and formats written in it by the members of the outermost object.
struct JSONText {
    private let text: Bytes
    private var place = 0
    /// The members of the outermost object whose values are text, or just their names.
    private var marks: Set<Mark> = []
    private var tokens = 0
    /// The text broke off in the middle, as the head of a longer file does.
    private var isCut = false

    private enum Mark: Hashable {
        case geometryType, features, geometry, coordinates, geometries, asset, scenes, meshes, cells, notebook, context
        case schema, subject, links, operation, path, log, feedVersion
    }

    /// Returns the finding for a text that is JSON as far as it can be seen; otherwise nil.
    static func finding(_ text: Bytes, isWhole: Bool) -> TextFinding? {
        var parser = JSONText(text: text)
        guard parser.value(depth: 0) || parser.isCut else { return nil }
        if parser.isCut, isWhole || parser.tokens < 4 { return nil }
        if !parser.isCut {
            parser.skipSpace()
            if parser.place < text.count { return parser.lines() }
        }
        // `[1]` is JSON, and much else: one token proves nothing.
        if let special = parser.special { return .sure(special, .json, fixed: 8) }
        guard parser.tokens >= 2 || parser.place == text.count else { return nil }
        return .likely("application/json", .json)
    }

    private init(text: Bytes) {
        self.text = text
    }

    /// A value a line: newline-delimited JSON.
    private mutating func lines() -> TextFinding? {
        let first = place
        guard text[0] == UInt8(ascii: "{"), text[first] == UInt8(ascii: "{"),
            text[0..<first].index(of: 0x0A) != nil
        else { return nil }
        isCut = false
        guard value(depth: 0) || isCut else { return nil }
        return .likely("application/x-ndjson", .json)
    }

    private var special: String? {
        if marks.contains(.asset), marks.contains(.scenes) || marks.contains(.meshes) { return "model/gltf+json" }
        if marks.contains(.geometryType),
            !marks.isDisjoint(with: [.features, .geometry, .coordinates, .geometries])
        {
            return "application/geo+json"
        }
        if marks.contains(.cells), marks.contains(.notebook) || isCut { return "application/x-ipynb+json" }
        if marks.contains(.notebook) { return "application/x-ipynb+json" }
        if marks.contains(.schema) { return "application/schema+json" }
        if marks.contains(.context) { return "application/ld+json" }
        if marks.contains(.feedVersion) { return "application/feed+json" }
        if marks.contains(.subject), marks.contains(.links) { return "application/jrd+json" }
        if marks.contains(.operation), marks.contains(.path) { return "application/json-patch+json" }
        return nil
    }

    private mutating func skipSpace() {
        while place < text.count, ASCII.isSpace(text[place]) { place += 1 }
    }

    /// Reads a value; false where the text is not JSON, with `isCut` where it only ended.
    private mutating func value(depth: Int) -> Bool {
        skipSpace()
        guard let byte = text.byte(at: place) else { return cut() }
        // Deeper nesting than this is not written by people or programs.
        guard depth < 64 else { return cut() }
        tokens += 1
        switch byte {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return array(depth)
        case UInt8(ascii: "\""): return string() != nil
        default: return literal()
        }
    }

    private mutating func cut() -> Bool {
        isCut = true
        return false
    }

    private mutating func object(_ depth: Int) -> Bool {
        place += 1
        skipSpace()
        if text.byte(at: place) == UInt8(ascii: "}") {
            place += 1
            return true
        }
        while true {
            skipSpace()
            guard let byte = text.byte(at: place) else { return cut() }
            guard byte == UInt8(ascii: "\""), let key = string() else { return false }
            skipSpace()
            guard let colon = text.byte(at: place) else { return cut() }
            guard colon == UInt8(ascii: ":") else { return false }
            place += 1
            skipSpace()
            if depth <= 1 { note(key, depth) }
            guard value(depth: depth + 1) else { return false }
            skipSpace()
            guard let next = text.byte(at: place) else { return cut() }
            place += 1
            if next == UInt8(ascii: "}") { return true }
            guard next == UInt8(ascii: ",") else { return false }
        }
    }

    private mutating func array(_ depth: Int) -> Bool {
        place += 1
        skipSpace()
        if text.byte(at: place) == UInt8(ascii: "]") {
            place += 1
            return true
        }
        while true {
            guard value(depth: depth + 1) else { return false }
            skipSpace()
            guard let next = text.byte(at: place) else { return cut() }
            place += 1
            if next == UInt8(ascii: "]") { return true }
            guard next == UInt8(ascii: ",") else { return false }
        }
    }

    /// Reads a string; its bytes without the quotes.
    private mutating func string() -> Bytes? {
        let start = place + 1
        place = start
        while let byte = text.byte(at: place) {
            if byte == UInt8(ascii: "\"") {
                place += 1
                return text[start..<(place - 1)]
            }
            if byte < 0x20 { return nil }
            place += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        isCut = true
        return nil
    }

    private mutating func literal() -> Bool {
        for word: StaticString in ["true", "false", "null"] where text.has(word, at: place) {
            place += word.utf8CodeUnitCount
            return true
        }
        let start = place
        while let byte = text.byte(at: place),
            ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
        {
            place += 1
        }
        if place > start { return true }
        // The head may end within a word.
        if text.count - place < 5 { return cut() }
        return false
    }

    private mutating func note(_ key: Bytes, _ depth: Int) {
        let value = text.from(place)
        if key.equals("@id") || key.equals("@context") || key.equals("@graph") { marks.insert(.context) }
        guard depth == 0 || (depth == 1 && text[0] == UInt8(ascii: "[")) else { return }
        if key.equals("type") {
            let kinds: [StaticString] = [
                "\"FeatureCollection\"", "\"Feature\"", "\"Point\"", "\"LineString\"", "\"Polygon\"", "\"MultiPoint\"",
                "\"MultiLineString\"", "\"MultiPolygon\"", "\"GeometryCollection\"",
            ]
            if kinds.contains(where: { value.has($0) }) { marks.insert(.geometryType) }
        }
        for (name, mark) in Self.names where key.equals(name) { marks.insert(mark) }
        if key.equals("$schema"), value[0..<80].contains("json-schema.org") { marks.insert(.schema) }
        if key.equals("version"), value.has("\"https://jsonfeed.org/") { marks.insert(.feedVersion) }
    }

    private static let names: [(StaticString, Mark)] = [
        ("features", .features), ("geometry", .geometry), ("coordinates", .coordinates), ("geometries", .geometries),
        ("asset", .asset), ("scenes", .scenes), ("scene", .scenes), ("meshes", .meshes), ("nodes", .meshes),
        ("cells", .cells), ("nbformat", .notebook),
        ("subject", .subject), ("links", .links), ("op", .operation), ("path", .path),
    ]
}
