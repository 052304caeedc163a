import CUniformTypeData

/// An open-addressing hash table from names to the types that claim them, keyed by bytes in the catalogue's arena.
///
/// Dictionaries of strings would take several milliseconds to fill at start and allocate on every lookup by bytes; the
/// built-in names' table is made by the compiler, and a lookup allocates nothing.
struct NameTable: Sendable {
    /// A name in lower case and the chain of its claims.
    private typealias Name = inbox_type_name

    /// One type that has the name; `next` is the claim after it in precedence, or -1.
    typealias Claim = inbox_type_claim

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

    /// The table that the compiler made of names.
    init(_ made: inbox_type_names) {
        slots = LentArray(lent: made.slots, count: made.slot_count)
        names = LentArray(lent: made.names, count: made.name_count)
        claims = LentArray(lent: made.claims, count: made.claim_count)
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
            var existing = names[name].first_claim
            while existing >= 0 {
                if claims[Int(existing)].type == type { return false }
                existing = claims[Int(existing)].next
            }
            claims[Int(names[name].last_claim)].next = claim
            names[name].last_claim = claim
        } else {
            slots[slot] = Int32(truncatingIfNeeded: names.count)
            names.append(Name(key: key, hash: hash, first_claim: claim, last_claim: claim))
            if names.count * 2 > slots.count { grow() }
        }
        claims.append(Claim(type: type, next: -1))
        return true
    }

    /// The first claim of a name given in any case, or nil. Only ASCII letters are folded.
    @inline(__always)
    func first(_ bytes: UnsafeBufferPointer<UInt8>, in arena: UnsafeBufferPointer<UInt8>) -> Claim? {
        let slot = slots[find(bytes, hash: NameTable.hash(bytes), in: arena)]
        return slot < 0 ? nil : claims[Int(names[Int(slot)].first_claim)]
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
            guard key.loadUnaligned(fromByteOffset: place, as: UInt64.self) == inbox_lower_case(word) else {
                return false
            }
            place += 8
        }
        if place > 0 {
            // The last eight bytes: some of them are compared twice.
            let word = bytes.loadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self)
            return key.loadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self) == inbox_lower_case(word)
        }
        while place < key.count {
            if key[place] != ASCII.lowercased(bytes[place]) { return false }
            place += 1
        }
        return true
    }

    /// Hashes the bytes in lower case, as the compiler did that made the built-in tables.
    @inline(__always)
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        inbox_type_name_hash(bytes.baseAddress, bytes.count)
    }
}
