import InboxTestSupport

/// One command of a scenario: words of bytes, as `Tests/Scenarios/LANGUAGE.md` says.
struct ScenarioLine: Sendable {
    let number: Int
    let text: String
    let verb: String
    let arguments: [TestPath]

    /// Nil for an empty line or a comment.
    init?(number: Int, text: String) throws {
        var words = ScenarioWords(text)
        guard let verb = try words.next(), verb.bytes.first != UInt8(ascii: "#") else { return nil }
        var arguments: [TestPath] = []
        while let word = try words.next() { arguments.append(word) }
        self.number = number
        self.text = text
        self.verb = String(describing: verb)
        self.arguments = arguments
    }
}

/// Cuts a line into words: blanks separate, double quotes hold together, a backslash escapes in both.
struct ScenarioWords {
    private var rest: ArraySlice<UInt8>

    init(_ line: String) {
        rest = ArraySlice(line.utf8)
    }

    mutating func next() throws -> TestPath? {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let first = rest.first else { return nil }
        // A comment is the whole line, and not to be read for escapes.
        if first == UInt8(ascii: "#") {
            rest = []
            return "#"
        }
        var word: [UInt8] = []
        var quoted = false
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): quoted.toggle()
            case UInt8(ascii: "\\"): word += try escape()
            case UInt8(ascii: " ") where !quoted, UInt8(ascii: "\t") where !quoted: return TestPath(word)
            default: word.append(byte)
            }
        }
        guard !quoted else { throw Failure("a quote is not closed") }
        return TestPath(word)
    }

    /// What follows a backslash: `n`, `t`, `0`, `xHH`, `*COUNT(BYTES)`, or the character itself.
    private mutating func escape() throws -> [UInt8] {
        switch rest.popFirst() {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "x"):
            guard let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2 else {
                throw Failure("\\x needs two digits")
            }
            rest = rest.dropFirst(2)
            return [byte]
        case UInt8(ascii: "*"):
            guard let open = rest.firstIndex(of: UInt8(ascii: "(")),
                let close = rest[open...].firstIndex(of: UInt8(ascii: ")")),
                let count = Int(String(decoding: rest[..<open], as: UTF8.self)), (1...4096).contains(count)
            else { throw Failure("\\* needs a count and what to repeat, as in \\*251(a)") }
            let inside = String(decoding: rest[rest.index(after: open)..<close], as: UTF8.self)
            var words = ScenarioWords("\"" + inside + "\"")
            let repeated = try words.next()?.bytes ?? []
            rest = rest[rest.index(after: close)...]
            return Array(repeatElement(repeated, count: count).joined())
        case .some(let byte) where byte < 0x80 && !isLetterOrDigit(byte): return [byte]
        default: throw Failure("an unknown escape")
        }
    }

    private func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
