/// Finds the comparisons of the database that can hold at all, from a few bytes of the content.
///
/// Most compare at a fixed offset: they are indexed by the byte there. Those that search a range near the beginning are
/// left to `MagicSearch`.
struct MagicIndex: ~Copyable, Sendable {
    /// A comparison and the section that it belongs to.
    struct Entry: Sendable {
        let rule: Int32
        let section: Int32
    }

    /// A comparison and what must be there for it to hold.
    private struct Item: Sendable {
        let entry: Entry
        /// Where a byte is wanted, or what it must lie before.
        let offset: Int32
        /// The bits of the byte that count, and what they must be.
        let mask, byte: UInt8
        /// The byte after it, where it is known.
        let second: UInt8?

        init(_ entry: Entry, at offset: Int32, _ byte: UInt8, mask: UInt8 = 0xFF, second: UInt8? = nil) {
            self.entry = entry
            self.offset = offset
            self.mask = mask
            self.byte = byte & mask
            self.second = second
        }

        /// Its place in the order by offset and byte.
        var order: UInt64 { UInt64(UInt32(bitPattern: offset)) << 8 | UInt64(byte) }
    }

    /// The comparisons at one offset.
    private struct Offset: Sendable {
        let offset: Int32
        /// Which bytes they want, by the lower six bits of each.
        var bytes: UInt64 = 0
        var places: Range<Int>
    }

    /// By the byte at offset 0: those of byte b are `atStart[starts[b]..<starts[b + 1]]`.
    private var atStart: [Item] = []
    private var starts: [Int32] = []
    /// By another offset and the byte there.
    private var elsewhere: [Item] = []
    /// The offsets of `elsewhere`, the smallest first.
    private var offsets: [Offset] = []
    /// With a mask, or of one byte over a stretch: tried where the byte at the offset permits.
    private var masked: [Item] = []
    /// Comparisons with a long range: there are few, so a search for each costs less than a longer pass.
    private var far: [Item] = []
    /// Comparisons with a range that the one pass covers.
    private var near = MagicSearch()

    /// Bytes that the one pass covers.
    private static let reachOfNear = 512

    /// The list in which a comparison is kept. What is in an earlier one is handed over before all that is in a later one.
    private enum List: UInt64 {
        case atStart, elsewhere, masked, far, near

        init(_ rule: MIMEMagic.Rule) {
            if rule.hasMask || (rule.range > 1 && rule.length < 2) {
                self = .masked
            } else if rule.range > 1 {
                self = Int(rule.offset) + Int(rule.range) + 1 > MagicIndex.reachOfNear ? .far : .near
            } else {
                self = rule.offset == 0 ? .atStart : .elsewhere
            }
        }
    }

    mutating func add(rule place: Int32, _ rule: MIMEMagic.Rule, of section: Int32, bytes: [UInt8]) {
        let entry = Entry(rule: place, section: section)
        let value = Int(rule.value)
        guard rule.length > 0 else { return }
        switch List(rule) {
        case .atStart:
            atStart.append(Item(entry, at: 0, bytes[value], second: rule.length > 1 ? bytes[value + 1] : nil))
        case .elsewhere: elsewhere.append(Item(entry, at: rule.offset, bytes[value]))
        case .masked:
            let mask = rule.hasMask && rule.range == 1 ? bytes[Int(rule.mask)] : 0
            masked.append(Item(entry, at: rule.offset, bytes[value], mask: mask))
        case .far:
            let reach = Int32(clamping: Int(rule.offset) + Int(rule.range) + 1 + Int(rule.length))
            far.append(Item(entry, at: reach, bytes[value + Int(rule.anchor)]))
        case .near: near.add(entry, rule, bytes[value..<(value + Int(rule.length))])
        }
    }

    /// Where `candidates` hands over a comparison that holds: after those with a smaller number, and among those with the
    /// same one in the order of their numbers.
    static func order(of rule: MIMEMagic.Rule, _ bytes: [UInt8], _ content: Bytes) -> UInt64 {
        let list = List(rule)
        let within =
            switch list {
            case .atStart, .masked, .far: 0
            case .elsewhere: Int(rule.offset)
            case .near: MagicSearch.firstPlace(of: MagicSearch.start(of: bytes[Int(rule.value)...]), content)
            }
        return list.rawValue << 32 | UInt64(within)
    }

    /// Called once after the last comparison. Those that want the same bytes keep their order.
    mutating func finish() {
        let firsts = atStart.map(\.order)
        atStart = StableOrder.places(of: firsts, bytes: 1).map { atStart[$0] }
        starts = StableOrder.starts(of: firsts)
        elsewhere = StableOrder.places(of: elsewhere.map(\.order), bytes: 5).map { elsewhere[$0] }
        for (place, item) in elsewhere.enumerated() {
            if offsets.last?.offset != item.offset {
                offsets.append(Offset(offset: item.offset, places: place..<place))
            }
            offsets[offsets.count - 1].bytes |= 1 << UInt64(item.byte & 63)
            offsets[offsets.count - 1].places = offsets[offsets.count - 1].places.lowerBound..<(place + 1)
        }
        near.finish()
    }

    /// Hands over each comparison that can hold; `holds` says whether the value of one begins at an offset.
    func candidates(_ content: Bytes, holds: (Int32, Int) -> Bool, _ body: (Entry) -> Void) {
        guard let first = content.byte(at: 0), !starts.isEmpty else { return }
        let second = content.byte(at: 1)
        for place in starts[Int(first)]..<starts[Int(first) + 1] {
            let item = atStart[Int(place)]
            if item.second == nil || item.second == second { body(item.entry) }
        }
        for item in offsets {
            guard let byte = content.byte(at: Int(item.offset)) else { break }
            guard item.bytes & 1 << UInt64(byte & 63) != 0 else { continue }
            for place in item.places where elsewhere[place].byte == byte { body(elsewhere[place].entry) }
        }
        for item in masked {
            if let byte = content.byte(at: Int(item.offset)), byte & item.mask == item.byte { body(item.entry) }
        }
        for item in far where content.scan(for: item.byte, from: 0, before: Int(item.offset)) != nil {
            body(item.entry)
        }
        near.candidates(content, holds: holds, body)
    }
}
