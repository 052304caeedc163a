/// Markdown and reStructuredText, which are prose with a few signs between the lines.
///
/// Each sign counts at most four times, and several different ones are needed: plain text has underlined titles, lists
/// and lines that begin with `#` as well.
struct MarkedText {
    private enum Sign: Int, CaseIterable {
        // Markdown
        case title, section, fence, link, image, table, definition, code, bold, task, underlined
        // reStructuredText
        case rule, otherRule, directive, note, colons, literal, role, reference, strong
    }

    private var counts = [UInt8](repeating: 0, count: Sign.allCases.count)
    private var markdown = 0
    private var structured = 0
    private var headings = 0
    private var isFenced = false
    private var previous: Bytes?

    /// The MIME type and how much speaks for it; nil where it is not enough.
    static func guess(_ text: Bytes, isWhole: Bool) -> (mime: String, score: Int)? {
        var reader = MarkedText()
        var lines = TextLines(text, isWhole: isWhole)
        while let line = lines.next() {
            reader.read(line)
            reader.previous = line.text
        }
        if reader.isStructured { return ("text/x-rst", reader.structured) }
        return reader.isMarkdown ? ("text/markdown", reader.markdown) : nil
    }

    private func has(_ sign: Sign) -> Bool { counts[sign.rawValue] > 0 }

    private func kinds(_ signs: [Sign]) -> Int { signs.count { has($0) } }

    private var isStructured: Bool {
        structured >= 6 && structured > markdown
            && kinds([.rule, .otherRule, .directive, .note, .colons, .literal, .role, .reference, .strong]) >= 2
            && kinds([.directive, .role, .reference, .literal, .colons, .otherRule]) >= 1
    }

    private var isMarkdown: Bool {
        if headings >= 3, counts[Sign.section.rawValue] >= 2 { return true }
        let firm = kinds([.section, .fence, .link, .image, .table, .definition, .task])
        let all = firm + kinds([.title, .code, .bold, .underlined])
        guard markdown >= 5, all >= 2, firm >= 1 else { return false }
        return headings > 0 || firm >= 2 || has(.link) && markdown >= 8
    }

    private mutating func add(_ sign: Sign, _ weight: Int, structured isStructured: Bool = false) {
        guard counts[sign.rawValue] < 4 else { return }
        counts[sign.rawValue] += 1
        if isStructured { structured += weight } else { markdown += weight }
    }

    private mutating func read(_ line: TextLines.Line) {
        let text = line.text
        if text.has("```") || text.has("~~~") && text.count < 20 && text.hasWord {
            add(.fence, 3)
            isFenced.toggle()
            return
        }
        guard !isFenced, !text.isEmpty else { return }
        if line.indent == 0 { readTitle(line) }
        readMarkdown(text)
        readStructured(text)
    }

    /// `# Title` and `## Section` between empty lines or right below each other, and lines that underline the one before.
    private mutating func readTitle(_ line: TextLines.Line) {
        let text = line.text
        let depth = text.run(of: UInt8(ascii: "#"))
        if (1...6).contains(depth), text[depth] == 0x20, text[text.count - 1] != UInt8(ascii: "#"),
            begins(depth), line.endsParagraph || line.after.run(of: UInt8(ascii: "#")) == depth + 1
        {
            headings += 1
            if depth > 1 { add(.section, 3) } else { add(.title, 2) }
        }
        guard text.count >= 3, text.run(of: text[0]) == text.count, let previous, previous.hasWord,
            previous.count <= text.count, text.count <= previous.count + 3
        else { return }
        switch text[0] {
        case UInt8(ascii: "="), UInt8(ascii: "-"):
            add(.rule, 3, structured: true)
            add(.underlined, 1)
        case UInt8(ascii: "~"), UInt8(ascii: "^"), UInt8(ascii: "\""), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "#"):
            add(.otherRule, 3, structured: true)
        default: break
        }
    }

    /// Whether a heading of this depth may follow the line before: an empty one, or the heading above it.
    private func begins(_ depth: Int) -> Bool {
        guard let previous, !previous.isEmpty else { return true }
        return depth > 1 && previous.run(of: UInt8(ascii: "#")) == depth - 1
    }

    private mutating func readMarkdown(_ text: Bytes) {
        if let place = text.find("]("), text[0..<place].index(of: UInt8(ascii: "[")) != nil {
            let isFirm = text.has("http", at: place + 2) || text.has("#", at: place + 2) || text.contains(".md)")
            add(.link, isFirm ? 3 : 2)
        }
        if text.has("[![") || text.has("![") { add(.image, 3) }
        if Self.isTableRule(text) { add(.table, 3) }
        if text.has("["), text.contains("]: http") || text.contains("]: #") || text.contains("]: .") {
            add(.definition, 3)
        }
        if Self.hasCode(text) { add(.code, 1) }
        for bullet: StaticString in ["- [ ] ", "- [x] ", "* [ ] ", "* [x] "] where text.has(bullet) { add(.task, 3) }
        if let place = text.find("**"), ASCII.isLetter(text[place + 2]) || text[place + 2] == UInt8(ascii: "`"),
            text.find("**", from: place + 3) != nil
        {
            add(.bold, 1)
            add(.strong, 1, structured: true)
        }
    }

    private mutating func readStructured(_ text: Bytes) {
        if text.has(".. ") {
            let isFirm = text.contains("::") || text.has("_", at: 3) || text.has("|", at: 3)
            add(isFirm ? .directive : .note, isFirm ? 4 : 1, structured: true)
        } else if text.ends(with: "::") {
            add(.colons, 2, structured: true)
        }
        if text.contains("``") { add(.literal, 1, structured: true) }
        if text.contains("`_") { add(.reference, 3, structured: true) }
        if let place = text.find(":`"), Self.isRole(text[0..<place]) { add(.role, 4, structured: true) }
    }

    /// Whether a text ends with `:name`.
    private static func isRole(_ text: Bytes) -> Bool {
        var place = text.count
        while place > 0, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(text[place - 1]) { place -= 1 }
        return text.count - place >= 2 && place > 0 && text[place - 1] == UInt8(ascii: ":")
    }

    /// `|---|:--:|` below the heads of a table's columns.
    private static func isTableRule(_ text: Bytes) -> Bool {
        guard text.contains("---"), text.index(of: UInt8(ascii: "|")) != nil else { return false }
        for index in 0..<text.count {
            switch text[index] {
            case UInt8(ascii: "|"), UInt8(ascii: "-"), UInt8(ascii: ":"), 0x20: continue
            default: return false
            }
        }
        return true
    }

    /// A piece between single backticks; reStructuredText doubles them or puts an underscore after the second.
    private static func hasCode(_ text: Bytes) -> Bool {
        let tick = UInt8(ascii: "`")
        var place = 0
        while let first = text.index(of: tick, from: place) {
            let run = text.from(first).run(of: tick)
            place = first + run
            guard run == 1 else { continue }
            guard let second = text.index(of: tick, from: place) else { return false }
            let next = text[second + 1]
            if next != tick, next != UInt8(ascii: "_") { return true }
            place = second + text.from(second).run(of: tick)
        }
        return false
    }
}
