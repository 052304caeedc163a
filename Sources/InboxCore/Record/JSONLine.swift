import InboxLinux

/// One JSON object on one line, written straight into bytes: the history and the journal are on the path of every
/// document, where an encoder that goes by way of objects would cost more than the rename itself (RFC 8259).
struct JSONLine {
    /// The line so far, without its end.
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    private static let digits = Array("0123456789abcdef".utf8)

    /// The finished line, its newline included.
    var finished: [UInt8] { bytes + [UInt8(ascii: "}"), UInt8(ascii: "\n")] }

    /// Adds a text.
    mutating func add(_ key: String, _ text: String) {
        addKey(key)
        addText(text)
    }

    /// Adds a text, or null.
    mutating func add(_ key: String, _ text: String?) {
        addKey(key)
        if let text { addText(text) } else { bytes += "null".utf8 }
    }

    /// Adds a whole number.
    mutating func add(_ key: String, _ number: some FixedWidthInteger) {
        addKey(key)
        bytes += String(number).utf8
    }

    /// Adds true or false.
    mutating func add(_ key: String, _ truth: Bool) {
        addKey(key)
        bytes += (truth ? "true" : "false").utf8
    }

    /// Adds a list of texts.
    mutating func add(_ key: String, _ texts: [String]) {
        addKey(key)
        bytes.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            addText(text)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func addKey(_ key: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        addText(key)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func addText(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            case 0..<0x20, 0x7F:
                bytes += "\\u00".utf8
                bytes += [Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
