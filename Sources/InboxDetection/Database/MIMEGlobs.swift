import InboxLinux
import Synchronization

/// The database's file-name patterns, `globs2`: weight, MIME type, pattern and flags a line.
///
/// Shared MIME-info Database specification, "The globs2 file" and "Recommended checking order".
///
/// The first questions are answered by a table of the few patterns that may concern them; who asks more often gets one
/// of them all, which takes `inboxctl type` longer to make than everything else that it asks about one file.
struct MIMEGlobs: ~Copyable, Sendable {
    /// MIME types that match a name equally well, and the pattern that did.
    struct Matches {
        var mimes: [Int32] = []
        var weight: UInt8 = 0
        var length = 0
        /// The bytes after `*.`, if the pattern consists of just these.
        var plainExtension: ArraySlice<UInt8>?
        /// The pattern is the whole name.
        var isLiteral = false

        func isBetter(than other: Matches) -> Bool {
            if isLiteral != other.isLiteral { return isLiteral }
            return (weight, length) > (other.weight, other.length)
        }
    }

    /// A line, of which the MIME type and the pattern are left in the text.
    struct Line {
        let mime: Bytes
        let pattern: Bytes
        let weight: UInt8
        let isCaseSensitive: Bool

        /// The line says that there are no patterns of the MIME type in later folders.
        var isEnd: Bool { pattern.equals("__NOGLOBS__") }
    }

    /// The lines of a file that are one: `weight:MIME-type:pattern[:flag,…]`.
    struct LineReader {
        private let text: Bytes
        private var place = 0

        init(_ text: Bytes) {
            self.text = text
        }

        /// The next line, or nil at the end.
        mutating func next() -> Line? {
            while place < text.count {
                if let line = read() { return line }
            }
            return nil
        }

        /// Reads the rest of the line at `place`; nil if that is no pattern, such as a comment.
        private mutating func read() -> Line? {
            let start = place
            var weight = 0
            while ASCII.isDigit(text[place]) {
                weight = min(weight * 10 + Int(text[place] - UInt8(ascii: "0")), 1000)
                place += 1
            }
            guard place > start, text[place] == UInt8(ascii: ":") else { return skip() }
            let mime = place + 1
            place = text.endOfField(from: mime, separator: UInt8(ascii: ":"))
            guard text[place] == UInt8(ascii: ":") else { return skip() }
            let pattern = place + 1
            place = text.endOfField(from: pattern, separator: UInt8(ascii: ":"))
            let end = place
            var isCaseSensitive = false
            if text[place] == UInt8(ascii: ":") {
                skipLine()
                isCaseSensitive = Self.hasFlag(text[(end + 1)..<(place - 1)])
            } else {
                place += 1
            }
            guard pattern < end else { return nil }
            return Line(
                mime: text[mime..<(pattern - 1)], pattern: text[pattern..<end], weight: UInt8(clamping: weight),
                isCaseSensitive: isCaseSensitive)
        }

        private mutating func skip() -> Line? {
            skipLine()
            return nil
        }

        /// Goes to the beginning of the next line.
        private mutating func skipLine() { place = (text.index(of: 0x0A, from: place) ?? text.count) + 1 }

        private static func hasFlag(_ flags: Bytes) -> Bool {
            var start = 0
            while start < flags.count {
                let end = flags.index(of: UInt8(ascii: ","), from: start) ?? flags.count
                if flags[start..<end].equals("cs") { return true }
                start = end + 1
            }
            return false
        }
    }

    /// The lines of all files that count, one file after the other.
    private var text: [UInt8] = []
    /// MIME types of which no later folder's lines count.
    private var hidden: [[UInt8]] = []
    private var names: MIMENames?
    private var table = Once { GlobTable([]) }
    private let questions = Atomic<Int>(0)

    /// So many questions are answered without the whole table: one about a name, and one about the extension of its type.
    private static let patience = 2

    /// Reads one folder's file. `__NOGLOBS__` there hides what later folders say of that MIME type.
    mutating func read(_ file: [UInt8]) {
        // Nearly always there is one file, whose memory is kept as it is.
        if text.isEmpty { text = file } else { append(file) }
        file.withUnsafeBytes { file in
            guard Bytes(file).contains("__NOGLOBS__") else { return }
            var lines = LineReader(Bytes(file))
            while let line = lines.next() {
                if line.isEnd { hidden.append(line.mime.array) }
            }
        }
    }

