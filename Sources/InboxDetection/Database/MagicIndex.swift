/// Finds the comparisons of the database that can match at all, from a few bytes of the content.
///
/// Most compare at a fixed offset: they are indexed by the byte there. The others search a range: they are indexed by
/// the first two bytes of what they search for, and one pass over the beginning finds the pairs that occur in it.
struct MagicIndex: ~Copyable, Sendable {
    /// A comparison and the section that it belongs to.
    struct Entry: Sendable {
        let rule: Int32
        let section: Int32
    }

    private struct Elsewhere: Sendable {
        let entry: Entry
        let offset: Int32
        let byte: UInt8

        /// Its place in the order by offset and byte.
        var order: UInt64 { UInt64(UInt32(bitPattern: offset)) << 8 | UInt64(byte) }
    }

    private struct Searched: Sendable {
        let entry: Entry
        let pair: UInt16
        let reach: Int32
    }

    private struct Far: Sendable {
        let entry: Entry
        let byte: UInt8
        let reach: Int32
    }

    /// By the byte at offset 0: those of byte b are `atStart[starts[b]..<starts[b + 1]]`.
    private var atStart: [Entry] = []
    private var starts: [Int32] = []
    /// The same with their bytes, in the order in which they were added.
    private var added: [(byte: UInt8, entry: Entry)] = []
    /// By another offset and the byte there.
    private var elsewhere: [Elsewhere] = []
    private var searched: [Searched] = []
    /// The pairs of bytes that begin a searched value, one bit each.
    private var pairs = [UInt64](repeating: 0, count: 1024)
    private var reach = 0
    /// Comparisons with a long range: there are few, so a search for each costs less than a longer pass.
    private var far: [Far] = []

    /// Bytes that the one pass covers.
    private static let near = 512
    /// Comparisons with a mask, or of one byte over a stretch: always tried.
    private var always: [Entry] = []

    mutating func add(rule place: Int32, _ rule: MIMEMagic.Rule, of section: Int32, bytes: [UInt8]) {
        let entry = Entry(rule: place, section: section)
        let value = Int(rule.value)
        guard rule.length > 0 else { return }
        if rule.hasMask || (rule.range > 1 && rule.length < 2) {
            always.append(entry)
        } else if rule.range > 1 {
            let pair = UInt16(bytes[value]) << 8 | UInt16(bytes[value + 1])
            let end = Int(rule.offset) + Int(rule.range) + 1
            if end > Self.near {
                far.append(
                    Far(
                        entry: entry, byte: bytes[value + Int(rule.anchor)],
                        reach: Int32(clamping: end + Int(rule.length))))
            } else {
                let item = Searched(entry: entry, pair: pair, reach: Int32(clamping: end))
                pairs[Int(pair >> 6)] |= 1 << UInt64(pair & 63)
                searched.append(item)
                reach = max(reach, end)
            }
        } else if rule.offset == 0 {
            added.append((bytes[value], entry))
        } else {
            elsewhere.append(Elsewhere(entry: entry, offset: rule.offset, byte: bytes[value]))
        }
    }

    mutating func finish() {
        sortByStart()
        StableOrder.sort(&elsewhere, bytes: 5) { $0.order }
        StableOrder.sort(&searched, bytes: 2) { UInt64($0.pair) }
    }

    /// Puts those at offset 0 in the order of their bytes, and keeps the order of those that have the same.
    private mutating func sortByStart() {
        starts = [Int32](repeating: 0, count: 257)
        for item in added { starts[Int(item.byte) + 1] += 1 }
        for byte in 0..<256 { starts[byte + 1] += starts[byte] }
        atStart = [Entry](repeating: Entry(rule: 0, section: 0), count: added.count)
        var next = starts
        for item in added {
            atStart[Int(next[Int(item.byte)])] = item.entry
            next[Int(item.byte)] += 1
        }
        added = []
    }

    /// Hands over each comparison that can hold.
    func candidates(_ content: Bytes, _ body: (Entry) -> Void) {
        guard let first = content.byte(at: 0), !starts.isEmpty else { return }
        for place in starts[Int(first)]..<starts[Int(first) + 1] { body(atStart[Int(place)]) }
        for item in elsewhere where content.byte(at: Int(item.offset)) == item.byte { body(item.entry) }
        for entry in always { body(entry) }
        search(content, body)
    }

    private func search(_ content: Bytes, _ body: (Entry) -> Void) {
        for item in far where content.scan(for: item.byte, from: 0, before: Int(item.reach)) != nil {
            body(item.entry)
        }
        // Each pair of bytes needs to be looked up once, however often it occurs.
        var seen: [UInt16] = []
        let end = min(reach, content.count - 1)
        guard end > 0 else { return }
        pairs.withUnsafeBufferPointer { pairs in
            content.withRaw { raw in
                var place = 0
                var pair = UInt16(raw[0])
                while place < end {
                    place += 1
                    pair = pair << 8 | UInt16(raw[place])
                    guard pairs[Int(pair >> 6)] & (1 << UInt64(pair & 63)) != 0, !seen.contains(pair) else { continue }
                    seen.append(pair)
                    lookUp(pair, standing: place, body)
                }
            }
        }
    }

    private func lookUp(_ pair: UInt16, standing place: Int, _ body: (Entry) -> Void) {
        var low = 0
        var high = searched.count
        while low < high {
            let middle = (low + high) / 2
            if searched[middle].pair < pair { low = middle + 1 } else { high = middle }
        }
        while low < searched.count, searched[low].pair == pair {
            if place <= searched[low].reach { body(searched[low].entry) }
            low += 1
        }
    }

    /// About how many bytes of memory the tables hold.
    var footprint: Int {
        4 * starts.capacity + 16 * (elsewhere.capacity + searched.capacity)
            + 8 * (atStart.capacity + pairs.capacity + always.capacity)
    }
}
