/// Finds the comparisons that search a range near the content's beginning, all in one pass over every second offset.
///
/// Four bytes at an even offset are looked up at once: the first four of a value, or the four from its second byte on,
/// whichever lie at an even offset. Text seldom has four bytes of a value by chance. Values that are shorter than five
/// bytes are searched for by their first one.
struct MagicSearch: ~Copyable, Sendable {
    /// A value that is searched for.
    private struct Value: Sendable {
        let entry: MagicIndex.Entry
        /// The offsets at which it may begin.
        let offset, range: Int32
        /// Its first two bytes.
        let start: UInt16
    }

    /// Four bytes of a value.
    private struct Piece: Sendable {
        let bytes: UInt32
        /// The value's number, and where in it the piece begins: twice the one, and 0 or 1 for the other.
        let place: Int32
    }

    /// The short values that begin with a byte.
    private struct Short: Sendable {
        let byte: UInt8
        /// Where the last of them may begin, and one more.
        var reach: Int
        var values: [Int]
    }

    private var values: [Value] = []
    /// By the lower eight bits of their hashes: those of h are `pieces[starts[h]..<starts[h + 1]]`.
    private var pieces: [Piece] = []
    private var starts: [Int32] = []
    /// Which hashes there are, one bit each.
    private var hashes = [UInt64](repeating: 0, count: 128)
    private var short: [Short] = []
    /// Where the last piece that counts ends.
    private var reach = 0

    /// Adds a value of two bytes or more.
    mutating func add(_ entry: MagicIndex.Entry, _ rule: MIMEMagic.Rule, _ bytes: ArraySlice<UInt8>) {
        let first = bytes.startIndex
        let number = values.count
        values.append(Value(entry: entry, offset: rule.offset, range: rule.range, start: Self.start(of: bytes)))
        let end = Int(rule.offset) + Int(rule.range)
        guard bytes.count > 4 else {
            addShort(number, bytes[first], end)
            return
        }
        for place in 0...1 {
            var piece: UInt32 = 0
            for index in (0..<4).reversed() { piece = piece << 8 | UInt32(bytes[first + place + index]) }
            pieces.append(Piece(bytes: piece, place: Int32(clamping: 2 * number + place)))
            let hash = Self.hash(piece)
            hashes[hash >> 6] |= 1 << UInt64(hash & 63)
        }
        reach = max(reach, end + 4)
    }

    private mutating func addShort(_ number: Int, _ byte: UInt8, _ end: Int) {
        for index in short.indices where short[index].byte == byte {
            short[index].reach = max(short[index].reach, end)
            short[index].values.append(number)
            return
        }
        short.append(Short(byte: byte, reach: end, values: [number]))
    }

    /// Called once after the last value.
    mutating func finish() {
        let keys = pieces.map { UInt64(Self.hash($0.bytes) & 0xFF) }
        pieces = StableOrder.places(of: keys, bytes: 1).map { pieces[$0] }
        starts = StableOrder.starts(of: keys)
    }

    /// 13 bits.
    @inline(__always)
    private static func hash(_ piece: UInt32) -> Int { Int((piece &* 0x9E37_79B1) &>> 19) }

    /// Hands over each comparison that holds, by where its first two bytes occur first; `holds` says whether the value of
    /// a comparison begins at an offset.
    func candidates(_ content: Bytes, holds: (Int32, Int) -> Bool, _ body: (MagicIndex.Entry) -> Void) {
        var found: [UInt64] = []
        for item in short {
            var start = 0
            while let place = content.scan(for: item.byte, from: start, before: item.reach) {
                for number in item.values { add(number, at: place, content, holds, &found) }
                start = place + 1
            }
        }
        let near = content[0..<reach]
        var place = 0
        while let next = next(in: near, from: place) {
            if let piece = near.little32(at: next).map(UInt32.init(truncatingIfNeeded:)) {
                let key = Self.hash(piece) & 0xFF
                for item in pieces[Int(starts[key])..<Int(starts[key + 1])] where item.bytes == piece {
                    add(Int(item.place >> 1), at: next - Int(item.place & 1), content, holds, &found)
                }
            }
            place = next + 2
        }
        for item in found { body(values[Int(item & 0xFFFF_FFFF)].entry) }
    }

    /// The first offset at which four bytes have a hash that there is, counted in twos from `start` on.
    @inline(never)
    private func next(in content: Bytes, from start: Int) -> Int? {
        content.withRaw { raw in
            hashes.withUnsafeBufferPointer { hashes in
                guard let bytes = raw.baseAddress, let hashes = hashes.baseAddress else { return nil }
                var place = start
                while place &+ 4 <= raw.count {
                    let piece = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                    let hash = Self.hash(UInt32(littleEndian: piece))
                    if hashes[hash &>> 6] &>> UInt64(hash & 63) & 1 != 0 { return place }
                    place &+= 2
                }
                return nil
            }
        }
    }

    /// Adds a value to those that were found if it begins at an offset, unless it is there already: its number, and above
    /// it its place in the order.
    private func add(
        _ number: Int, at start: Int, _ content: Bytes, _ holds: (Int32, Int) -> Bool, _ found: inout [UInt64]
    ) {
        let value = values[number]
        guard start >= Int(value.offset), start < Int(value.offset) + Int(value.range), holds(value.entry.rule, start)
        else { return }
        let item = UInt64(Self.firstPlace(of: value.start, content)) << 32 | UInt64(number)
        guard !found.contains(item) else { return }
        found.append(item)
        var place = found.count - 1
        while place > 0, found[place - 1] > item {
            found.swapAt(place - 1, place)
            place -= 1
        }
    }

    /// The first two bytes of a value.
    static func start(of value: ArraySlice<UInt8>) -> UInt16 {
        UInt16(value[value.startIndex]) | UInt16(value[value.startIndex + 1]) << 8
    }

    /// Where the first two bytes of a value occur first.
    static func firstPlace(of pair: UInt16, _ content: Bytes) -> Int {
        var start = 0
        while let place = content.index(of: UInt8(truncatingIfNeeded: pair), from: start) {
            if content[place + 1] == UInt8(pair >> 8) { return place }
            start = place + 1
        }
        return start
    }
}
