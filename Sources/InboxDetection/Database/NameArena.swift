/// Short byte strings, each kept once: thousands of names in three flat arrays instead of thousands of objects.
struct NameArena: ~Copyable, Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int32] = []
    /// An open hash table of indices, -1 where free; its size is a power of two.
    private var slots: [Int32] = [Int32](repeating: -1, count: 256)

    var count: Int { ends.count }

    /// How many bytes of memory the arrays hold.
    var footprint: Int { bytes.capacity + 4 * (ends.capacity + slots.capacity) }

    private func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
    }

    /// The name at an index that this arena gave.
    func name(_ index: Int32) -> ArraySlice<UInt8> { bytes[range(Int(index))] }

    /// The name as text.
    func text(_ index: Int32) -> String { String(decoding: name(index), as: UTF8.self) }

    /// FNV-1a: short names, no secret needed since the files are the administrator's.
    private static func hash(_ name: some Sequence<UInt8>) -> Int {
        var hash: UInt32 = 2_166_136_261
        for byte in name { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int(hash)
    }

    /// The index of a name that was added, or nil.
    func find(_ name: some Collection<UInt8>) -> Int32? {
        let mask = slots.count - 1
        var slot = Self.hash(name) & mask
        while slots[slot] >= 0 {
            if bytes[range(Int(slots[slot]))].elementsEqual(name) { return slots[slot] }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// The index of a name, which is added if it is new.
    mutating func add(_ name: some Collection<UInt8>) -> Int32 {
        if let known = find(name) { return known }
        if (ends.count + 1) * 2 > slots.count { grow() }
        let index = Int32(clamping: ends.count)
        bytes.append(contentsOf: name)
        ends.append(Int32(clamping: bytes.count))
        place(index)
        return index
    }

    private mutating func place(_ index: Int32) {
        let mask = slots.count - 1
        var slot = Self.hash(name(index)) & mask
        while slots[slot] >= 0 { slot = (slot + 1) & mask }
        slots[slot] = index
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for index in 0..<Int32(clamping: ends.count) { place(index) }
    }
}
