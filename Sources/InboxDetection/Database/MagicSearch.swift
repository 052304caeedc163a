/// Finds the comparisons that search a range near the content's beginning, all in one pass over every second pair of
/// bytes.
///
/// Of each value three neighbouring bytes are chosen that text seldom has. They are two pairs, of which one begins at an
/// even offset of the content wherever the value lies.
struct MagicSearch: ~Copyable, Sendable {
    /// A value that is searched for.
    private struct Value: Sendable {
        let entry: MagicIndex.Entry
        /// The offsets at which it may begin.
        let offset, range: Int32
        /// Its first two bytes.
        let start: UInt16
    }

    /// Two of the three bytes of a value.
    private struct Pair: Sendable {
        let pair: UInt16
        /// The third byte, and where it lies from the pair's beginning on.
        let third: UInt8
        let offsetOfThird: Int8
        /// Where in the value the pair begins.
        let place: UInt8
        let value: Int32
    }

    private var values: [Value] = []
    /// By their second byte: those of byte b are `pairs[starts[b]..<starts[b + 1]]`.
    private var pairs: [Pair] = []
    private var starts: [Int32] = []
    /// Which pairs there are, one bit each.
    private var isThere = [UInt64](repeating: 0, count: 1024)
    /// The values of two bytes, which have but one pair.
    private var short: [Int] = []
    /// Where the last pair that counts ends.
    private var reach = 0

    /// How far into a value the three bytes may begin: what lies further on makes the pass longer.
    private static let deepest = 5

    /// Adds a value of two bytes or more.
    mutating func add(_ entry: MagicIndex.Entry, _ rule: MIMEMagic.Rule, _ bytes: ArraySlice<UInt8>) {
        let number = values.count
        values.append(Value(entry: entry, offset: rule.offset, range: rule.range, start: Self.pair(bytes, 0)))
        guard bytes.count > 2 else {
            short.append(number)
            return
        }
        let rarest = Self.rarest(bytes)
        add(bytes, rarest, third: 2, number)
        add(bytes, rarest + 1, third: -1, number)
        reach = max(reach, Int(rule.offset) + Int(rule.range) + rarest + 2)
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>, _ place: Int, third: Int, _ value: Int) {
        let pair = Self.pair(bytes, place)
        pairs.append(
            Pair(
                pair: pair, third: bytes[bytes.startIndex + place + third], offsetOfThird: Int8(third),
                place: UInt8(place), value: Int32(clamping: value)))
        isThere[Int(pair >> 6)] |= 1 << UInt64(pair & 63)
    }

    /// Called once after the last value.
    mutating func finish() {
        let bytes = pairs.map { UInt64($0.pair >> 8) }
        pairs = StableOrder.places(of: bytes, bytes: 1).map { pairs[$0] }
        starts = StableOrder.starts(of: bytes)
    }

    /// As the content has them in memory, where the first byte is the lower one.
    private static func pair(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt16 {
        UInt16(bytes[bytes.startIndex + place]) | UInt16(bytes[bytes.startIndex + place + 1]) << 8
    }

    /// Where the three bytes begin that are rarest in text.
    private static func rarest(_ bytes: ArraySlice<UInt8>) -> Int {
        var best = 0
        var least = Int.max
        for place in 0...min(deepest, bytes.count - 3) {
            let start = bytes.startIndex + place
            let (first, middle, last) = (bytes[start], bytes[start + 1], bytes[start + 2])
            // The one in the middle is in both pairs.
            let commonness = MIMEMagic.commonness(first) + 2 * MIMEMagic.commonness(middle) + MIMEMagic.commonness(last)
            if commonness < least { (best, least) = (place, commonness) }
        }
        return best
    }

    /// Hands over each comparison that holds, by where its first two bytes occur first, as the pass would find them that
    /// looks at every pair; `holds` says whether the value of a comparison begins at an offset.
    func candidates(_ content: Bytes, holds: (Int32, Int) -> Bool, _ body: (MagicIndex.Entry) -> Void) {
        var found: [UInt64] = []
        for number in short {
            let value = values[number]
            var start = Int(value.offset)
            let end = start + Int(value.range)
            while let place = content.scan(for: UInt8(truncatingIfNeeded: value.start), from: start, before: end) {
                if holds(value.entry.rule, place) { add(number, content, &found) }
                start = place + 1
            }
        }
        let near = content[0..<reach]
        var place = 0
        while let next = next(in: near, from: place) {
            lookUp(at: next, content, holds, &found)
            place = next + 2
        }
        for item in found { body(values[Int(item & 0xFFFF_FFFF)].entry) }
    }

    /// The first offset at which a pair is, counted in twos from `start` on.
    private func next(in content: Bytes, from start: Int) -> Int? {
        content.withRaw { raw in
            isThere.withUnsafeBufferPointer { isThere in
                guard let bytes = raw.baseAddress, let isThere = isThere.baseAddress else { return nil }
                var place = start
                while place &+ 2 <= raw.count {
                    let pair = Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
                    if isThere[pair &>> 6] &>> UInt64(pair & 63) & 1 != 0 { return place }
                    place &+= 2
                }
                return nil
            }
        }
    }

    /// Adds the values that lie around the pair at an offset.
    private func lookUp(
        at place: Int, _ content: Bytes, _ holds: (Int32, Int) -> Bool, _ found: inout [UInt64]
    ) {
        let pair = UInt16(content[place]) | UInt16(content[place + 1]) << 8
        for index in starts[Int(pair >> 8)]..<starts[Int(pair >> 8) + 1] {
            let item = pairs[Int(index)]
            guard item.pair == pair, content[place + Int(item.offsetOfThird)] == item.third else { continue }
            let value = values[Int(item.value)]
            let start = place - Int(item.place)
            let isInRange = start >= Int(value.offset) && start < Int(value.offset) + Int(value.range)
            if isInRange, holds(value.entry.rule, start) { add(Int(item.value), content, &found) }
        }
    }

    /// Adds a value to those that were found, unless it is there already: its number, and above it its place in the order.
    private func add(_ number: Int, _ content: Bytes, _ found: inout [UInt64]) {
        let item = UInt64(Self.firstPlace(of: values[number].start, content)) << 32 | UInt64(number)
        guard !found.contains(item) else { return }
        found.append(item)
        var place = found.count - 1
        while place > 0, found[place - 1] > item {
            found.swapAt(place - 1, place)
            place -= 1
        }
    }

    private static func firstPlace(of pair: UInt16, _ content: Bytes) -> Int {
        var start = 0
        while let place = content.index(of: UInt8(truncatingIfNeeded: pair), from: start) {
            if content[place + 1] == UInt8(pair >> 8) { return place }
            start = place + 1
        }
        return start
    }

    /// About how many bytes of memory the tables hold.
    var footprint: Int {
        MemoryLayout<Value>.stride * values.capacity + MemoryLayout<Pair>.stride * pairs.capacity
            + 4 * starts.capacity + 8 * (isThere.capacity + short.capacity)
    }
}
