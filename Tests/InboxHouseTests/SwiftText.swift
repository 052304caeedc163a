/// Swift source, inspected without a compiler: just enough to find imports and forbidden words.
struct SwiftText {
    /// The source with comments and the insides of strings blanked, line for line.
    let code: String

    init(_ source: String) {
        // By bytes: as characters all of the sources take a minute.
        let bytes = Array(source.utf8)
        var blanked: [UInt8] = []
        blanked.reserveCapacity(bytes.count)
        var next = 0
        func starts(_ text: StaticString) -> Bool {
            text.withUTF8Buffer { text in
                next + text.count <= bytes.count && text.indices.allSatisfy { bytes[next + $0] == text[$0] }
            }
        }
        func skip(_ count: Int) {
            let end = min(next + count, bytes.count)
            while next < end {
                blanked.append(bytes[next] == Self.newline ? Self.newline : Self.space)
                next += 1
            }
        }
        while next < bytes.count {
            switch bytes[next] {
            case Self.slash where starts("//"):
                while next < bytes.count, bytes[next] != Self.newline { skip(1) }
            case Self.slash where starts("/*"):
                var depth = 0
                repeat {
                    if starts("/*") {
                        depth += 1
                        skip(2)
                    } else if starts("*/") {
                        depth -= 1
                        skip(2)
                    } else {
                        skip(1)
                    }
                } while depth > 0 && next < bytes.count
            case Self.quote where starts("\"\"\""):
                skip(3)
                while next < bytes.count, !starts("\"\"\"") { skip(bytes[next] == Self.backslash ? 2 : 1) }
                skip(3)
            case Self.quote:
                skip(1)
                while next < bytes.count, bytes[next] != Self.quote, bytes[next] != Self.newline {
                    skip(bytes[next] == Self.backslash ? 2 : 1)
                }
                skip(1)
            case let byte:
                blanked.append(byte)
                next += 1
            }
        }
        code = String(decoding: blanked, as: UTF8.self)
    }

    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let slash = UInt8(ascii: "/")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// The modules that are imported, whatever attributes, access or kinds the import lines carry.
    var imports: [String] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor"]
        let access: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
        return code.split(whereSeparator: { $0 == "\n" || $0 == ";" }).compactMap { statement in
            var words = statement.split(whereSeparator: \.isWhitespace)[...]
            while let first = words.first, first.hasPrefix("@") || access.contains(first) { words.removeFirst() }
            guard words.popFirst() == "import", var module = words.popFirst() else { return nil }
            if kinds.contains(module), let next = words.popFirst() { module = next }
            return module.split(separator: ".").first.map(String.init)
        }
    }

    func contains(_ word: String) -> Bool { code.contains(word) }
}
