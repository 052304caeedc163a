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

        fileprivate init(mime: Int32, fields: Fields, start: Int) {
            self.mime = mime
            self.start = Int32(clamping: start)
            end = Int32(clamping: start + fields.pattern.count)
            ending = MIMEGlobs.ending(of: fields.pattern)
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
        // Lines of one MIME type follow each other.
        var last: (name: Bytes, mime: Int32)?
        let base = text.count
        // Nearly always there is one file, whose memory is kept as it is.
        if text.isEmpty { text = file } else { text += file }
        lines.reserveCapacity(lines.count + file.count / 24)
        file.withUnsafeBytes { file in
            let file = Bytes(file)
            var rest = Lines(file)
            while let line = rest.next() {
                guard line[0] != UInt8(ascii: "#"), let fields = Fields(line) else { continue }
                let mime: Int32
                if let last, last.name.isEqual(to: fields.mime) {
                    mime = last.mime
                } else {
                    mime = names.number(fields.mime)
                    last = (fields.mime, mime)
                }
                if fields.pattern.equals("__NOGLOBS__") {
                    newlyHidden.append(mime)
                    continue
                }
                guard !hidden.contains(mime) else { continue }
                let start = base + fields.pattern.offset(in: file)
                lines.append(Line(mime: mime, fields: fields, start: start))
            }
        }
        hidden += newlyHidden
    }

    /// The fields of a line: `weight:MIME-type:pattern[:flag,…]`.
    fileprivate struct Fields {
        let weight: UInt8
        let mime: Bytes
        let pattern: Bytes
        let isCaseSensitive: Bool

        init?(_ line: Bytes) {
            let colon = UInt8(ascii: ":")
            var weight = 0
            var place = 0
            while let digit = line.byte(at: place), ASCII.isDigit(digit) {
                weight = min(weight * 10 + Int(digit - UInt8(ascii: "0")), 1000)
                place += 1
            }
            guard place > 0, line.byte(at: place) == colon, let end = line.index(of: colon, from: place + 1) else {
                return nil
            }
            let flags = line.index(of: colon, from: end + 1) ?? line.count
            self.weight = UInt8(clamping: weight)
            mime = line[(place + 1)..<end]
            pattern = line[(end + 1)..<flags]
            guard !pattern.isEmpty else { return nil }
            isCaseSensitive = flags < line.count && Self.hasFlag(line.from(flags + 1))
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
