/// The database's file-name patterns, `globs2`: weight, MIME type, pattern and flags a line.
///
/// Shared MIME-info Database specification, "The globs2 file" and "Recommended checking order".
struct MIMEGlobs: ~Copyable, Sendable {
    /// One pattern.
    private struct Glob: Sendable {
        let mime: Int32
        /// The pattern, in small letters unless case counts.
        let pattern: Int32
        let weight: UInt8
        let isCaseSensitive: Bool
        /// Whether the pattern is neither a plain name nor `*.` and a plain end.
        let isWild: Bool
    }

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

    /// A pattern with what its matches begin and end with, where that is one byte.
    private struct Wild: Sendable {
        let pattern: Int32
        let first: UInt8?
        let last: UInt8?
    }

    private var patterns = NameArena(expectedCount: 2048)
    private var globs: [Glob] = []
    /// The first glob of each pattern and the next one of the same pattern: -1 ends the chain.
    private var first: [Int32] = []
    private var next: [Int32] = []
    /// The patterns that are neither a plain name nor `*.` and a plain end.
    private var wild: [Wild] = []

    /// Reads one folder's file. `__NOGLOBS__` there hides what later folders say of that MIME type.
    mutating func read(_ file: [UInt8], hidden: inout [Int32], names: inout MIMERelations) {
        var newlyHidden: [Int32] = []
        var lowered: [UInt8] = []
        // Lines of one MIME type follow each other.
        var last: (name: Bytes, mime: Int32)?
        globs.reserveCapacity(globs.count + file.count / 24)
        file.withUnsafeBytes { file in
            var lines = Lines(Bytes(file))
            while let line = lines.next() {
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
                let pattern: Int32
                if fields.isCaseSensitive || !fields.hasCapitals {
                    pattern = patterns.add(fields.pattern)
                } else {
                    fields.pattern.lower(into: &lowered)
                    pattern = patterns.add(lowered)
                }
                globs.append(
                    Glob(
                        mime: mime, pattern: pattern, weight: fields.weight, isCaseSensitive: fields.isCaseSensitive,
                        isWild: fields.isWild))
            }
        }
        hidden += newlyHidden
    }

    /// The fields of a line: `weight:MIME-type:pattern[:flag,…]`.
    private struct Fields {
        let weight: UInt8
        let mime: Bytes
        let pattern: Bytes
        let hasCapitals: Bool
        /// Whether the pattern is neither a plain name nor `*.` and a plain end.
        let isWild: Bool
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
            let rest = line.from(end + 1)
            var letters: (haveCapitals: Bool, areWild: Bool) = (false, false)
            var flags = rest.has("*.") ? 2 : 0
            rest.withRaw { rest in
                while flags < rest.count, rest[flags] != colon {
                    let byte = rest[flags]
                    flags += 1
                    // Nearly every byte is a small letter.
                    if byte >= UInt8(ascii: "a") { continue }
                    if ASCII.lower(byte) != byte { letters.haveCapitals = true }
                    if isSpecial(byte) { letters.areWild = true }
                }
            }
            self.weight = UInt8(clamping: weight)
            mime = line[(place + 1)..<end]
            pattern = rest[0..<flags]
            (hasCapitals, isWild) = letters
            guard !pattern.isEmpty else { return nil }
            isCaseSensitive = flags < rest.count && Self.hasFlag(rest.from(flags + 1))
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

    /// Chains the globs of each pattern; called once after the last file.
    mutating func finish() {
        removeUnflagged()
        first = [Int32](repeating: -1, count: patterns.count)
        next = [Int32](repeating: -1, count: globs.count)
        for index in globs.indices.reversed() {
            let pattern = Int(globs[index].pattern)
            next[index] = first[pattern]
            first[pattern] = Int32(clamping: index)
        }
        for pattern in 0..<Int32(clamping: patterns.count) {
            let glob = first[Int(pattern)]
            guard glob >= 0, globs[Int(glob)].isWild else { continue }
            let name = patterns.name(pattern)
            wild.append(
                Wild(
                    pattern: pattern, first: name.first.flatMap { Self.isSpecial($0) ? nil : $0 },
                    last: name.last.flatMap { Self.isSpecial($0) || $0 == UInt8(ascii: "]") ? nil : $0 }))
        }
    }

