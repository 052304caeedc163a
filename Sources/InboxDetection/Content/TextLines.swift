/// The lines of a text's beginning, one after the other, for the rules that judge a text by its lines.
struct TextLines {
    /// The limits of the judged text, in bytes and in lines.
    static let reach = 4096
    private static let mostLines = 160

    private let text: Bytes
    private var place = 0
    private var count = 0

    /// - Parameter isWhole: Whether the text is not cut off at its end; a cut line would be misjudged.
    init(_ text: Bytes, isWhole: Bool) {
        let part = text[0..<Self.reach]
        if isWhole, part.count == text.count {
            self.text = part
        } else {
            var end = part.count
            while end > 0, part[end - 1] != 0x0A { end -= 1 }
            self.text = part[0..<end]
        }
    }

    /// The next line with its indentation in bytes; empty lines count too. Nil after the last.
    mutating func next() -> Line? {
        guard place < text.count, count < Self.mostLines else { return nil }
        count += 1
        let end = text.index(of: 0x0A, from: place) ?? text.count
        var start = place
        var stop = end
        while start < stop, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
        while stop > start, ASCII.isSpace(text[stop - 1]) { stop -= 1 }
        let line = Line(text: text[start..<stop], indent: start - place, isTabbed: text[place] == 0x09)
        place = end + 1
        return line
    }

    /// A line without the blanks around it.
    struct Line {
        let text: Bytes
        let indent: Int
        /// The line begins with a tab.
        let isTabbed: Bool
    }
}

extension Bytes {
    /// Returns the number of bytes at the beginning that are this one.
    func run(of byte: UInt8) -> Int {
        var length = 0
        while length < count, self[length] == byte { length += 1 }
        return length
    }

    /// The bytes contain a letter or a digit.
    var hasWord: Bool {
        for index in 0..<count where ASCII.isLetter(self[index]) || ASCII.isDigit(self[index]) { return true }
        return false
    }
}
