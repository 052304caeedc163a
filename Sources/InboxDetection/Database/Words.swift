/// The lines of a text without their ends; empty ones are left out.
struct Lines {
    private let text: Bytes
    private var place = 0

    init(_ text: Bytes) {
        self.text = text
    }

    /// The next line, or nil at the end.
    mutating func next() -> Bytes? {
        while place < text.count {
            let start = place
            let end = text.index(of: 0x0A, from: start) ?? text.count
            place = end + 1
            if end > start { return text[start..<end] }
        }
        return nil
    }
}

/// The words of a line, separated by blanks and tabs.
struct Words {
    private let line: Bytes
    private var place = 0

    init(_ line: Bytes) {
        self.line = line
    }

    /// The rest of the line after the last word returned.
    var rest: Bytes { line.from(place) }

    /// The next word, or nil at the end.
    mutating func next() -> Bytes? {
        while ASCII.isSpace(line[place]) { place += 1 }
        let start = place
        place = line.endOfWord(from: start)
        return place > start ? line[start..<place] : nil
    }
}
