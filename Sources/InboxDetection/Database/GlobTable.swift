/// File-name patterns, each with the MIME types of the files that it matches, in a hash table: a name is matched in a few
/// lookups.
final class GlobTable: Sendable {
    /// One pattern.
    private struct Glob: Sendable {
        let mime: Int32
        /// The pattern, in small letters unless case counts.
        let pattern: Int32
        let weight: UInt8
        let isCaseSensitive: Bool
        /// The pattern is neither a plain name nor `*.` and a plain end.
        let isWild: Bool
    }

    /// A pattern that is compared byte by byte, and what nearly always shows that it does not match.
    private struct Wild: Sendable {
        let pattern: Int32
        /// The byte with which its matches begin, if there is just one.
        let first: UInt8?
        /// The bytes that its matches have, and those that they may end with, a bit for each few.
        let needed, ends: UInt64

        init(_ number: Int32, _ text: Bytes) {
            pattern = number
            first = text.byte(at: 0).flatMap { MIMEGlobs.isSpecial($0) ? nil : $0 }
            // In brackets are bytes of which any one will do, and after them all that is left.
            let bracket = text.index(of: UInt8(ascii: "["))
            let plain = text[0..<(bracket ?? text.count)]
            var needed: UInt64 = 0
            for place in 0..<plain.count where !MIMEGlobs.isSpecial(plain[place]) {
                needed |= Self.bit(plain[place])
            }
            self.needed = needed
            ends = Self.ends(text, bracket)
        }

        /// Digits and letters have bits of their own, but for the case of letters.
        static func bit(_ byte: UInt8) -> UInt64 { 1 << UInt64(byte & 0x1F | (byte & 0x40) >> 1) }

        /// Returns the bytes with which a name may end; `bracket` is the position of the pattern's first bracket.
        private static func ends(_ text: Bytes, _ bracket: Int?) -> UInt64 {
            let last = text[text.count - 1]
            guard last == UInt8(ascii: "]") else { return MIMEGlobs.isSpecial(last) ? .max : bit(last) }
            // Anything but one plain list at the end is left to the comparison.
            guard let bracket, text.index(of: UInt8(ascii: "["), from: bracket + 1) == nil,
                text.index(of: last) == text.count - 1, bracket + 2 < text.count,
                text[bracket + 1] != UInt8(ascii: "!"), text[bracket + 1] != UInt8(ascii: "^")
            else { return .max }
            var ends: UInt64 = 0
            var place = bracket + 1
            while place < text.count - 1 {
                let isRange = text[place + 1] == UInt8(ascii: "-") && place + 2 < text.count - 1
                let (low, high) = (text[place], text[isRange ? place + 2 : place])
                if low <= high { for byte in low...high { ends |= bit(byte) } }
                place += isRange ? 3 : 1
            }
            return ends
        }
    }

    private let patterns: NameArena
    private let globs: [Glob]
    /// The first glob of each pattern and the next one of the same pattern: -1 ends the chain.
    private let first: [Int32]
    private let next: [Int32]
    /// The patterns that are neither a plain name nor `*.` and a plain end.
    private let wild: [Wild]

    /// A line and its MIME type's number.
    struct Row {
        let line: MIMEGlobs.Line
        let mime: Int32
    }

    /// The table of these lines.
    init(_ rows: [Row]) {
        var patterns = NameArena(expectedCount: rows.count)
        var globs: [Glob] = []
        var lowered: [UInt8] = []
        globs.reserveCapacity(rows.count)
        for row in rows {
            let line = row.line
            let pattern: Int32
            if line.isCaseSensitive || line.pattern.isLowered {
                pattern = patterns.add(line.pattern)
            } else {
                line.pattern.lower(into: &lowered)
                pattern = patterns.add(lowered)
            }
            globs.append(
                Glob(
                    mime: row.mime, pattern: pattern, weight: line.weight, isCaseSensitive: line.isCaseSensitive,
                    isWild: MIMEGlobs.isWild(line.pattern)))
        }
        Self.removeUnflagged(&globs, &patterns)
        var first = [Int32](repeating: -1, count: patterns.count)
        var next = [Int32](repeating: -1, count: globs.count)
        for index in globs.indices.reversed() {
            let pattern = Int(globs[index].pattern)
            next[index] = first[pattern]
            first[pattern] = Int32(clamping: index)
        }
        var wild: [Wild] = []
        for pattern in 0..<Int32(clamping: patterns.count) {
            let glob = first[Int(pattern)]
            guard glob >= 0, globs[Int(glob)].isWild else { continue }
            wild.append(patterns.withName(pattern) { Wild(pattern, $0) })
        }
        self.patterns = patterns
        self.globs = globs
        self.first = first
        self.next = next
        self.wild = wild
    }

