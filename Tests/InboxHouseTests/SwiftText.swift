/// Swift source, inspected without a compiler: just enough to find imports and forbidden words.
struct SwiftText {
    /// The source with comments and the insides of strings blanked, line for line.
    let code: String

    init(_ source: String) {
        var blanked: [Character] = []
        var rest = Array(source)[...]
        func starts(_ text: String) -> Bool { rest.starts(with: text) }
        func skip(_ count: Int) {
            for character in rest.prefix(count) { blanked.append(character == "\n" ? "\n" : " ") }
            rest = rest.dropFirst(count)
        }
        while !rest.isEmpty {
            if starts("//") {
                while let next = rest.first, next != "\n" { skip(1) }
            } else if starts("/*") {
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
                } while depth > 0 && !rest.isEmpty
            } else if starts("\"\"\"") {
                skip(3)
                while !rest.isEmpty && !starts("\"\"\"") { skip(starts("\\") ? 2 : 1) }
                skip(3)
            } else if starts("\"") {
                skip(1)
                while let next = rest.first, next != "\"", next != "\n" { skip(next == "\\" ? 2 : 1) }
                skip(1)
            } else if let next = rest.popFirst() {
                blanked.append(next)
            }
        }
        code = String(blanked)
    }

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
