/// Which of the database's comparisons can hold at all, told from a few bytes of the content.
///
/// Most look at a fixed offset: they are kept by that offset's byte. The others search a stretch: they are kept by the
/// first two bytes of what they search, and one pass over the beginning tells which pairs stand there.
struct MagicIndex: ~Copyable, Sendable {
    /// A comparison and the section that it belongs to.
    struct Entry: Sendable {
        let rule: Int32
        let section: Int32
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

    /// By the byte at offset 0.
    private var atStart: [[Entry]] = [[Entry]](repeating: [], count: 256)
    /// By another offset and the byte there.
    private var elsewhere: [(offset: Int32, byte: UInt8, entry: Entry)] = []
    private var searched: [Searched] = []
    /// The pairs of bytes that begin a searched value, one bit each.
    private var pairs = [UInt64](repeating: 0, count: 1024)
    private var reach = 0
    /// Those that search far: each is looked for by itself, which few of them make cheaper.
    private var far: [Far] = []

    /// How far one pass looks.
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
            atStart[Int(bytes[value])].append(entry)
        } else {
            elsewhere.append((rule.offset, bytes[value], entry))
        }
    }

    mutating func finish() {
        elsewhere.sort { ($0.offset, $0.byte) < ($1.offset, $1.byte) }
        searched.sort { $0.pair < $1.pair }
    }

    /// Hands over each comparison that can hold.
    func candidates(_ content: Bytes, _ body: (Entry) -> Void) {
        guard let first = content.byte(at: 0) else { return }
        for entry in atStart[Int(first)] { body(entry) }
        for item in elsewhere where content.byte(at: Int(item.offset)) == item.byte { body(item.entry) }
        for entry in always { body(entry) }
        search(content, body)
    }

    private func search(_ content: Bytes, _ body: (Entry) -> Void) {
        for item in far where content.scan(for: item.byte, from: 0, before: Int(item.reach)) != nil {
            body(item.entry)
        }
        // Each pair of bytes needs to be looked up once, however often it stands there.
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
        atStart.reduce(0) { $0 + 32 + 8 * $1.capacity } + 16 * (elsewhere.capacity + searched.capacity)
            + 8 * (pairs.capacity + always.capacity)
    }
}
