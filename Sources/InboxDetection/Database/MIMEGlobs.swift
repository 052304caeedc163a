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

    private var patterns = NameArena()
    private var globs: [Glob] = []
    /// The first glob of each pattern and the next one of the same pattern: -1 ends the chain.
    private var first: [Int32] = []
    private var next: [Int32] = []
    /// The patterns that are neither a plain name nor `*.` and a plain end.
    private var wild: [Wild] = []

    /// Reads one folder's file. `__NOGLOBS__` there hides what later folders say of that MIME type.
    mutating func read(_ file: [UInt8], hidden: inout Set<Int32>, names: inout MIMERelations) {
        var newlyHidden: Set<Int32> = []
        for line in file.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
            guard fields.count >= 3, !fields[2].isEmpty, let weight = Self.number(fields[0]) else { continue }
            let mime = names.number(fields[1])
            if fields[2].elementsEqual("__NOGLOBS__".utf8) {
                newlyHidden.insert(mime)
                continue
            }
            guard !hidden.contains(mime) else { continue }
            let flags = fields.count > 3 ? fields[3].split(separator: UInt8(ascii: ",")) : []
            let isCaseSensitive = flags.contains { $0.elementsEqual("cs".utf8) }
            let pattern = isCaseSensitive ? Array(fields[2]) : fields[2].map(ASCII.lower)
            globs.append(
                Glob(
                    mime: mime, pattern: patterns.add(pattern), weight: weight, isCaseSensitive: isCaseSensitive))
        }
        hidden.formUnion(newlyHidden)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return UInt8(clamping: digits.prefix(4).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }

    /// Chains the globs of each pattern; called once behind the last file.
    mutating func finish() {
        // A flagged pattern is repeated without its flag for readers that know none.
        var flagged: Set<[Int32]> = []
        for glob in globs where glob.isCaseSensitive {
            let lower = patterns.add(patterns.name(glob.pattern).map(ASCII.lower))
            flagged.insert([glob.mime, lower])
        }
        globs.removeAll { !$0.isCaseSensitive && flagged.contains([$0.mime, $0.pattern]) }
        first = [Int32](repeating: -1, count: patterns.count)
        next = [Int32](repeating: -1, count: globs.count)
        for index in globs.indices.reversed() {
            let pattern = Int(globs[index].pattern)
            next[index] = first[pattern]
            first[pattern] = Int32(clamping: index)
        }
        for pattern in 0..<Int32(clamping: patterns.count) where first[Int(pattern)] >= 0 {
            let name = patterns.name(pattern)
            let rest = name.starts(with: "*.".utf8) ? name.dropFirst() : name
            guard rest.contains(where: Self.isSpecial) else { continue }
            wild.append(
                Wild(
                    pattern: pattern, first: name.first.flatMap { Self.isSpecial($0) ? nil : $0 },
                    last: name.last.flatMap { Self.isSpecial($0) || $0 == UInt8(ascii: "]") ? nil : $0 }))
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
        // The longest extension that matters is far shorter than this.
        for start in name.suffix(40).indices where name[start] == UInt8(ascii: ".") {
            pattern.removeAll(keepingCapacity: true)
            pattern.append(UInt8(ascii: "*"))
            pattern.append(contentsOf: name[start...])
            collect(pattern[...], caseSensitive: caseSensitive, &best)
        }
        let first = name.first
        let last = name.last
        for item in wild where (item.first == nil || item.first == first) && (item.last == nil || item.last == last) {
            let text = patterns.name(item.pattern)
            if Wildcard.matches(text, name) { collect(text, caseSensitive: caseSensitive, &best) }
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
