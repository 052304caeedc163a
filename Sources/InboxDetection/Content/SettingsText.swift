/// Settings whose every line must fit a grammar: TOML and YAML.
///
/// One line of prose outweighs eight that fit, because letters and notices have lines such as `Author: name` too.
enum SettingsText {
    /// TOML 1.0: sections and `key = value`, the values quoted, numbers, dates, lists or tables.
    static func isTOML(_ text: Bytes, isWhole: Bool) -> Bool {
        var lines = TextLines(text, isWhole: isWhole)
        var (sections, keys, firm) = (0, 0, 0)
        var depth = 0
        var isQuoted = false
        while let line = lines.next() {
            let text = line.text
            if isQuoted {
                if text.contains("\"\"\"") || text.contains("'''") { isQuoted = false }
                continue
            }
            if text.isEmpty || text[0] == UInt8(ascii: "#") { continue }
            if depth > 0 {
                depth += nesting(text)
                continue
            }
            if text[0] == UInt8(ascii: "[") {
                guard isSection(text) else { return false }
                sections += 1
                continue
            }
            guard let value = value(text) else { return false }
            keys += 1
            switch value[0] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                firm += 1
                if value.has("\"\"\"") || value.has("'''") {
                    isQuoted = value.find("\"\"\"", from: 3) == nil && value.find("'''", from: 3) == nil
                }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                firm += 1
                depth = nesting(value)
            default: break
            }
        }
        return keys >= 2 && firm >= 1 && (sections >= 1 || firm >= 3)
    }

    private static func isSection(_ text: Bytes) -> Bool {
        guard let end = text.index(of: UInt8(ascii: "]")), end > 1 else { return false }
        for index in 1..<end where text[index] == UInt8(ascii: ",") || text[index] == UInt8(ascii: "=") { return false }
        let rest = text.from(end).run(of: UInt8(ascii: "]")) + end
        return rest == text.count || text.from(rest).index(of: UInt8(ascii: "#")) != nil
    }

    /// Returns what follows `key =`, if it is a value of TOML; otherwise nil.
    private static func value(_ text: Bytes) -> Bytes? {
        guard let sign = text.index(of: UInt8(ascii: "=")), sign > 0, text[text.count - 1] != UInt8(ascii: ";") else {
            return nil
        }
        for index in 0..<sign {
            let byte = text[index]
            let isName = ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x20
            guard isName || [0x5F, 0x2D, 0x2E, 0x22, 0x27].contains(byte) else { return nil }
        }
        // Shells take no blank there.
        guard text[sign - 1] == 0x20 || text[sign + 1] == 0x20 else { return nil }
        var start = sign + 1
        while text[start] == 0x20 || text[start] == 0x09 { start += 1 }
        let value = text.from(start)
        switch value[0] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "["), UInt8(ascii: "{"): return value
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return value
        default: return value.has("true") || value.has("false") ? value : nil
        }
    }

    private static func nesting(_ text: Bytes) -> Int {
        var depth = 0
        for index in 0..<text.count {
            switch text[index] {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "#"): return depth
            default: continue
            }
        }
        return depth
    }

    /// Returns whether the first line with content is a key, an item or a collection of YAML.
    static func isEntry(_ text: Bytes) -> Bool {
        var lines = TextLines(text, isWhole: true)
        while let line = lines.next() {
            let text = line.text
            if text.isEmpty || text[0] == UInt8(ascii: "#") || text.equals("---") { continue }
            return YAMLLines.endOfKey(text) != nil || text.has("- ")
                || [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "!"), UInt8(ascii: "&")].contains(text[0])
        }
        return false
    }

    /// YAML 1.2 with something inside something else: keys below a key, or a list.
    static func isYAML(_ text: Bytes, isWhole: Bool) -> Bool {
        var reader = YAMLLines()
        var lines = TextLines(text, isWhole: isWhole)
        while let line = lines.next() { reader.read(line) }
        // A title is underlined in prose alone, and one line above a list is a title too.
        guard !reader.hasRule, reader.mappings >= 2 else { return false }
        return reader.keys >= 3 && reader.nested >= 1 && reader.others * 8 <= reader.keys
    }
}

