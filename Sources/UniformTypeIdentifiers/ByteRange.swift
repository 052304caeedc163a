/// A piece of a catalogue's byte arena.
///
/// Half the size of a `Range<Int>`: a catalogue holds some thousands of them, and they are read on every lookup.
struct ByteRange: BitwiseCopyable, Equatable, Sendable {
    let start: UInt32
    let count: UInt32

    static let empty = ByteRange(start: 0, count: 0)

    init(start: UInt32, count: UInt32) {
        self.start = start
        self.count = count
    }

    init(_ start: Int, _ end: Int) {
        self.init(start: UInt32(truncatingIfNeeded: start), count: UInt32(truncatingIfNeeded: end - start))
    }

    var isEmpty: Bool { count == 0 }

    /// The bytes themselves in the arena to which the range belongs.
    @inline(__always)
    func bytes(in arena: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: arena[Int(start)..<Int(start) + Int(count)])
    }
}

/// Comparison without case, for the ASCII that nearly every identifier and tag is made of.
enum ASCII {
    /// The byte, in lower case if it is a capital letter.
    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// The bytes of `text` in lower case: what tables are keyed by. Letters beyond ASCII fold by Unicode's rules.
    static func key(of text: String) -> [UInt8] {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.map(lowercased) : Array(text.lowercased().utf8)
    }
}
