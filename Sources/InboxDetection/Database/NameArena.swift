/// Distinct byte strings in one block, each with a number and found through a hash table.
///
/// The database has thousands of names: as `String`s in a `Dictionary` they would be thousands of objects. Filling the
/// arena is most of what reading the database costs, and `inboxctl type` reads it for a single file.
struct NameArena: ~Copyable, Sendable {
    private struct Entry: Sendable {
        /// The end of the name in `bytes`; it begins where the one before it ends.
        let end: Int32
        /// So that growing the table reads no name again.
        let hash: UInt32
    }

    /// The names, one after the other.
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// An open hash table of indices, -1 where free; its size is a power of two.
    private var slots: [Int32]

    /// An empty arena that takes `expectedCount` names before its table grows.
    init(expectedCount: Int = 128) {
        var size = 256
        while size < expectedCount * 2 { size *= 2 }
        slots = [Int32](repeating: -1, count: size)
        entries.reserveCapacity(expectedCount)
        bytes.reserveCapacity(expectedCount * 24)
    }

    var count: Int { entries.count }

    private func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(entries[index - 1].end))..<Int(entries[index].end)
    }

    /// The name at an index that this arena gave.
    func name(_ index: Int32) -> ArraySlice<UInt8> { bytes[range(Int(index))] }

    /// Lends the name at an index that this arena gave.
    func withName<Result>(_ index: Int32, _ body: (Bytes) -> Result) -> Result {
        bytes.withUnsafeBytes { body(Bytes($0)[range(Int(index))]) }
    }

    /// The name as text.
    func text(_ index: Int32) -> String { String(decoding: name(index), as: UTF8.self) }

    /// The index of a name that was added, or nil.
    func find(_ name: some Collection<UInt8>) -> Int32? { Self.withBytes(of: name) { find($0) } }

    /// As `find`, for a window.
    func find(_ name: Bytes) -> Int32? {
        let index = place(of: name, name.hash).index
        return index < 0 ? nil : index
    }

    /// The index of a name, which is added if it is new.
    mutating func add(_ name: some Collection<UInt8>) -> Int32 { Self.withBytes(of: name) { add($0) } }

    /// As `add`, for a window.
    mutating func add(_ name: Bytes) -> Int32 {
        if (entries.count + 1) * 2 > slots.count { grow() }
        let hash = name.hash
        let (slot, known) = place(of: name, hash)
        if known >= 0 { return known }
        let index = Int32(clamping: entries.count)
        name.withRaw { name in name.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) } }
        entries.append(Entry(end: Int32(clamping: bytes.count), hash: hash))
        slots[slot] = index
        return index
    }

    /// Lends the bytes of a name, where they lie if they lie together.
    @inline(__always)
    static func withBytes<Result>(of name: some Collection<UInt8>, _ body: (Bytes) -> Result) -> Result {
        func lend(_ name: UnsafeBufferPointer<UInt8>) -> Result { body(Bytes(UnsafeRawBufferPointer(name))) }
        return name.withContiguousStorageIfAvailable(lend) ?? Array(name).withUnsafeBufferPointer(lend)
    }

    /// The slot that holds the name and the name's index, or the free slot where it belongs and -1.
    @inline(__always)
    private func place(of name: Bytes, _ hash: UInt32) -> (slot: Int, index: Int32) {
        slots.withUnsafeBufferPointer { slots in
            entries.withUnsafeBufferPointer { entries in
                bytes.withUnsafeBytes { bytes in
                    let mask = slots.count - 1
                    var slot = Int(hash) & mask
                    while slots[slot] >= 0 {
                        let index = Int(slots[slot])
                        if entries[index].hash == hash {
                            let start = index == 0 ? 0 : Int(entries[index - 1].end)
                            let known = UnsafeRawBufferPointer(rebasing: bytes[start..<Int(entries[index].end)])
                            if Bytes(known).isEqual(to: name) { return (slot, Int32(truncatingIfNeeded: index)) }
                        }
                        slot = (slot + 1) & mask
                    }
                    return (slot, -1)
                }
            }
        }
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        let mask = slots.count - 1
        for index in entries.indices {
            var slot = Int(entries[index].hash) & mask
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(clamping: index)
        }
    }
}
