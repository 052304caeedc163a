import InboxLinux

/// The bytes of names, one after the other, each after its length: a name costs its bytes and one more, one of over 254
/// bytes three more.
///
/// Chunks, since an array that grows copies all that it has. The place of a name is its chunk, and where it begins there in
/// units of two bytes: a million of the longest names have a place.
struct NameArena {
    private static let chunkSize = 1 << 17
    /// Stands for a length that the next two bytes have.
    private static let isLong: UInt8 = 255

    private var chunks: [[UInt8]] = []
    /// The number of bytes that belong to names that are gone.
    private(set) var wasted = 0

    /// The number of bytes.
    private(set) var size = 0

    /// Adds a name; returns where it is.
    mutating func add(_ name: FileName) -> UInt32 {
        let taken = Self.taken(by: name.count)
        if chunks.last.map({ $0.count + taken > Self.chunkSize }) ?? true {
            var chunk: [UInt8] = []
            chunk.reserveCapacity(chunks.isEmpty ? 1024 : Self.chunkSize)
            chunks.append(chunk)
        }
        let last = chunks.count - 1
        let offset = UInt32(last << 16 | chunks[last].count / 2)
        if name.count < Int(Self.isLong) {
            chunks[last].append(UInt8(name.count))
        } else {
            chunks[last].append(contentsOf: [Self.isLong, UInt8(name.count >> 8), UInt8(name.count & 0xFF)])
        }
        chunks[last].append(contentsOf: name.bytes)
        if chunks[last].count % 2 == 1 { chunks[last].append(0) }
        size += taken
        return offset
    }

    /// Returns the number of bytes that a name takes, rounded up to the unit of places.
    private static func taken(by length: Int) -> Int { (length + (length < Int(isLong) ? 2 : 4)) & ~1 }

    /// Where the bytes of a name are in its chunk.
    private static func range(_ chunk: UnsafeRawBufferPointer, _ offset: UInt32) -> Range<Int> {
        let start = Int(offset & 0xFFFF) * 2
        guard chunk[start] == isLong else { return (start + 1)..<(start + 1 + Int(chunk[start])) }
        return (start + 3)..<(start + 3 + Int(chunk[start + 1]) << 8 + Int(chunk[start + 2]))
    }

    /// The bytes of a name.
    func bytes(at offset: UInt32) -> ArraySlice<UInt8> {
        let chunk = chunks[Int(offset >> 16)]
        return chunk[chunk.withUnsafeBytes { Self.range($0, offset) }]
    }

    /// Lends the bytes of a name.
    func withBytes<Result>(at offset: UInt32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        chunks[Int(offset >> 16)].withUnsafeBytes { chunk in
            body(UnsafeRawBufferPointer(rebasing: chunk[Self.range(chunk, offset)]))
        }
    }

    /// The name is not needed any more.
    mutating func remove(at offset: UInt32) { wasted += withBytes(at: offset) { Self.taken(by: $0.count) } }

    /// More than half of the arena, and more than 1 MiB, belongs to names that are gone.
    var isWasteful: Bool { wasted > 1 << 20 && wasted * 2 > size }
}
