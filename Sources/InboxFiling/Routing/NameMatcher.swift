import InboxConfiguration
import InboxLinux

/// The `Names=` of a document type, ready to be compared with many names: most are refused by their first byte.
struct NameMatcher: Sendable {
    /// None where any name is accepted.
    private let globs: [Glob]
    /// The bytes that an accepted name can begin with, as a set of 256.
    private var firstBytes = SIMD4<UInt64>(repeating: 0)

    init(_ patterns: [[UInt8]]) {
        globs = patterns.map { Glob($0) }
        for glob in globs {
            if let byte = glob.firstByte {
                firstBytes[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
            } else {
                firstBytes = SIMD4(repeating: .max)
            }
        }
    }

    /// Whether any name is accepted.
    var acceptsAny: Bool { globs.isEmpty }

    /// Whether a name that begins with this byte may be accepted.
    func mayAccept(firstByte: UInt8) -> Bool {
        globs.isEmpty || firstBytes[Int(firstByte >> 6)] >> UInt64(firstByte & 63) & 1 == 1
    }

    /// Whether one of the patterns matches the whole of the name.
    func accepts(_ name: ArraySlice<UInt8>) -> Bool {
        guard !globs.isEmpty else { return true }
        guard let first = name.first, mayAccept(firstByte: first) else { return false }
        return globs.contains { $0.matches(name) }
    }
}
