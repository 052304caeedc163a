import UniformTypeIdentifiers

/// The `Magic=` of an own declaration: patterns of which a document of the type must match one.
package struct OwnSignature: Sendable {
    /// Bytes that must be at an offset.
    package struct Part: Sendable, Equatable {
        /// From the file's beginning, in bytes; only what lies in the first 4 KiB is found.
        package let offset: Int
        /// The bytes.
        package let bytes: [UInt8]

        /// These bytes at this offset.
        package init(offset: Int, bytes: [UInt8]) {
            self.offset = offset
            self.bytes = bytes
        }
    }

    /// The type that was declared.
    package let type: UTType
    /// Each is enough; all parts of one must match.
    package let alternatives: [[Part]]

    /// A type's patterns.
    package init(type: UTType, alternatives: [[Part]]) {
        self.type = type
        self.alternatives = alternatives
    }

    /// Returns the number of bytes fixed by the longest alternative that the content matches; nil if none matches.
    func match(_ content: Bytes) -> Int? {
        var best: Int?
        for parts in alternatives where !parts.isEmpty {
            let fixed = parts.reduce(0) { $0 + $1.bytes.count }
            let holds = parts.allSatisfy {
                $0.offset <= content.count && content.has($0.bytes, $0.bytes.indices, at: $0.offset)
            }
            if holds, fixed > best ?? 0 { best = fixed }
        }
        return best
    }
}
