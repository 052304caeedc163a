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

    /// Two bytes of a value, and their place in it.
    private struct Pair: Sendable {
        let pair: UInt16
        let place: UInt16
        let value: Int32
    }

    private var values: [Value] = []
    /// In the order of the bytes.
    private var pairs: [Pair] = []
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
        values.append(
            Value(entry: entry, offset: rule.offset, range: rule.range, start: Self.pair(bytes, 0)))
        guard bytes.count > 2 else {
            short.append(number)
            return
        }
        let rarest = Self.rarest(bytes)
        for place in [rarest, rarest + 1] {
            let pair = Self.pair(bytes, place)
            pairs.append(Pair(pair: pair, place: UInt16(place), value: Int32(clamping: number)))
            isThere[Int(pair >> 6)] |= 1 << UInt64(pair & 63)
        }
        reach = max(reach, Int(rule.offset) + Int(rule.range) + rarest + 2)
    }

    /// Called once after the last value.
    mutating func finish() { StableOrder.sort(&pairs, bytes: 2) { UInt64($0.pair) } }

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
        var found: [(place: Int, value: Int)] = []
        for number in short {
            let value = values[number]
            var start = Int(value.offset)
            let end = start + Int(value.range)
            while let place = content.scan(for: UInt8(truncatingIfNeeded: value.start), from: start, before: end) {
                if holds(value.entry.rule, place) { add(number, content, &found) }
                start = place + 1
            }
        }
        isThere.withUnsafeBufferPointer { isThere in
            content[0..<reach].withRaw { raw in
                var place = 0
                while place + 2 <= raw.count {
                    let pair = UInt16(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt16.self))
                    if isThere[Int(pair >> 6)] & 1 << UInt64(pair & 63) != 0 {
                        lookUp(pair, at: place, holds) { add($0, content, &found) }
                    }
                    place += 2
                }
            }
        }
        for item in found { body(values[item.value].entry) }
    }

    /// Hands over the values that have the pair and lie around it.
    private func lookUp(_ pair: UInt16, at place: Int, _ holds: (Int32, Int) -> Bool, _ body: (Int) -> Void) {
        var low = 0
        var high = pairs.count
        while low < high {
            let middle = (low + high) / 2
            if pairs[middle].pair < pair { low = middle + 1 } else { high = middle }
        }
        while low < pairs.count, pairs[low].pair == pair {
            let number = Int(pairs[low].value)
            let value = values[number]
            let start = place - Int(pairs[low].place)
            let isInRange = start >= Int(value.offset) && start < Int(value.offset) + Int(value.range)
            if isInRange, holds(value.entry.rule, start) { body(number) }
            low += 1
        }
    }

    /// Adds a value to those that were found, unless it is there already.
    private func add(_ number: Int, _ content: Bytes, _ found: inout [(place: Int, value: Int)]) {
        guard !found.contains(where: { $0.value == number }) else { return }
        let first = Self.firstPlace(of: values[number].start, content)
        var place = found.count
        while place > 0, (first, number) < found[place - 1] { place -= 1 }
        found.insert((first, number), at: place)
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
            + 8 * (isThere.capacity + short.capacity)
    }
}
