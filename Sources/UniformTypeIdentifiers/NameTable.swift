/// An open-addressing hash table from names to the types that claim them, keyed by bytes in the catalogue's arena.
///
/// Dictionaries of strings would take several milliseconds to fill at start and allocate on every lookup by bytes.
struct NameTable: Sendable {
    /// A name in lower case and the chain of its claims.
    private struct Name: BitwiseCopyable, Sendable {
        let key: ByteRange
        let hash: UInt32
        let firstClaim: Int32
        var lastClaim: Int32
    }

    /// One type that has the name; `next` is the claim after it in precedence, or -1.
    struct Claim: BitwiseCopyable, Sendable {
        let type: Int32
        fileprivate(set) var next: Int32
    }

    private var slots: LentArray<Int32>
    private var names: LentArray<Name>
    private var claims: LentArray<Claim>

    init(minimumCapacity: Int) {
        var size = 64
        while size < minimumCapacity * 2 { size *= 2 }
        slots = LentArray(repeating: -1, count: size)
        names = LentArray(minimumCapacity: minimumCapacity)
        claims = LentArray(minimumCapacity: minimumCapacity)
    }

    /// The next table of an image.
    init(reading image: inout TableImage.Reader) {
        slots = LentArray(reading: &image)
        names = LentArray(reading: &image)
        claims = LentArray(reading: &image)
    }

    /// Adds the table to an image.
    func write(to image: inout TableImage) {
        slots.withUnsafeBufferPointer { image.append($0) }
        names.withUnsafeBufferPointer { image.append($0) }
        claims.withUnsafeBufferPointer { image.append($0) }
    }

    /// Adds a claim of `type` after those that the name has; false if the type has it already.
    ///
    /// - Parameter key: The name in lower case, in `arena`.
    mutating func add(_ key: ByteRange, type: Int32, in arena: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = key.bytes(in: arena)
        let hash = NameTable.hash(bytes)
        let slot = find(bytes, hash: hash, in: arena)
        let claim = Int32(truncatingIfNeeded: claims.count)
        if slots[slot] >= 0 {
            let name = Int(slots[slot])
            var existing = names[name].firstClaim
            while existing >= 0 {
                if claims[Int(existing)].type == type { return false }
                existing = claims[Int(existing)].next
            }
            claims[Int(names[name].lastClaim)].next = claim
            names[name].lastClaim = claim
        } else {
            slots[slot] = Int32(truncatingIfNeeded: names.count)
            names.append(Name(key: key, hash: hash, firstClaim: claim, lastClaim: claim))
            if names.count * 2 > slots.count { grow() }
        }
        claims.append(Claim(type: type, next: -1))
        return true
    }

    /// The first claim of a name given in any case, or nil. Only ASCII letters are folded.
    @inline(__always)
    func first(_ bytes: UnsafeBufferPointer<UInt8>, in arena: UnsafeBufferPointer<UInt8>) -> Claim? {
        let slot = slots[find(bytes, hash: NameTable.hash(bytes), in: arena)]
        return slot < 0 ? nil : claims[Int(names[Int(slot)].firstClaim)]
    }

    /// The claim after another.
    @inline(__always)
    func next(after claim: Claim) -> Claim? {
        claim.next < 0 ? nil : claims[Int(claim.next)]
    }

    /// The slot that holds the name, or the free one where it belongs.
    @inline(__always)
    private func find(
        _ bytes: UnsafeBufferPointer<UInt8>, hash: UInt32, in arena: UnsafeBufferPointer<UInt8>
    ) -> Int {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] >= 0 {
            let name = names[Int(slots[slot])]
            if name.hash == hash, NameTable.isEqual(name.key.bytes(in: arena), bytes) { break }
            slot = (slot + 1) & mask
        }
        return slot
    }

    private mutating func grow() {
        slots = LentArray(repeating: -1, count: slots.count * 2)
        let mask = slots.count - 1
        for (index, name) in names.enumerated() {
            var slot = Int(name.hash) & mask
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(truncatingIfNeeded: index)
        }
    }

    @inline(__always)
    private static func isEqual(_ key: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard key.count == bytes.count else { return false }
        let (key, bytes) = (UnsafeRawBufferPointer(key), UnsafeRawBufferPointer(bytes))
        var place = 0
        while place + 8 <= key.count {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard key.loadUnaligned(fromByteOffset: place, as: UInt64.self) == lowercased(word) else {
                return false
            }
            place += 8
        }
        if place > 0 {
            // The last eight bytes: some of them are compared twice.
            let word = bytes.loadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self)
            return key.loadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self) == lowercased(word)
        }
        while place < key.count {
            if key[place] != ASCII.lowercased(bytes[place]) { return false }
            place += 1
        }
        return true
    }

    /// Hashes the bytes as if they were in lower case, eight at a time.
    @inline(__always)
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = UInt64(raw.count)
        var (place, rest) = (0, UInt64(0))
        while place + 8 <= raw.count {
            hash = mix(hash ^ lowercased(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            place += 8
        }
        if place < raw.count, place > 0 {
            // The last eight bytes: some of them count twice.
            rest = lowercased(raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self))
        } else {
            while place < raw.count {
                rest = rest << 8 | UInt64(ASCII.lowercased(raw[place]))
                place += 1
            }
        }
        return UInt32(truncatingIfNeeded: mix(hash ^ rest))
    }

    /// Spreads every bit over the word: a multiplication, and its upper half, which all bits reach, on the lower.
    @inline(__always)
    private static func mix(_ word: UInt64) -> UInt64 {
        let product = word &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }

    /// Eight bytes, the capital letters of ASCII among them in lower case.
    @inline(__always)
    private static func lowercased(_ word: UInt64) -> UInt64 {
        let tops: UInt64 = 0x8080_8080_8080_8080
        let lower = word & ~tops
        // A byte's top bit is set by the first sum from `A` on, and by the second beyond `Z`.
        let isCapital =
            (lower &+ 0x3F3F_3F3F_3F3F_3F3F) & ~(lower &+ 0x2525_2525_2525_2525) & ~word & tops
        return word | isCapital >> 2
    }
}
