import InboxLinux

/// One JSON object on one line, written straight into bytes: the history and the journal are on the path of every
/// document, where an encoder that goes by way of objects would cost more than the rename itself (RFC 8259).
package struct JSONLine: ~Copyable {
    /// The lines before, and this one so far, without its end.
    private var line = ByteWriter()
    private var isEmpty = true
    /// Where this line begins.
    private var start = 0

    /// An object without members.
    package init() {
        line.append(UInt8(ascii: "{"))
    }

    /// An object without members, after other lines: those are taken, so that nothing of them is copied, and given back
    /// by ``finish(into:)``.
    package init(after lines: inout ByteWriter) {
        swap(&line, &lines)
        start = line.count
        line.append(UInt8(ascii: "{"))
    }

    /// The line so far, without its end.
    package var bytes: [UInt8] { line.bytes }

    /// Adds the sum of all that was added: the last member.
    mutating func addSum() { add("sum", line.sum(from: start)) }

    /// Gives the lines back with this one after them, its newline included.
    package mutating func finish(into lines: inout ByteWriter) {
        line.append(UInt8(ascii: "}"))
        line.append(UInt8(ascii: "\n"))
        swap(&line, &lines)
    }

    /// The finished line, its newline included.
    package consuming func finished() -> [UInt8] {
        line.append(UInt8(ascii: "}"))
        line.append(UInt8(ascii: "\n"))
        return line.bytes
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
    package mutating func add(_ key: StaticString, _ text: String) {
        addKey(key)
        addText(text)
    }

    /// Adds a text, or null.
    package mutating func add(_ key: StaticString, _ text: String?) {
        addKey(key)
        if let text { addText(text) } else { addPlain("null") }
    }

    /// Adds the text of a path, which has each byte that is not UTF-8 as `\xnn` and a backslash as `\\`.
    package mutating func add(_ key: StaticString, _ path: BytePath) {
        addKey(key)
        path.bytes.withUnsafeBufferPointer { addEscaped($0) }
    }

    /// Adds the text of a name, likewise.
    package mutating func add(_ key: StaticString, _ name: FileName) {
        addKey(key)
        name.withBytes { addEscaped($0) }
    }

    /// Adds an id.
    package mutating func add(_ key: StaticString, _ id: RecordID) {
        addKey(key)
        addID(id)
    }

    /// Adds a moment as RFC 3339 has it.
    package mutating func add(_ key: StaticString, _ time: Timestamp) {
        addKey(key)
        line.append(UInt8(ascii: "\""))
        line.append(time)
        line.append(UInt8(ascii: "\""))
    }

    /// Adds a whole number.
    package mutating func add(_ key: StaticString, _ number: some FixedWidthInteger) {
        addKey(key)
        addDigits(number)
    }

    /// Adds true or false.
    package mutating func add(_ key: StaticString, _ truth: Bool) {
        addKey(key)
        addPlain(truth ? "true" : "false")
    }

    /// Adds a list of texts.
    package mutating func add(_ key: StaticString, _ texts: [String]) {
        addList(key, texts) { $0.addText($1) }
    }

    /// Adds a list of ids.
    package mutating func add(_ key: StaticString, _ ids: [RecordID]) {
        addList(key, ids) { line, id in line.addID(id) }
    }

    /// Adds an identity as ``FileIdentity/numbers`` has it.
    package mutating func add(_ key: StaticString, _ identity: FileIdentity) {
        addKey(key)
        line.append(UInt8(ascii: "["))
        addElement(identity.file.device, isFirst: true)
        addElement(identity.file.inode)
        addElement(identity.size)
        addElement(identity.modified.seconds)
        addElement(identity.modified.nanoseconds)
        if let birth = identity.file.birth {
            addElement(birth.seconds)
            addElement(birth.nanoseconds)
        }
        line.append(UInt8(ascii: "]"))
    }

    private mutating func addElement(_ number: some FixedWidthInteger, isFirst: Bool = false) {
        if !isFirst { line.append(UInt8(ascii: ",")) }
        line.append(UInt8(ascii: "\""))
        addDigits(number)
        line.append(UInt8(ascii: "\""))
    }

    private mutating func addDigits(_ number: some FixedWidthInteger) {
        if number < 0 { line.append(UInt8(ascii: "-")) }
        line.append(UInt64(truncatingIfNeeded: number.magnitude))
    }

    /// Adds an object of texts, its keys in their order.
    package mutating func add(_ key: StaticString, _ texts: [String: String]) {
        addKey(key)
        line.append(UInt8(ascii: "{"))
        for (index, (key, text)) in texts.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            addText(key)
            line.append(UInt8(ascii: ":"))
            addText(text)
        }
        line.append(UInt8(ascii: "}"))
    }

    private mutating func addList<Element>(
        _ key: StaticString, _ elements: [Element], _ add: (inout JSONLine, Element) -> Void
    ) {
        addKey(key)
        line.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            add(&self, element)
        }
        line.append(UInt8(ascii: "]"))
    }

    private mutating func addKey(_ key: StaticString) {
        if !isEmpty { line.append(UInt8(ascii: ",")) }
        isEmpty = false
        line.appendKey(key)
    }

    private mutating func addPlain(_ word: StaticString) { word.withUTF8Buffer { line.append($0) } }

    private mutating func addID(_ id: RecordID) {
        line.append(UInt8(ascii: "\""))
        id.append(to: &line)
        line.append(UInt8(ascii: "\""))
    }

    private mutating func addText(_ text: String) {
        var text = text
        text.withUTF8 { addText($0) }
    }

    private mutating func addText(_ text: UnsafeBufferPointer<UInt8>) {
        if line.appendQuoted(text, isASCII: false) { return }
        line.append(UInt8(ascii: "\""))
        addEscaping(text)
        line.append(UInt8(ascii: "\""))
    }

    /// Nearly every path is ASCII that means itself here and there.
    private mutating func addEscaped(_ path: UnsafeBufferPointer<UInt8>) {
        if !line.appendQuoted(path, isASCII: true) { addText(EscapedBytes.text(path)) }
    }

    private mutating func addEscaping(_ text: UnsafeBufferPointer<UInt8>) {
        let digits: StaticString = "0123456789abcdef"
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                line.append(UInt8(ascii: "\\"))
                line.append(byte)
            case UInt8(ascii: "\n"): addPlain("\\n")
            case UInt8(ascii: "\t"): addPlain("\\t")
            case 0..<0x20, 0x7F:
                addPlain("\\u00")
                digits.withUTF8Buffer { digits in
                    line.append(digits[Int(byte >> 4)])
                    line.append(digits[Int(byte & 15)])
                }
            default: line.append(byte)
            }
        }
    }
}

/// A value that is written as one line among others.
package protocol WrittenLine {
    /// Appends the line to others.
    func append(to lines: inout ByteWriter)
}

extension WrittenLine {
    /// The line alone.
    package var line: [UInt8] {
        var line = ByteWriter()
        append(to: &line)
        return line.bytes
    }
}
