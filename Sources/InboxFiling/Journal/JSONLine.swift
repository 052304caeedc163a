import InboxLinux

/// One JSON object on one line, written straight into bytes: the history and the journal are on the path of every
/// document, where an encoder that goes by way of objects would cost more than the rename itself (RFC 8259).
package struct JSONLine {
    /// The lines before, and this one so far, without its end.
    package private(set) var bytes: [UInt8]
    private var isEmpty = true

    /// An object without members.
    package init() {
        bytes = [UInt8(ascii: "{")]
    }

    /// An object without members, after other lines: those are taken, so that nothing of them is copied, and given back
    /// by ``finish(into:)``.
    package init(after lines: inout [UInt8]) {
        bytes = []
        swap(&bytes, &lines)
        bytes.append(UInt8(ascii: "{"))
    }

    /// Gives the lines back with this one after them, its newline included.
    package mutating func finish(into lines: inout [UInt8]) {
        bytes.append(UInt8(ascii: "}"))
        bytes.append(UInt8(ascii: "\n"))
        swap(&bytes, &lines)
    }

    /// The finished line, its newline included.
    package consuming func finished() -> [UInt8] {
        var line: [UInt8] = []
        finish(into: &line)
        return line
    }

    /// Adds what every record of the history says of a document.
    mutating func addDocument(
        from source: BytePath, to destination: BytePath, type: String, mime: String?, size: UInt64
    ) {
        add("source", source)
        add("destination", destination)
        add("type", type)
        add("mime", mime)
        add("size", size)
    }

    /// Adds a text.
    package mutating func add(_ key: String, _ text: String) {
        addKey(key)
        addText(text)
    }

    /// Adds a text, or null.
    package mutating func add(_ key: String, _ text: String?) {
        addKey(key)
        if let text { addText(text) } else { bytes += "null".utf8 }
    }

    /// Adds the text of a path, which has each byte that is not UTF-8 as `\xnn` and a backslash as `\\`.
    package mutating func add(_ key: String, _ path: BytePath) {
        addKey(key)
        addEscaped(path.bytes[...])
    }

    /// Adds the text of a name, likewise.
    package mutating func add(_ key: String, _ name: FileName) {
        addKey(key)
        addEscaped(name.bytes)
    }

    /// Adds an id.
    package mutating func add(_ key: String, _ id: RecordID) {
        addKey(key)
        addQuoted { id.append(to: &$0) }
    }

    /// Adds a moment as RFC 3339 has it.
    package mutating func add(_ key: String, _ time: Timestamp) {
        addKey(key)
        addQuoted { time.appendText(to: &$0) }
    }

    /// Adds a whole number.
    package mutating func add(_ key: String, _ number: some FixedWidthInteger) {
        addKey(key)
        addDigits(number)
    }

    /// Adds true or false.
    package mutating func add(_ key: String, _ truth: Bool) {
        addKey(key)
        bytes += (truth ? "true" : "false").utf8
    }

    /// Adds a list of texts.
    package mutating func add(_ key: String, _ texts: [String]) {
        addList(key, texts) { $0.addText($1) }
    }

    /// Adds a list of ids.
    package mutating func add(_ key: String, _ ids: [RecordID]) {
        addList(key, ids) { line, id in line.addQuoted { id.append(to: &$0) } }
    }

    /// Adds an identity as ``FileIdentity/numbers`` has it.
    package mutating func add(_ key: String, _ identity: FileIdentity) {
        addKey(key)
        bytes.append(UInt8(ascii: "["))
        addElement(identity.file.device, isFirst: true)
        addElement(identity.file.inode)
        addElement(identity.size)
        addElement(identity.modified.seconds)
        addElement(identity.modified.nanoseconds)
        if let birth = identity.file.birth {
            addElement(birth.seconds)
            addElement(birth.nanoseconds)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func addElement(_ number: some FixedWidthInteger, isFirst: Bool = false) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        addDigits(number)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func addDigits(_ number: some FixedWidthInteger) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        DecimalDigits.append(UInt64(truncatingIfNeeded: number.magnitude), to: &bytes)
    }

    /// Adds an object of texts, its keys in their order.
    package mutating func add(_ key: String, _ texts: [String: String]) {
        addKey(key)
        bytes.append(UInt8(ascii: "{"))
        isEmpty = true
        for (key, text) in texts.sorted(by: { $0.key < $1.key }) { add(key, text) }
        bytes.append(UInt8(ascii: "}"))
        isEmpty = false
    }

    private mutating func addList<Element>(
        _ key: String, _ elements: [Element], _ add: (inout JSONLine, Element) -> Void
    ) {
        addKey(key)
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            add(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func addKey(_ key: String) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        addText(key)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func addQuoted(_ body: (inout [UInt8]) -> Void) {
        bytes.append(UInt8(ascii: "\""))
        body(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func addText(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            addQuoted { bytes in
                if Self.isPlain(utf8, isASCII: false) { bytes += utf8 } else { Self.append(utf8, to: &bytes) }
            }
        }
    }

    /// Nearly every path is ASCII that means itself here and there.
    private mutating func addEscaped(_ path: ArraySlice<UInt8>) {
        let isPlain = path.withUnsafeBufferPointer { Self.isPlain($0, isASCII: true) }
        if isPlain { addQuoted { $0 += path } } else { addText(EscapedBytes.text(path)) }
    }

    /// Whether bytes need no escape in a JSON string: no control characters, quotation marks and backslashes, and with
    /// `isASCII` nothing beyond ASCII. Eight at a time, since this reads every path twice.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> Bool {
        let raw = UnsafeRawBufferPointer(text)
        let tops: UInt64 = 0x8080_8080_8080_8080
        func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
        /// Not zero where one of the bytes is less than this one, which is at most 0x80.
        func less(_ word: UInt64, than byte: UInt8) -> UInt64 { (word &- each(byte)) & ~word & tops }
        func specials(_ word: UInt64) -> UInt64 {
            less(word, than: 0x20) | less(word ^ each(0x7F), than: 1) | less(word ^ each(UInt8(ascii: "\"")), than: 1)
                | less(word ^ each(UInt8(ascii: "\\")), than: 1) | (isASCII ? word & tops : 0)
        }
        var place = 0
        while place + 8 <= raw.count {
            if specials(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) != 0 { return false }
            place += 8
        }
        // The rest, after blanks in place of what is missing.
        var rest = each(UInt8(ascii: " "))
        while place < raw.count {
            rest = rest << 8 | UInt64(raw[place])
            place += 1
        }
        return specials(rest) == 0
    }

    private static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        let digits = "0123456789abcdef".utf8.map { $0 }
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            case 0..<0x20, 0x7F: bytes += "\\u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
    }
}

/// What is written as one line among others.
package protocol WrittenLine {
    /// Appends the line to others.
    func append(to lines: inout [UInt8])
}

extension WrittenLine {
    /// The line alone.
    package var line: [UInt8] {
        var line: [UInt8] = []
        append(to: &line)
        return line
    }
}
