/// File-name patterns and the MIME types that they stand for, chained and hashed so that a name is matched in a few
/// lookups.
final class GlobTable: Sendable {
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

    /// A pattern with what its matches begin and end with, where that is one byte.
    private struct Wild: Sendable {
        let pattern: Int32
        let first: UInt8?
        let last: UInt8?
    }

    private let patterns: NameArena
    private let globs: [Glob]
    /// The first glob of each pattern and the next one of the same pattern: -1 ends the chain.
    private let first: [Int32]
    private let next: [Int32]
    /// The patterns that are neither a plain name nor `*.` and a plain end.
    private let wild: [Wild]

    /// The table of these lines of `text`.
    init(_ lines: [MIMEGlobs.Line], in text: [UInt8]) {
        var patterns = NameArena(expectedCount: lines.count)
        var globs: [Glob] = []
        var lowered: [UInt8] = []
        globs.reserveCapacity(lines.count)
        text.withUnsafeBytes { text in
            let text = Bytes(text)
            for line in lines {
                let bytes = text[line.pattern]
                let pattern: Int32
                if line.isCaseSensitive || bytes.isLowered {
                    pattern = patterns.add(bytes)
                } else {
                    bytes.lower(into: &lowered)
                    pattern = patterns.add(lowered)
                }
                globs.append(
                    Glob(
                        mime: line.mime, pattern: pattern, weight: line.weight, isCaseSensitive: line.isCaseSensitive,
                        isWild: MIMEGlobs.isWild(bytes)))
            }
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
            let name = patterns.name(pattern)
            wild.append(
                Wild(
                    pattern: pattern, first: name.first.flatMap { Self.isSpecial($0) ? nil : $0 },
                    last: name.last.flatMap { Self.isSpecial($0) || $0 == UInt8(ascii: "]") ? nil : $0 }))
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

    private static func isSpecial(_ byte: UInt8) -> Bool { MIMEGlobs.isSpecial(byte) }

    /// The MIME types of a name: those of the highest weight, and of these the longest pattern's, in the files' order.
    func matches(_ name: ArraySlice<UInt8>) -> MIMEGlobs.Matches {
        let lowered = name.map(ASCII.lower)
        // Where there are no capitals, one pass finds what counts case and what does not.
        guard !lowered.elementsEqual(name) else { return matches(lowered[...], caseSensitive: nil) }
        var best = matches(name, caseSensitive: true)
        let others = matches(lowered[...], caseSensitive: false)
        if others.isBetter(than: best) || best.mimes.isEmpty { return others }
        if !best.isBetter(than: others) { best.mimes += others.mimes.filter { !best.mimes.contains($0) } }
        return best
    }

    private func matches(_ name: ArraySlice<UInt8>, caseSensitive: Bool?) -> MIMEGlobs.Matches {
        var best = MIMEGlobs.Matches()
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
    private func collect(_ pattern: ArraySlice<UInt8>, caseSensitive: Bool?, _ best: inout MIMEGlobs.Matches) {
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