/// The lines of a text as YAML.
private struct YAMLLines {
    private(set) var keys = 0
    private(set) var nested = 0
    private(set) var others = 0
    /// Keys with a colon.
    private(set) var mappings = 0
    /// A line underlines the one before, or links as Markdown and AsciiDoc do.
    private(set) var hasRule = false
    /// The indentation of a key that has no value on its line.
    private var open: Int?
    /// The key of the line before, with what precedes it: a mapping has a key once.
    private var last: (key: Bytes, indent: Int)?
    /// The indentation of a key whose value goes on below.
    private var block: Int?

    mutating func read(_ line: TextLines.Line) {
        let text = line.text
        if text.contains("](http") || text.has("===") { hasRule = true }
        if text.isEmpty || text[0] == UInt8(ascii: "#") || text.equals("---") || text.equals("...") { return }
        if let block, line.indent > block { return }
        block = nil
        let isItem = text.has("- ") || text.equals("-")
        if line.isTabbed {
            others += 1
        } else if let end = Self.endOfKey(text) {
            let key = text[0..<end]
            let isRepeated = last.map { !isItem && $0.indent == line.indent && $0.key.isEqual(to: key) } ?? false
            last = (key, line.indent)
            if isRepeated { others += 1 } else { keys += 1 }
            mappings += 1
            if isItem || open.map({ line.indent > $0 }) ?? false { nested += 1 }
            readValue(text.from(end), line.indent)
        } else if isItem {
            if open.map({ line.indent >= $0 }) ?? false { nested += 1 }
            if nested > 0 { keys += 1 } else { others += 1 }
        } else if text[0] != UInt8(ascii: "]"), text[0] != UInt8(ascii: "}") {
            others += 1
            if text.count >= 4, text.run(of: text[0]) == text.count { hasRule = true }
        }
    }

    private mutating func readValue(_ rest: Bytes, _ indent: Int) {
        var start = 0
        while rest[start] == 0x20 { start += 1 }
        let value = rest.from(start)
        let last = value[value.count - 1]
        open = value.isEmpty || value[0] == UInt8(ascii: "&") || value[0] == UInt8(ascii: "!") ? indent : nil
        switch value[0] {
        case UInt8(ascii: "|"), UInt8(ascii: ">"): if value.count <= 3 { block = indent }
        case UInt8(ascii: "\""), UInt8(ascii: "'"): if value.count == 1 || last != value[0] { block = indent }
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            if last != UInt8(ascii: "]"), last != UInt8(ascii: "}") { block = indent }
        default: break
        }
    }

    /// Where the value of `key: value` or `- key: value` begins; a key has three words at most.
    static func endOfKey(_ text: Bytes) -> Int? {
        var start = 0
        while text.has("- ", at: start) {
            start += 2
            while text[start] == 0x20 { start += 1 }
        }
        var place = start
        if text[place] == UInt8(ascii: "\"") || text[place] == UInt8(ascii: "'") {
            guard let end = text.index(of: text[place], from: place + 1) else { return nil }
            place = end + 1
        } else {
            var blanks = 0
            while place < text.count, text[place] != UInt8(ascii: ":") || !isEnd(text, place + 1) {
                guard isInKey(text[place]) else { return nil }
                if text[place] == 0x20 { blanks += 1 }
                place += 1
            }
            guard blanks <= 2, place > start else { return nil }
        }
        return text[place] == UInt8(ascii: ":") && isEnd(text, place + 1) ? place + 1 : nil
    }

    private static func isEnd(_ text: Bytes, _ place: Int) -> Bool { place >= text.count || text[place] == 0x20 }

    private static func isInKey(_ byte: UInt8) -> Bool {
        if ASCII.isLetter(byte) || ASCII.isDigit(byte) { return true }
        return [0x20, 0x5F, 0x24, 0x2E, 0x2F, 0x40, 0x2A, 0x3C, 0x3E, 0x2B, 0x2D, 0x3A].contains(byte)
    }
}