    /// Adds the lines of a file that earlier ones do not hide.
    private mutating func append(_ file: [UInt8]) {
        if text.last != 0x0A { text.append(0x0A) }
        guard !hidden.isEmpty else {
            text += file
            return
        }
        file.withUnsafeBytes { file in
            var lines = Lines(Bytes(file))
            while let line = lines.next() {
                var reader = LineReader(line)
                guard let read = reader.next() else { continue }
                if !hidden.contains(where: { $0.elementsEqual(read.mime.array) }) { text += line.array + [0x0A] }
            }
        }
    }

    /// Called once after the last file.
    mutating func finish(_ names: MIMENames) {
        self.names = names
        table = Once { [text] in Self.table(of: text, names) { _ in true } }
    }

    /// A function that adds the MIME types of all lines.
    var addNames: @Sendable (inout NameArena) -> Void {
        { [text] names in
            text.withUnsafeBytes { text in
                var lines = LineReader(Bytes(text))
                while let line = lines.next() { _ = names.add(line.mime) }
            }
        }
    }

    /// A table of the lines that are needed.
    private static func table(of text: [UInt8], _ names: MIMENames, _ isNeeded: (Line) -> Bool) -> GlobTable {
        text.withUnsafeBytes { text in
            var needed: [GlobTable.Row] = []
            var lines = LineReader(Bytes(text))
            while let line = lines.next() {
                guard isNeeded(line), !line.isEnd, let mime = names.find(line.mime) else { continue }
                needed.append(GlobTable.Row(line: line, mime: mime))
            }
            return GlobTable(needed)
        }
    }

    static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
    }

    /// Returns whether the pattern is neither a plain name nor `*.` and a plain end.
    static func isWild(_ pattern: Bytes) -> Bool {
        for index in (pattern.has("*.") ? 2 : 0)..<pattern.count where isSpecial(pattern[index]) { return true }
        return false
    }

    /// Returns whether a byte has a special meaning in a pattern.
    private static func isSyntax(_ byte: UInt8) -> Bool { isSpecial(byte) || byte == UInt8(ascii: "]") }

    /// The last two bytes in small letters; 0 where there are fewer, or where one of them is part of a pattern's syntax.
    private static func ending(of text: Bytes) -> UInt16 {
        guard text.count > 1 else { return 0 }
        let (first, last) = (text[text.count - 2], text[text.count - 1])
        guard !isSyntax(first), !isSyntax(last) else { return 0 }
        return UInt16(ASCII.lower(first)) << 8 | UInt16(ASCII.lower(last))
    }

    /// The whole table, or one of the lines that are needed, by a rule that is made for them.
    private func table(_ needs: () -> ((Line) -> Bool)) -> GlobTable {
        guard let names, !table.isMade, questions.wrappingAdd(1, ordering: .relaxed).oldValue < Self.patience else {
            return table.value
        }
        return Self.table(of: text, names, needs())
    }

    /// The MIME types of a name: those of the highest weight, and of these the longest pattern's, in the files' order.
    func matches(_ name: ArraySlice<UInt8>) -> Matches {
        name.withUnsafeBytes { name in
            let name = Bytes(name)
            return table {
                let ending = Self.ending(of: name)
                var lowered: [UInt8] = []
                name.lower(into: &lowered)
                return { line in
                    // A name of one byte, or with a sign at its end that patterns use, has no ending to go by.
                    let other = Self.ending(of: line.pattern)
                    guard ending == 0 || other == 0 || other == ending else { return false }
                    return lowered.withUnsafeBytes { Self.mayMatch(line, name, lowered: Bytes($0)) }
                }
            }.matches(name)
        }
    }

    /// Returns whether a line may apply to a name. A case-sensitive line also applies if only the case differs: it
    /// replaces the line that repeats its pattern for readers that know no flags.
    private static func mayMatch(_ line: Line, _ name: Bytes, lowered: Bytes) -> Bool {
        var pattern: [UInt8] = []
        line.pattern.lower(into: &pattern)
        return pattern.withUnsafeBytes { mayMatch(Bytes($0), lowered) }
            || line.isCaseSensitive && mayMatch(line.pattern, name)
    }

    /// Returns whether a pattern matches, or the name ends with the pattern's bytes after the first, which is mostly
    /// a `*`.
    private static func mayMatch(_ pattern: Bytes, _ name: Bytes) -> Bool {
        let end = pattern.from(1)
        return name.from(name.count - end.count).isEqual(to: end) || Wildcard.matches(pattern, name)
    }

    /// The best plain `*.x` pattern's extension of a MIME type, or nil.
    func fileExtension(of mime: Int32) -> ArraySlice<UInt8>? {
        guard let name = names?.name(mime) else { return nil }
        return name.withUnsafeBytes { name in
            table { { $0.mime.isEqual(to: Bytes(name)) } }.fileExtension(of: mime)
        }
    }
}