    /// A pattern with a flag is repeated without it for readers that know no flags: those lines are removed.
    private static func removeUnflagged(_ globs: inout [Glob], _ patterns: inout NameArena) {
        var flagged: [(mime: Int32, pattern: Int32)] = []
        for glob in globs where glob.isCaseSensitive {
            let lower = patterns.add(patterns.name(glob.pattern).map(ASCII.lower))
            flagged.append((glob.mime, lower))
        }
        guard !flagged.isEmpty else { return }
        var isFlagged = [Bool](repeating: false, count: patterns.count)
        for pair in flagged { isFlagged[Int(pair.pattern)] = true }
        globs.removeAll { glob in
            !glob.isCaseSensitive && isFlagged[Int(glob.pattern)]
                && flagged.contains { $0.mime == glob.mime && $0.pattern == glob.pattern }
        }
    }

    /// The MIME types of a name: those of the highest weight, and of these the longest pattern's, in the files' order.
    func matches(_ name: Bytes) -> MIMEGlobs.Matches {
        withUnsafeTemporaryAllocation(byteCount: max(1, name.count), alignment: 1) { buffer in
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<name.count])
            for place in 0..<name.count { room[place] = ASCII.lower(name[place]) }
            // Where there are no capitals, one pass finds what counts case and what does not.
            guard !Bytes(UnsafeRawBufferPointer(room)).isEqual(to: name) else {
                return matches(room, caseSensitive: nil)
            }
            let others = matches(room, caseSensitive: false)
            name.withRaw { room.copyMemory(from: $0) }
            var best = matches(room, caseSensitive: true)
            if others.isBetter(than: best) || best.mimes.isEmpty { return others }
            if !best.isBetter(than: others) { best.mimes += others.mimes.filter { !best.mimes.contains($0) } }
            return best
        }
    }

    /// As `matches`, for a name in memory that is written to, and is as it was in the end.
    private func matches(_ room: UnsafeMutableRawBufferPointer, caseSensitive: Bool?) -> MIMEGlobs.Matches {
        var best = MIMEGlobs.Matches()
        let name = Bytes(UnsafeRawBufferPointer(room))
        // A plain name before every pattern, as the specification has it.
        collect(name, caseSensitive: caseSensitive, &best)
        if !best.mimes.isEmpty {
            best.isLiteral = true
            return best
        }
        // The longest extension that matters is far shorter than this. A dot that is the first byte hides the name, and
        // begins no extension: the `*` of `*.h` is for one byte at least, as in section 4 of the contract.
        var place = max(1, name.count - 40)
        while let dot = name.index(of: UInt8(ascii: "."), from: place) {
            let replaced = room[dot - 1]
            room[dot - 1] = UInt8(ascii: "*")
            collect(name.from(dot - 1), caseSensitive: caseSensitive, &best)
            room[dot - 1] = replaced
            place = dot + 1
        }
        var had: UInt64 = 0
        for byte in room { had |= Wild.bit(byte) }
        let end = Wild.bit(name[name.count - 1])
        for item in wild
        where item.ends & end != 0 && item.needed & ~had == 0 && (item.first == nil || item.first == name.byte(at: 0)) {
            patterns.withName(item.pattern) { pattern in
                let rest = pattern.has("*.") ? name.from(1) : name
                if Wildcard.matches(pattern, rest) { collect(pattern, caseSensitive: caseSensitive, &best) }
            }
        }
        return best
    }

    /// Adds the globs of one pattern if they are as good as the best so far, or replaces it if they are better.
    private func collect(_ pattern: Bytes, caseSensitive: Bool?, _ best: inout MIMEGlobs.Matches) {
        guard let known = patterns.find(pattern) else { return }
        var index = first[Int(known)]
        while index >= 0 {
            let glob = globs[Int(index)]
            index = next[Int(index)]
            if let caseSensitive, glob.isCaseSensitive != caseSensitive { continue }
            if best.mimes.isEmpty || glob.weight > best.weight
                || (glob.weight == best.weight && pattern.count > best.length)
            {
                best = MIMEGlobs.Matches(mimes: [glob.mime], weight: glob.weight, length: pattern.count)
                if !glob.isWild, pattern.has("*.") { best.plainExtension = patterns.name(known).dropFirst(2) }
            } else if glob.weight == best.weight, pattern.count == best.length, !best.mimes.contains(glob.mime) {
                best.mimes.append(glob.mime)
            }
        }
    }

    /// The best plain `*.x` pattern's extension of a MIME type, or nil.
    func fileExtension(of mime: Int32) -> ArraySlice<UInt8>? {
        var best: Glob?
        for glob in globs where glob.mime == mime {
            guard !glob.isWild, patterns.withName(glob.pattern, { $0.has("*.") }) else { continue }
            if let best, best.weight >= glob.weight { continue }
            best = glob
        }
        return best.map { patterns.name($0.pattern).dropFirst(2) }
    }
}
