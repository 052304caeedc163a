/// The marks of the languages, read once from the texts of the extensions of this type.
struct SourceMarks: Sendable {
    static let table = SourceMarks([functional, braces, moreBraces, scripts, builds, others])

    struct Language: Sendable {
        let mime: String
        /// The language whose marks count for this one too, where it has some of its own.
        let base: Int?
    }

    /// What a line begins with, contains and ends with, and its weight as evidence for a language.
    struct Mark: Sendable {
        let language: Int
        let weight: Int
        /// Whether the line must be the beginning and nothing more.
        fileprivate let isWhole: Bool
        /// The three parts in `bytes`, one after the other.
        fileprivate let start: Range<Int>
        fileprivate let inside: Range<Int>
        fileprivate let end: Range<Int>
    }

    private(set) var languages: [Language] = []
    private(set) var marks: [Mark] = []
    /// The marks by the first byte of a line, those of a language together.
    private(set) var byFirst = [[Int]](repeating: [], count: 256)
    /// The marks without a beginning, which are tried on every line.
    private(set) var anywhere: [Int] = []
    private var bytes: [UInt8] = []

    /// Reads a paragraph for each language: its MIME type, `<` and that of its base; below it, a line for each mark:
    /// weight, beginning, inside and end, separated by `` ` ``; a mark without a beginning is tried on every line, and
    /// one with `=` after its weight is the whole line.
    private init(_ texts: [String]) {
        marks.reserveCapacity(2048)
        bytes.reserveCapacity(16 * 1024)
        for text in texts {
            var text = text
            text.withUTF8 { text in
                var lines = Lines(Bytes(UnsafeRawBufferPointer(text)))
                while let line = lines.next() {
                    if ASCII.isDigit(line[0]) {
                        readMark(line)
                    } else {
                        readLanguage(line)
                    }
                }
            }
        }
        for (index, mark) in marks.enumerated() {
            if mark.start.isEmpty {
                anywhere.append(index)
            } else {
                byFirst[Int(bytes[mark.start.lowerBound])].append(index)
            }
        }
    }

    private mutating func readLanguage(_ line: Bytes) {
        var words = Words(line)
        guard let mime = words.next()?.text else { return }
        var base: Int?
        if words.next() != nil, let name = words.next()?.text { base = languages.firstIndex { $0.mime == name } }
        languages.append(Language(mime: mime, base: base))
    }

    private mutating func readMark(_ line: Bytes) {
        let isWhole = line[1] == UInt8(ascii: "=")
        let quote: UInt8 = isWhole ? 0 : UInt8(ascii: "`")
        var ranges = [0..<0, 0..<0, 0..<0]
        var place = 2
        for field in 0..<3 where place < line.count {
            // The last part may hold the separator itself.
            let end = field == 2 ? line.count : line.index(of: quote, from: place) ?? line.count
            let first = bytes.count
            line[place..<end].withRaw { bytes.append(contentsOf: $0) }
            ranges[field] = first..<bytes.count
            place = end + 1
        }
        marks.append(
            Mark(
                language: languages.count - 1, weight: Int(line[0] - UInt8(ascii: "0")), isWhole: isWhole,
                start: ranges[0], inside: ranges[1], end: ranges[2]))
    }

    /// Whether a line, without the blanks around it, has the mark.
    func matches(_ mark: Mark, _ line: Bytes) -> Bool {
        guard line.count >= mark.start.count + mark.inside.count + mark.end.count,
            line.has(bytes, mark.start, at: 0), line.has(bytes, mark.end, at: line.count - mark.end.count)
        else { return false }
        if mark.isWhole { return line.count == mark.start.count }
        guard !mark.inside.isEmpty else { return true }
        var place = mark.start.count
        let last = line.count - mark.end.count - mark.inside.count
        while let found = line.scan(for: bytes[mark.inside.lowerBound], from: place, before: last + 1) {
            if line.has(bytes, mark.inside, at: found) { return true }
            place = found + 1
        }
        return false
    }
}
