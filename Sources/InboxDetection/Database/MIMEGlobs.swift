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
        /// Whether the pattern is `*.` and these bytes.
        var plainExtension: ArraySlice<UInt8>?
        /// Whether the pattern is the whole name.
        var isLiteral = false

        func isBetter(than other: Matches) -> Bool {
            if isLiteral != other.isLiteral { return isLiteral }
            return (weight, length) > (other.weight, other.length)
        }
    }

    /// A line whose pattern is left in the text.
    struct Line: Sendable {
        let mime: Int32
        /// Where the pattern begins and ends in the text.
        private let start, end: Int32
        /// What a matching name ends with, in small letters; 0 where the pattern does not say.
        let ending: UInt16
        let weight: UInt8
        let isCaseSensitive: Bool

        fileprivate init(mime: Int32, fields: Fields, _ pattern: Bytes, base: Int) {
            self.mime = mime
            start = Int32(clamping: base + fields.pattern.lowerBound)
            end = Int32(clamping: base + fields.pattern.upperBound)
            ending = MIMEGlobs.ending(of: pattern)
            weight = fields.weight
            isCaseSensitive = fields.isCaseSensitive
        }

        var pattern: Range<Int> { Int(start)..<Int(end) }
    }

    private var text: [UInt8] = []
    private var lines: [Line] = []
    private var table = Once { GlobTable([], in: []) }
    private let questions = Atomic<Int>(0)

    /// So many questions are answered without the whole table.
    private static let patience = 4

    /// Reads one folder's file. `__NOGLOBS__` there hides what later folders say of that MIME type.
    mutating func read(_ file: [UInt8], hidden: inout [Int32], names: inout MIMERelations) {
        var newlyHidden: [Int32] = []
        let base = text.count
        // Nearly always there is one file, whose memory is kept as it is.
        if text.isEmpty { text = file } else { text += file }
        lines.reserveCapacity(lines.count + file.count / 24)
        file.withUnsafeBytes { file in
            let file = Bytes(file)
            var start = 0
            while start < file.count {
                let end = file.index(of: 0x0A, from: start) ?? file.count
                defer { start = end + 1 }
                guard let fields = Fields(file, start..<end) else { continue }
                let mime = names.number(file[fields.mime])
                let pattern = file[fields.pattern]
                if pattern.equals("__NOGLOBS__") {
                    newlyHidden.append(mime)
                } else if hidden.isEmpty || !hidden.contains(mime) {
                    lines.append(Line(mime: mime, fields: fields, pattern, base: base))
                }
            }
        }
        hidden += newlyHidden
    }

    /// Where the fields of a line are: `weight:MIME-type:pattern[:flag,…]`.
    fileprivate struct Fields {
        let weight: UInt8
        let mime: Range<Int>
        let pattern: Range<Int>
        let isCaseSensitive: Bool

        /// The fields of a line of the file; nil for what is none, such as a comment.
        init?(_ file: Bytes, _ line: Range<Int>) {
            let colon = UInt8(ascii: ":")
            var weight = 0
            var place = line.lowerBound
            while ASCII.isDigit(file[place]) {
                weight = min(weight * 10 + Int(file[place] - UInt8(ascii: "0")), 1000)
                place += 1
            }
            guard place > line.lowerBound, file[place] == colon,
                let end = file.index(of: colon, from: place + 1, before: line.upperBound)
            else { return nil }
            let flags = file.index(of: colon, from: end + 1, before: line.upperBound) ?? line.upperBound
            guard end + 1 < flags else { return nil }
            self.weight = UInt8(clamping: weight)
            mime = (place + 1)..<end
            pattern = (end + 1)..<flags
            isCaseSensitive = flags < line.upperBound && Self.hasFlag(file[(flags + 1)..<line.upperBound])
        }

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

    /// Called once after the last file.
    mutating func finish() {
        table = Once { [lines, text] in GlobTable(lines, in: text) }
    }

    static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
    }

    /// Whether the pattern is neither a plain name nor `*.` and a plain end.
    static func isWild(_ pattern: Bytes) -> Bool {
        for index in (pattern.has("*.") ? 2 : 0)..<pattern.count where isSpecial(pattern[index]) { return true }
        return false
    }

    /// Whether a pattern means something else than the byte by it.
    private static func isSyntax(_ byte: UInt8) -> Bool { isSpecial(byte) || byte == UInt8(ascii: "]") }

    /// The last two bytes in small letters; 0 where there are fewer, or where one of them is part of a pattern's syntax.
    fileprivate static func ending(of text: Bytes) -> UInt16 {
        guard text.count > 1 else { return 0 }
        let (first, last) = (text[text.count - 2], text[text.count - 1])
        guard !isSyntax(first), !isSyntax(last) else { return 0 }
        return UInt16(ASCII.lower(first)) << 8 | UInt16(ASCII.lower(last))
    }

    /// The whole table, or one of the lines that are needed.
    private func table(of isNeeded: (Line) -> Bool) -> GlobTable {
        if table.isMade || questions.wrappingAdd(1, ordering: .relaxed).oldValue >= Self.patience { return table.value }
        return GlobTable(lines.filter(isNeeded), in: text)
    }

    /// The MIME types of a name: those of the highest weight, and of these the longest pattern's, in the files' order.
    func matches(_ name: ArraySlice<UInt8>) -> Matches {
        name.withUnsafeBytes { name in
            let ending = Self.ending(of: Bytes(name))
            // A name of one byte, or with a sign at its end that patterns use, has no ending to go by.
            return table { ending == 0 || $0.ending == 0 || $0.ending == ending }.matches(Bytes(name))
        }
    }

    /// The best plain `*.x` pattern's extension of a MIME type, or nil.
    func fileExtension(of mime: Int32) -> ArraySlice<UInt8>? { table { $0.mime == mime }.fileExtension(of: mime) }

    /// How many bytes of memory text and tables hold, as far as they were made.
    var footprint: Int {
        text.capacity + MemoryLayout<Line>.stride * lines.capacity + (table.isMade ? table.value.footprint : 0)
    }
}
