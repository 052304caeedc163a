/// A path or a part of one as Linux sees it: bytes, in whatever encoding, never decoded on the way.
///
/// No path holds a NUL, which would cut it off and name another file. Nothing here touches the disk; a symbolic link is
/// not seen.
package struct BytePath: Hashable, Sendable {
    /// The bytes as they were given.
    package let bytes: [UInt8]

    /// Wraps bytes as they are; nil where they hold a NUL.
    package init?(bytes: [UInt8]) {
        guard !bytes.contains(0) else { return nil }
        self.bytes = bytes
    }

    /// The path whose ``escapedText`` this is; nil where it is the text of none.
    package init?(escapedText text: String) {
        guard let bytes = EscapedBytes.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// Wraps the UTF-8 bytes of a string of this program, up to a NUL.
    package init(_ text: String) {
        bytes = Array(text.utf8.prefix { $0 != 0 })
    }

    /// Wraps bytes that the kernel, or another path, is known to have given.
    init(proven bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The path begins at the root.
    package var isAbsolute: Bool { bytes.first == Self.slash }

    /// The path with one more part appended and exactly one slash between; an absolute part replaces the whole.
    package func appending(_ part: BytePath) -> BytePath {
        if part.isAbsolute || bytes.isEmpty { return part }
        if part.bytes.isEmpty { return self }
        let separator = bytes.last == Self.slash ? [] : [Self.slash]
        return BytePath(proven: bytes + separator + part.bytes)
    }

    /// The path of a name in the folder of this path.
    package func appending(_ name: FileName) -> BytePath {
        var whole: [UInt8] = []
        whole.reserveCapacity(bytes.count + 1 + name.count)
        whole += bytes
        if !bytes.isEmpty, bytes.last != Self.slash { whole.append(Self.slash) }
        name.withBytes { whole.append(contentsOf: $0) }
        return BytePath(proven: whole)
    }

    /// The same for a part that is text.
    package func appending(_ part: String) -> BytePath {
        appending(BytePath(part))
    }

    /// The part after the last slash, trailing slashes aside; empty for the root and for an empty path.
    package var lastComponent: [UInt8] {
        components.last.map(Array.init) ?? []
    }

    /// The components that are names; a `..` is left out.
    package var names: [FileName] { components.compactMap { FileName($0) } }

    /// The path without its last component: `/` for a child of the root; nil for the root, for a single relative
    /// component and for an empty path.
    package var parent: BytePath? {
        let parts = components
        guard !parts.isEmpty, isAbsolute || parts.count > 1 else { return nil }
        return joined(parts.dropLast())
    }

    /// Returns whether this path lies strictly below `other`: not for the same path. Both are compared component by
    /// component, so `/a/bc` is not inside `/a/b`; a `..` is a name like any other here.
    package func isInside(_ other: BytePath) -> Bool {
        guard isAbsolute == other.isAbsolute else { return false }
        var (own, outer) = (0..<0, 0..<0)
        while other.moveOn(&outer) {
            guard moveOn(&own), bytes[own].elementsEqual(other.bytes[outer]) else { return false }
        }
        return moveOn(&own)
    }

    /// Goes from one component's place to the next one's; false where there is none.
    private func moveOn(_ place: inout Range<Int>) -> Bool {
        repeat {
            guard let start = bytes[place.upperBound...].firstIndex(where: { $0 != Self.slash }) else { return false }
            place = start..<(bytes[start...].firstIndex(of: Self.slash) ?? bytes.count)
        } while bytes[place].elementsEqual(CollectionOfOne(Self.dot))
        return true
    }

    /// The path without doubled slashes, `.` components and trailing slashes; nil where it has a `..`, whose meaning
    /// only the disk knows (the component before may be a symbolic link).
    package var normalized: BytePath? {
        let parts = components
        return parts.contains([Self.dot, Self.dot]) ? nil : joined(parts[...])
    }

    /// Spec section 5's text: what is not UTF-8 as `\xnn`, a backslash as `\\`.
    package var escapedText: String { EscapedBytes.text(bytes) }

    /// The same for a log line or a terminal: control characters are escaped too.
    package var displayText: String { EscapedBytes.printable(bytes) }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// Lends the NUL-terminated path to a call.
    func withPointer<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes + [0]).withUnsafeBytes { raw in
            // An array that ends in NUL is never empty, so it has a base address.
            body(raw.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
        }
    }

    private var components: [ArraySlice<UInt8>] {
        bytes.split(separator: Self.slash).filter { $0 != [Self.dot] }
    }

    private func joined(_ parts: ArraySlice<ArraySlice<UInt8>>) -> BytePath {
        BytePath(proven: (isAbsolute ? [Self.slash] : []) + Array(parts.joined(separator: [Self.slash])))
    }
}

extension BytePath: CustomStringConvertible {
    /// ``displayText``.
    package var description: String { displayText }
}