    /// A pattern with a flag is repeated without it for readers that know no flags: those lines are removed.
    private mutating func removeUnflagged() {
        var flagged: [(mime: Int32, pattern: Int32)] = []
        for glob in globs where glob.isCaseSensitive {
            let lower = patterns.add(patterns.name(glob.pattern).map(ASCII.lower))
            flagged.append((glob.mime, lower))
        }
        var isFlagged = [Bool](repeating: false, count: patterns.count)
        for pair in flagged { isFlagged[Int(pair.pattern)] = true }
        globs.removeAll { glob in
            !glob.isCaseSensitive && isFlagged[Int(glob.pattern)]
                && flagged.contains { $0.mime == glob.mime && $0.pattern == glob.pattern }
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
    }

    /// The MIME types of a name: those of the highest weight, and of these the longest pattern's, in the files' order.
    func matches(_ name: ArraySlice<UInt8>) -> Matches {
        let lowered = name.map(ASCII.lower)
        // Where there are no capitals, one pass finds what counts case and what does not.
        guard !lowered.elementsEqual(name) else { return matches(lowered[...], caseSensitive: nil) }
        var best = matches(name, caseSensitive: true)
        let others = matches(lowered[...], caseSensitive: false)
        if others.isBetter(than: best) || best.mimes.isEmpty { return others }
        if !best.isBetter(than: others) { best.mimes += others.mimes.filter { !best.mimes.contains($0) } }
        return best
    }

    private func matches(_ name: ArraySlice<UInt8>, caseSensitive: Bool?) -> Matches {
        var best = Matches()
        // A plain name before every pattern, as the specification has it.
        collect(name, caseSensitive: caseSensitive, &best)
        if !best.mimes.isEmpty {
            best.isLiteral = true
            return best
        }
        var pattern: [UInt8] = []
        // The longest extension that matters is far shorter than this. A dot that is the first byte hides the name, and
        // begins no extension: the `*` of `*.h` is for one byte at least, as in section 4 of the contract.
        for start in name.dropFirst().suffix(40).indices where name[start] == UInt8(ascii: ".") {
            pattern.removeAll(keepingCapacity: true)
            pattern.append(UInt8(ascii: "*"))
            pattern.append(contentsOf: name[start...])
            collect(pattern[...], caseSensitive: caseSensitive, &best)
        }
        let first = name.first
        let last = name.last
        for item in wild where (item.first == nil || item.first == first) && (item.last == nil || item.last == last) {
            let text = patterns.name(item.pattern)
            let rest = text.starts(with: "*.".utf8) ? name.dropFirst() : name
            if Wildcard.matches(text, rest) { collect(text, caseSensitive: caseSensitive, &best) }
        }
        return best
    }

    /// Adds the globs of one pattern if they are as good as the best so far, or replaces it if they are better.
    private func collect(_ pattern: ArraySlice<UInt8>, caseSensitive: Bool?, _ best: inout Matches) {
        guard let known = patterns.find(pattern) else { return }
        var index = first[Int(known)]
        while index >= 0 {
            let glob = globs[Int(index)]
            index = next[Int(index)]
            if let caseSensitive, glob.isCaseSensitive != caseSensitive { continue }
            if best.mimes.isEmpty || glob.weight > best.weight
                || (glob.weight == best.weight && pattern.count > best.length)
            {
                best = Matches(mimes: [glob.mime], weight: glob.weight, length: pattern.count)
                if pattern.starts(with: "*.".utf8), !pattern.dropFirst(2).contains(where: Self.isSpecial) {
                    best.plainExtension = pattern.dropFirst(2)
                }
            } else if glob.weight == best.weight, pattern.count == best.length, !best.mimes.contains(glob.mime) {
                best.mimes.append(glob.mime)
            }
        }
    }

    /// The best plain `*.x` pattern's extension of a MIME type, or nil.
    func fileExtension(of mime: Int32) -> ArraySlice<UInt8>? {
        var best: Glob?
        for glob in globs where glob.mime == mime {
            let pattern = patterns.name(glob.pattern)
            guard pattern.starts(with: "*.".utf8), !pattern.dropFirst(2).contains(where: Self.isSpecial) else {
                continue
            }
            if let best, best.weight >= glob.weight { continue }
            best = glob
        }
        return best.map { patterns.name($0.pattern).dropFirst(2) }
    }

    /// How many bytes of memory the tables hold.
    var footprint: Int {
        patterns.footprint + MemoryLayout<Glob>.stride * globs.capacity
            + 4 * (first.capacity + next.capacity) + 8 * wild.capacity
    }
}
