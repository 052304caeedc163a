import InboxConfiguration
import InboxLinux

/// The `Names=` of a document type, ready to be compared with many names: most are refused by their first byte.
struct NameMatcher: Sendable {
    private let globs: GlobList
    /// The bytes that an accepted name can begin with, as a set of 256.
    private var firstBytes = SIMD4<UInt64>(repeating: .max)

    init(_ patterns: [[UInt8]]) {
        globs = GlobList(patterns)
        guard !globs.accepting.isEmpty else { return }
        // What a character that is no ASCII equals is left to the globs.
        firstBytes = [0, 0, .max, .max]
        for glob in globs.accepting {
            guard let byte = glob.firstByte else {
                firstBytes = SIMD4(repeating: .max)
                return
            }
            insert(byte)
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { insert(byte & ~0x20) }
        }
    }

    private mutating func insert(_ byte: UInt8) { firstBytes[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

    /// Any name is accepted.
    var acceptsAny: Bool { globs.isEmpty }

    /// Returns whether a name that begins with this byte may be accepted.
    func mayAccept(firstByte: UInt8) -> Bool { firstBytes[Int(firstByte >> 6)] >> UInt64(firstByte & 63) & 1 == 1 }

    /// Returns whether one of the patterns matches the whole of the name, and none that excludes does.
    func accepts(_ name: FoldedName) -> Bool {
        guard !globs.isEmpty else { return true }
        guard let first = name.bytes.first, mayAccept(firstByte: first) else { return false }
        return globs.accepts(name)
    }
}
