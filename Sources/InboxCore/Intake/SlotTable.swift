/// The names in a folder, or the files that something is done with, as numbers of slots: a hash table with open addressing
/// that needs 5 to 8 bytes each where there are many.
struct SlotTable {
    /// A slot has 20 bits; the other 12 are a part of its hash, so that hardly another name is ever compared.
    private static let slotMask: UInt32 = 0xF_FFFF

    /// Cells: from so many on the memory counts.
    private static let large = 1 << 16

    /// Numbers of slots, increased by one, each with its part of the hash; 0 where there is none.
    private(set) var cells: [UInt32] = []
    /// The number of names.
    private(set) var count = 0

    /// Every slot in it.
    var slots: some Sequence<UInt32> { cells.lazy.filter { $0 != 0 }.map { ($0 & Self.slotMask) - 1 } }

    /// The first slot with this hash that matches.
    func find(_ hash: UInt32, where matches: (UInt32) -> Bool) -> UInt32? {
        guard !cells.isEmpty else { return nil }
        let tag = hash & 0xFFF
        var position = home(hash)
        while true {
            let cell = cells[position]
            if cell == 0 { return nil }
            let slot = (cell & Self.slotMask) &- 1
            if cell >> 20 == tag, matches(slot) { return slot }
            position = next(position)
        }
    }

    /// The slots with this hash that match, at most so many.
    func all(_ hash: UInt32, most: Int, where matches: (UInt32) -> Bool) -> [UInt32] {
        var found: [UInt32] = []
        guard !cells.isEmpty else { return found }
        var position = home(hash)
        while cells[position] != 0, found.count < most {
            let slot = (cells[position] & Self.slotMask) &- 1
            if cells[position] >> 20 == hash & 0xFFF, matches(slot) { found.append(slot) }
            position = next(position)
        }
        return found
    }

    /// Adds a slot; `rehash` returns the hash of a slot that is there.
    mutating func insert(_ slot: UInt32, _ hash: UInt32, rehash: (UInt32) -> UInt32) {
        // A small one has room for fewer comparisons; each that moves costs a hash.
        let isSmall = cells.count < Self.large
        if (count + 1) * 5 > cells.count * (isSmall ? 3 : 4) {
            let former = cells
            cells = Array(repeating: 0, count: max(8, cells.count + cells.count / (isSmall ? 1 : 2)))
            for cell in former where cell != 0 { place(cell, rehash((cell & Self.slotMask) - 1)) }
        }
        place(Self.cell(slot, hash), hash)
        count += 1
    }

    /// Takes a slot out, and moves those after it that it was in the way of.
    mutating func remove(_ slot: UInt32, _ hash: UInt32, rehash: (UInt32) -> UInt32) {
        guard !cells.isEmpty else { return }
        let wanted = Self.cell(slot, hash)
        var hole = home(hash)
        while cells[hole] != wanted {
            if cells[hole] == 0 { return }
            hole = next(hole)
        }
        count -= 1
        var position = next(hole)
        while cells[position] != 0 {
            let first = home(rehash((cells[position] & Self.slotMask) - 1))
            // Whether the hole lies between where it wants to be and where it is.
            let distance = (position - first + cells.count) % cells.count
            let gap = (position - hole + cells.count) % cells.count
            if distance >= gap {
                cells[hole] = cells[position]
                hole = position
            }
            position = next(position)
        }
        cells[hole] = 0
    }

    private static func cell(_ slot: UInt32, _ hash: UInt32) -> UInt32 { (hash & 0xFFF) << 20 | (slot + 1) }

    private func home(_ hash: UInt32) -> Int { Int((UInt64(hash) * UInt64(cells.count)) >> 32) }

    private func next(_ position: Int) -> Int { position + 1 == cells.count ? 0 : position + 1 }

    private mutating func place(_ cell: UInt32, _ hash: UInt32) {
        var position = home(hash)
        while cells[position] != 0 { position = next(position) }
        cells[position] = cell
    }
}
