import InboxLinux

/// The bytes of names, one after the other, each after its length: a name costs its bytes and one more.
///
/// Chunks, since an array that grows copies all that it has.
struct NameArena {
    private static let chunkSize = 1 << 16

    private var chunks: [[UInt8]] = []
    /// How many bytes belong to names that are gone.
    private(set) var wasted = 0

    /// How many bytes there are.
    private(set) var size = 0

    /// Adds a name; returns where it is.
    mutating func add(_ name: FileName) -> UInt32 {
        if chunks.last.map({ $0.count + name.count + 1 > Self.chunkSize }) ?? true {
            var chunk: [UInt8] = []
            chunk.reserveCapacity(chunks.isEmpty ? 1024 : Self.chunkSize)
            chunks.append(chunk)
        }
        let last = chunks.count - 1
        let offset = UInt32(last << 16 | chunks[last].count)
        chunks[last].append(UInt8(name.count))
        chunks[last].append(contentsOf: name.bytes)
        size += name.count + 1
        return offset
    }

    /// The bytes of a name.
    func bytes(at offset: UInt32) -> ArraySlice<UInt8> {
        let (chunk, start) = (Int(offset >> 16), Int(offset & 0xFFFF))
        let length = Int(chunks[chunk][start])
        return chunks[chunk][(start + 1)..<(start + 1 + length)]
    }

    /// Lends the bytes of a name.
    func withBytes<Result>(at offset: UInt32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        chunks[Int(offset >> 16)].withUnsafeBytes { chunk in
            let start = Int(offset & 0xFFFF)
            return body(UnsafeRawBufferPointer(rebasing: chunk[(start + 1)..<(start + 1 + Int(chunk[start]))]))
        }
    }

    /// The name is not needed any more.
    mutating func remove(at offset: UInt32) { wasted += Int(chunks[Int(offset >> 16)][Int(offset & 0xFFFF)]) + 1 }

    /// Whether it would be half as large without the names that are gone.
    var isWasteful: Bool { wasted > 1 << 20 && wasted * 2 > size }
}
