/// Style sheets (CSS), also those without line ends: selectors before braces and `property: value;` between them.
struct StyleText {
    private var blocks = 0
    private var declarations = 0
    private var others = 0
    private var depth = 0

    /// The MIME type of a text that is nearly all rules; nil otherwise.
    static func guess(_ text: Bytes) -> String? {
        var reader = StyleText()
        reader.read(text[0..<TextLines.reach])
        guard reader.declarations >= 3, reader.blocks >= 1,
            reader.others * 8 <= reader.declarations + reader.blocks
        else { return nil }
        return "text/css"
    }

    private mutating func read(_ text: Bytes) {
        var place = 0
        var start = 0
        while place < text.count {
            switch text[place] {
            case UInt8(ascii: "/") where text[place + 1] == UInt8(ascii: "*"):
                guard let end = text.find("*/", from: place + 2) else { return }
                place = end + 1
                start = place + 1
            case UInt8(ascii: "{"):
                if Self.isSelector(Self.trimmed(text[start..<place])) { blocks += 1 } else { others += 1 }
                depth += 1
                start = place + 1
            case UInt8(ascii: ";"), UInt8(ascii: "}"):
                readDeclaration(Self.trimmed(text[start..<place]))
                if text[place] == UInt8(ascii: "}") { depth = max(0, depth - 1) }
                start = place + 1
            default: break
            }
            place += 1
        }
    }

    private mutating func readDeclaration(_ text: Bytes) {
        guard !text.isEmpty else { return }
        if depth > 0 ? Self.isDeclaration(text) : Self.isStatement(text) {
            declarations += 1
        } else {
            others += 1
        }
    }

    private static func isStatement(_ text: Bytes) -> Bool {
        for word: StaticString in ["@import ", "@charset ", "@namespace ", "@use ", "@layer "] where text.has(word) {
            return true
        }
        return false
    }

    private static func trimmed(_ text: Bytes) -> Bytes {
        var start = 0
        var end = text.count
        while start < end, ASCII.isSpace(text[start]) { start += 1 }
        while end > start, ASCII.isSpace(text[end - 1]) { end -= 1 }
        return text[start..<end]
    }

    /// `name: value`: the name in small letters with hyphens, also as a variable or with a vendor's prefix.
    private static func isDeclaration(_ text: Bytes) -> Bool {
        guard let colon = text.index(of: UInt8(ascii: ":")), colon > 0, colon + 1 < text.count else { return false }
        let name = trimmed(text[0..<colon])
        for index in 0..<name.count {
            let byte = name[index]
            guard (0x61...0x7A).contains(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || index == 0
            else { return false }
        }
        return name.hasWord && text.index(of: UInt8(ascii: "=")) == nil
    }

    /// The words that begin what precedes a brace in programs.
    private static let words: [StaticString] = [
        "function", "class", "struct", "if", "for", "while", "public", "var", "let", "const", "enum", "interface",
        "namespace", "void", "int", "type", "fn", "func", "def", "import", "package", "switch", "do", "try", "else",
    ]

    private static func isSelector(_ text: Bytes) -> Bool {
        guard !text.isEmpty else { return false }
        for index in 0..<text.count {
            switch text[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "!"),
                UInt8(ascii: "?"), UInt8(ascii: "`"):
                return false
            default: continue
            }
        }
        for word in words where text.has(word) {
            let next = text[word.utf8CodeUnitCount]
            if next == 0x20 || next == 0 || next == UInt8(ascii: "(") { return false }
        }
        let isCall = text[text.count - 1] == UInt8(ascii: ")")
        return !isCall || text[0] == UInt8(ascii: "@") || text.index(of: UInt8(ascii: ":")) != nil
    }
}
