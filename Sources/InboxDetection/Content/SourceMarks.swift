/// The marks of the languages, read once from the texts of the extensions of this type.
struct SourceMarks: ~Copyable, Sendable {
    static let table = SourceMarks()

    private static let texts = [functional, braces, moreBraces, scripts, builds, others]

    struct Language: Sendable {
        let mime: String
        /// The language whose marks count for this one too, where it has some of its own.
        let base: Int?
    }

    /// What a line begins with, contains and ends with, and its weight as evidence for a language.
    struct Mark: Sendable {
        let language: Int
        let weight: Int
        /// Whether prose may have it as well: a word with a vowel, or several in small letters, and no sign but a comma.
        let isWord: Bool
        /// Whether the line must be the beginning and nothing more.
        fileprivate let isWhole: Bool
        /// The three parts in `bytes`, one after the other.
        fileprivate let start: Range<Int>
        fileprivate let inside: Range<Int>
        fileprivate let end: Range<Int>
    }

    private(set) var languages: [Language] = []
    private(set) var marks: [Mark] = []
    private var bytes: [UInt8] = []
    /// Finds the marks that a line can have.
    private var index = MarkIndex()

    /// Reads a paragraph for each language: its MIME type, `<` and that of its base; below it, a line for each mark:
    /// weight, beginning, inside and end, separated by `` ` ``; a mark without a beginning is tried on every line, and
    /// one with `=` after its weight is the whole line.
    private init() {
        marks.reserveCapacity(2048)
        bytes.reserveCapacity(32 * 1024)
        for text in Self.texts {
            let text = Bytes(text)
            let base = bytes.count
            text.withRaw { bytes.append(contentsOf: $0) }
            var lines = Lines(text)
            while let line = lines.next() {
                if ASCII.isDigit(line[0]) {
                    readMark(line, at: base + line.offset(in: text))
                } else {
                    readLanguage(line)
                }
            }
        }
        index.finish()
    }

    /// The MIME types of all languages; reads no marks.
    static var mimes: [String] {
        texts.flatMap { text in
            var mimes: [String] = []
            var lines = Lines(Bytes(text))
            while let line = lines.next() {
                guard !ASCII.isDigit(line[0]) else { continue }
                var words = Words(line)
                if let mime = words.next() { mimes.append(mime.text) }
            }
            return mimes
        }
    }

    private mutating func readLanguage(_ line: Bytes) {
        var words = Words(line)
        guard let mime = words.next()?.text else { return }
        var base: Int?
        if words.next() != nil, let name = words.next()?.text { base = languages.firstIndex { $0.mime == name } }
        languages.append(Language(mime: mime, base: base))
    }

    /// The letters a, e, i, o, u and y, by their places in the alphabet.
    private static let vowels: UInt32 = 0x0110_4111

    private static func isWord(_ mark: Bytes) -> Bool {
        var (words, hasSmall, isInside, hasVowel) = (0, false, false, false)
        for index in 0..<mark.count {
            let byte = mark[index]
            if ASCII.isLetter(byte) {
                if !isInside { words += 1 }
                if ASCII.lower(byte) == byte { hasSmall = true }
                if vowels >> UInt32(ASCII.lower(byte) - 0x61) & 1 == 1 { hasVowel = true }
                isInside = true
            } else {
                guard byte == 0x20 || byte == UInt8(ascii: "`") || byte == UInt8(ascii: ",") else { return false }
                isInside = false
            }
        }
        // Further on in a line letters without a vowel are a part of some word.
        return (hasVowel || mark[0] == UInt8(ascii: "`")) && (words == 1 || hasSmall)
    }

    /// Reads a mark; `place` is where the line lies in `bytes`.
    private mutating func readMark(_ line: Bytes, at place: Int) {
        let isWhole = line[1] == UInt8(ascii: "=")
        let quote = UInt8(ascii: "`")
        let start = 2..<(isWhole ? line.count : line.index(of: quote, from: 2) ?? line.count)
        let second = min(start.upperBound + 1, line.count)
        let inside = second..<(line.index(of: quote, from: second) ?? line.count)
        // The last part may hold the separator itself.
        let end = min(inside.upperBound + 1, line.count)..<line.count
        index.add(
            UInt16(clamping: marks.count), start: line[start], inside: line[inside], end: line[end])
        marks.append(
            Mark(
                language: languages.count - 1, weight: Int(line[0] - UInt8(ascii: "0")),
                isWord: !isWhole && Self.isWord(line.from(2)), isWhole: isWhole,
                start: (place + start.lowerBound)..<(place + start.upperBound),
                inside: (place + inside.lowerBound)..<(place + inside.upperBound),
                end: (place + end.lowerBound)..<(place + end.upperBound)))
    }

    /// Puts into `candidates`, in the order of the languages, all marks that a line can have.
    func collect(_ line: Bytes, into candidates: inout [UInt16]) { index.collect(line, into: &candidates) }

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
