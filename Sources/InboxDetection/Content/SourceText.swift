/// Program source by what its lines begin with, hold and end with. Only a guess, for files whose name is unknown or
/// has several meanings.
///
/// No single word decides: a language needs different marks, enough of them for the number of lines, and more than any
/// other language has.
struct SourceText {
    /// A mark counts only so often, so that one habit of a text does not outweigh the others.
    private static let mostCounts: UInt8 = 4
    private static let reach = 4096
    private static let mostLines = 160

    private var scores = [Int](repeating: 0, count: SourceMarks.table.languages.count)
    private var kinds = [Int](repeating: 0, count: SourceMarks.table.languages.count)
    /// Which languages have a mark that is no word.
    private var firm = [Bool](repeating: false, count: SourceMarks.table.languages.count)
    private var counts = [UInt8](repeating: 0, count: SourceMarks.table.marks.count)
    /// How many lines had a mark of each language.
    private var hits = [Int](repeating: 0, count: SourceMarks.table.languages.count)
    /// How many of them were not indented, and no sentences.
    private var outerHits = [Int](repeating: 0, count: SourceMarks.table.languages.count)
    /// The marks that the line can have.
    private var candidates: [UInt16] = []
    /// Lines that are not comments.
    private var lines = 0
    private var allLines = 0
    /// How many lines are sentences: long, begun by a letter, without the signs that source is full of.
    private var sentences = 0
    /// Lines without indentation that are not comments, and whether one of them begins or ends a block or a statement.
    private var outerLines = 0
    private var hasOuterBlock = false
    /// The sentences that no comment's sign precedes and that are not in capitals.
    private var proseLines = 0

    /// The language whose marks are found most, with their weight, if they are enough.
    static func guess(_ text: Bytes) -> (mime: String, score: Int)? {
        // Escape sequences of terminals and of Asian encodings look like variables.
        guard text.index(of: 0x1B) == nil else { return nil }
        var source = SourceText()
        source.read(text)
        return source.best
    }

    private mutating func read(_ text: Bytes) {
        var place = 0
        var isQuoted = false
        while place < min(text.count, Self.reach), allLines < Self.mostLines {
            let end = text.index(of: 0x0A, from: place) ?? text.count
            var start = place
            var stop = end
            while start < stop, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
            while stop > start, ASCII.isSpace(text[stop - 1]) { stop -= 1 }
            let line = text[start..<stop]
            // Pages quote programs between these: what is quoted says nothing of the page.
            if line.has("```") {
                isQuoted.toggle()
            } else if start < stop, !isQuoted {
                count(line, isOuter: start == place)
            }
            place = end + 1
        }
    }

    private mutating func count(_ line: Bytes, isOuter: Bool) {
        allLines += 1
        let isComment = Self.isComment(line)
        let isSentence = Self.isSentence(line)
        if !isComment { lines += 1 }
        if !isComment, isOuter {
            outerLines += 1
            if [UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";")].contains(line[line.count - 1]) {
                hasOuterBlock = true
            }
        }
        if isSentence { sentences += 1 }
        if isSentence, !isComment, Self.isSmall(line[1]) || Self.isSmall(line[2]) { proseLines += 1 }
        let counted = isOuter && !isSentence
        SourceMarks.table.collect(line, into: &candidates)
        var language = -1
        var best = 0
        for candidate in candidates {
            let index = Int(candidate)
            let mark = SourceMarks.table.marks[index]
            if mark.language != language {
                take(language, best, isOuter: counted)
                language = mark.language
                best = 0
            }
            guard mark.weight > best, counts[index] < Self.mostCounts, SourceMarks.table.matches(mark, line) else {
                continue
            }
            if counts[index] == 0 { kinds[language] += 1 }
            if !mark.isWord { firm[language] = true }
            counts[index] += 1
            best = mark.weight
        }
        take(language, best, isOuter: counted)
    }

    private mutating func take(_ language: Int, _ best: Int, isOuter: Bool) {
        guard language >= 0, best > 0 else { return }
        scores[language] += best
        hits[language] += 1
        if isOuter { outerHits[language] += 1 }
    }

    /// Lines of comments: a licence at the beginning is in no language, and need not have marks.
    private static func isComment(_ line: Bytes) -> Bool {
        for sign: StaticString in ["# ", "//", "--", "/*", "* ", "*/", ";;", "% ", "; ", "! ", "' ", "C "]
        where line.has(sign) { return true }
        if line.count == 1 { return [0x23, 0x2A, 0x25, 0x21].contains(line[0]) }
        return line.run(of: UInt8(ascii: "#")) == line.count
    }

    private static func isSmall(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isSentence(_ line: Bytes) -> Bool {
        let start = line.has("* ") || line.has("- ") ? 2 : 0
        guard line.count > 40, ASCII.isLetter(line[start]) else { return false }
        for index in 0..<line.count {
            switch line[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "$"),
                UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: "["), UInt8(ascii: "_"):
                return false
            default: continue
            }
        }
        return true
    }

    /// The best language; nil where it is not clearly ahead.
    private var best: (mime: String, score: Int)? {
        var totals = scores
        for (index, language) in SourceMarks.table.languages.enumerated() {
            // What is written in a dialect is written in its base as well.
            if let base = language.base, kinds[index] >= 2 || scores[index] >= 5 { totals[index] += scores[base] }
        }
        // Different marks are better evidence than one that is repeated.
        for index in totals.indices where kinds[index] > 1 { totals[index] += 2 * kinds[index] }
        guard let first = totals.indices.max(by: { totals[$0] < totals[$1] }) else { return nil }
        let score = totals[first] - (kinds[first] > 1 ? 2 * kinds[first] : 0)
        let family = SourceMarks.table.languages[first].base
        let own = kinds[first] + (family.map { kinds[$0] } ?? 0)
        guard score >= 6, own >= 2 || score >= 12 && own >= 1, score * 6 >= min(lines, 40) else { return nil }
        // Sentences begin with words of every language; only many different ones are more than that.
        guard firm[first] || family.map({ firm[$0] }) == true || own >= 5 else { return nil }
        let shown = hits[first] + (family.map { hits[$0] } ?? 0)
        // Prose has words of every language.
        guard shown * 6 >= min(lines, 48), sentences * 3 < allLines || shown * 2 >= allLines || score >= 40 else {
            return nil
        }
        // A manual's examples are indented below its sentences; a program has lines of its own that are not.
        let outer = outerHits[first] + (family.map { outerHits[$0] } ?? 0)
        guard outer > 0 || hasOuterBlock || outerLines < 2 || proseLines < 3 else { return nil }
        var second = 0
        for index in totals.indices
        where index != first && index != family && SourceMarks.table.languages[index].base != first {
            second = max(second, totals[index])
        }
        guard totals[first] * 8 >= second * 9 else { return nil }
        return (SourceMarks.table.languages[first].mime, score)
    }
}
