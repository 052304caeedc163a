/// Splits the XML of a property list into tags and text; knows nothing of what they mean.
///
/// Covers what such lists contain: elements, attributes (skipped), character data with the predefined entities and
/// character references, CDATA, comments, processing instructions and a DOCTYPE. Entities are never defined or fetched.
struct XMLScanner {
    enum Token: Equatable {
        /// A start tag, and whether it ends its element too (`<true/>`).
        case start(String, isEmpty: Bool)
        case end(String)
        /// Character data between two tags, with entities replaced.
        case text([UInt8])
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The line of the next byte, from 1.
    private(set) var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next tag or text, or nil at the end.
    mutating func next() throws(PropertyListError) -> Token? {
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") { return .text(try text()) }
            if looksAt("<!--") {
                try skip(past: "-->", what: "comment")
            } else if looksAt("<![CDATA[") {
                return .text(try characterData())
            } else if looksAt("<?") {
                try skip(past: "?>", what: "processing instruction")
            } else if looksAt("<!") {
                try skipDoctype()
            } else {
                return try tag()
            }
        }
        return nil
    }

    func error(_ reason: String) -> PropertyListError {
        PropertyListError(line: line, reason)
    }

    private func looksAt(_ text: StaticString) -> Bool {
        bytes.count - position >= text.utf8CodeUnitCount
            && bytes[position..<position + text.utf8CodeUnitCount].elementsEqual(
                UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func advance() {
        if bytes[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private mutating func skip(past end: StaticString, what: String) throws(PropertyListError) {
        let start = line
        while position < bytes.count {
            if looksAt(end) {
                position += end.utf8CodeUnitCount
                return
            }
            advance()
        }
        throw PropertyListError(line: start, "a \(what) does not end")
    }

    private mutating func skipDoctype() throws(PropertyListError) {
        let start = line
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            advance()
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth -= 1 }
            if byte == UInt8(ascii: ">"), depth <= 0 { return }
        }
        throw PropertyListError(line: start, "a declaration does not end")
    }

    private mutating func characterData() throws(PropertyListError) -> [UInt8] {
        position += 9
        let start = position
        try skip(past: "]]>", what: "CDATA section")
        return Array(bytes[start..<position - 3])
    }

    private mutating func tag() throws(PropertyListError) -> Token {
        let start = line
        position += 1
        var content: [UInt8] = []
        var quote: UInt8?
        while position < bytes.count {
            let byte = bytes[position]
            advance()
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return try token(content, line: start)
            }
            content.append(byte)
        }
        throw PropertyListError(line: start, "a tag does not end")
    }

    private func token(_ content: [UInt8], line: Int) throws(PropertyListError) -> Token {
        var content = content[...]
        let isEnd = content.first == UInt8(ascii: "/")
        if isEnd { content.removeFirst() }
        let isEmpty = content.last == UInt8(ascii: "/")
        if isEmpty { content.removeLast() }
        let name = String(decoding: content.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
        guard !name.isEmpty else { throw PropertyListError(line: line, "a tag has no name") }
        return isEnd ? .end(name) : .start(name, isEmpty: isEmpty)
    }

    private mutating func text() throws(PropertyListError) -> [UInt8] {
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
            if bytes[position] == UInt8(ascii: "&") {
                text += try entity()
            } else {
                text.append(bytes[position])
                advance()
            }
        }
        return text
    }

    private mutating func entity() throws(PropertyListError) -> [UInt8] {
        // The longest is a character reference of seven digits.
        let rest = bytes[position...].prefix(12)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { throw error("an \"&\" begins no entity") }
        let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "amp": return [UInt8(ascii: "&")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default:
            let number =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16)
                : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            guard let number, let scalar = Unicode.Scalar(number) else {
                throw error("the entity \(name.debugDescription) is not known")
            }
            return Array(String(Character(scalar)).utf8)
        }
    }
}
