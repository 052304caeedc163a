/// Finds the marks of languages that a line can have at all: of more than a thousand, few are left to be compared.
///
/// A mark with a beginning is found by the first two bytes of it. One without is found by two neighbouring bytes of it
/// that text seldom has: each pair of a line is looked up once.
struct MarkIndex: ~Copyable, Sendable {
    /// A mark that begins with a byte; `second` is the byte after it, where the beginning has one.
    private struct Starting: Sendable {
        let mark: UInt16
        let second: UInt8?
    }

    /// A mark that has a pair of bytes, and the next one whose pair has the same place in the table.
    private struct Paired: Sendable {
        let pair: UInt16
        let mark: UInt16
        let next: UInt16
    }

    private static let none = UInt16.max

    /// The marks that begin with a byte b are `starting[starts[b]..<starts[b + 1]]`.
    private var starting: [Starting] = []
    private var starts: [Int] = []
    /// The same with their bytes, in the order in which they were added.
    private var added: [(first: UInt8, entry: Starting)] = []
    private var paired: [Paired] = []
    /// The first entry of `paired` by the hash of a pair.
    private var heads = [UInt16](repeating: none, count: 4096)
    /// The marks that have neither a beginning nor a pair.
    private var always: [UInt16] = []

    /// Adds a mark, after all that precede it in the table.
    ///
    /// - Parameters:
    ///   - start: What the line begins with; it may be empty.
    ///   - inside: What it has after that.
    ///   - end: What it ends with.
    mutating func add(_ mark: UInt16, start: Bytes, inside: Bytes, end: Bytes) {
        if let first = start.byte(at: 0) {
            added.append((first, Starting(mark: mark, second: start.byte(at: 1))))
        } else if let pair = Self.rarestPair(inside, end) {
            let place = Self.place(pair)
            paired.append(Paired(pair: pair, mark: mark, next: heads[place]))
            heads[place] = UInt16(clamping: paired.count - 1)
        } else {
            always.append(mark)
        }
    }

    /// Called once after the last mark.
    mutating func finish() {
        starts = [Int](repeating: 0, count: 257)
        for item in added { starts[Int(item.first) + 1] += 1 }
        for byte in 0..<256 { starts[byte + 1] += starts[byte] }
        starting = [Starting](repeating: Starting(mark: 0, second: nil), count: added.count)
        var next = starts
        for item in added {
            starting[next[Int(item.first)]] = item.entry
            next[Int(item.first)] += 1
        }
        added = []
    }

    /// Puts into `candidates` all marks that a line can have, in the order in which they were added.
    func collect(_ line: Bytes, into candidates: inout [UInt16]) {
        candidates.removeAll(keepingCapacity: true)
        guard !line.isEmpty else { return }
        let (first, second) = (Int(line[0]), line[1])
        for place in starts[first]..<starts[first + 1] {
            let entry = starting[place]
            if entry.second == nil || entry.second == second { candidates.append(entry.mark) }
        }
        for mark in always { Self.insert(mark, into: &candidates) }
        line.withRaw { raw in
            var pair = UInt16(raw[0])
            for place in 1..<max(1, raw.count) {
                pair = pair << 8 | UInt16(raw[place])
                var entry = heads[Self.place(pair)]
                while entry != Self.none {
                    let known = paired[Int(entry)]
                    if known.pair == pair { Self.insert(known.mark, into: &candidates) }
                    entry = known.next
                }
            }
        }
    }

    /// Keeps the order; what is there already is not added again.
    private static func insert(_ mark: UInt16, into candidates: inout [UInt16]) {
        var place = candidates.count
        while place > 0, candidates[place - 1] >= mark {
            if candidates[place - 1] == mark { return }
            place -= 1
        }
        // An array's own inserting would take longer than everything else here.
        candidates.append(mark)
        for moved in stride(from: candidates.count - 1, to: place, by: -1) { candidates.swapAt(moved, moved - 1) }
    }

    @inline(__always)
    private static func place(_ pair: UInt16) -> Int { Int(pair &* 40503) >> 4 }

    private static func rarestPair(_ inside: Bytes, _ end: Bytes) -> UInt16? {
        var best: UInt16?
        var least = Int.max
        for part in [inside, end] where part.count > 1 {
            for place in 1..<part.count {
                let commonness = commonness(part[place - 1]) + commonness(part[place])
                guard commonness < least else { continue }
                (best, least) = (UInt16(part[place - 1]) << 8 | UInt16(part[place]), commonness)
            }
        }
        return best
    }

    /// How common a byte is in text, roughly: letters and blanks are, signs are not.
    private static func commonness(_ byte: UInt8) -> Int {
        switch byte {
        case 0x20: 4
        case 0x61...0x7A: 3
        case 0x30...0x39, 0x41...0x5A, 0x28, 0x29, 0x3B: 2
        default: 1
        }
    }
}
