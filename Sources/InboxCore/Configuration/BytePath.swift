import InboxLinux

/// A path or a part of one as Linux sees it: bytes, in whatever encoding, never decoded on the way.
///
/// Nothing here touches the disk; a symbolic link is not seen.
public struct BytePath: Hashable, Sendable {
    /// The bytes as they were given.
    public let bytes: [UInt8]

    /// Wraps bytes as they are.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Wraps the UTF-8 bytes of a string.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether the path begins at the root.
    public var isAbsolute: Bool { bytes.first == Self.slash }

    /// The path with one more part behind it and exactly one slash between; an absolute part replaces the whole.
    public func appending(_ part: BytePath) -> BytePath {
        if part.isAbsolute || bytes.isEmpty { return part }
        if part.bytes.isEmpty { return self }
        let separator = bytes.last == Self.slash ? [] : [Self.slash]
        return BytePath(bytes: bytes + separator + part.bytes)
    }

    /// The same for a part that is text.
    public func appending(_ part: String) -> BytePath {
        appending(BytePath(part))
    }

    /// What follows the last slash, trailing slashes aside; empty for the root and for an empty path.
    public var lastComponent: [UInt8] {
        components.last.map(Array.init) ?? []
    }

    /// The path without its last component: `/` for a child of the root; nil for the root, for a single relative
    /// component and for an empty path.
    public var parent: BytePath? {
        let parts = components
        guard !parts.isEmpty, isAbsolute || parts.count > 1 else { return nil }
        return joined(parts.dropLast())
    }

    /// Whether this path lies strictly below `other`: not for the same path. Both are compared component by
    /// component, so `/a/bc` is not inside `/a/b`; a `..` is a name like any other here.
    public func isInside(_ other: BytePath) -> Bool {
        let own = components
        let outer = other.components
        return isAbsolute == other.isAbsolute && own.count > outer.count && own.starts(with: outer)
    }

    /// The path without doubled slashes, `.` components and trailing slashes; nil where it has a `..`, whose meaning
    /// only the disk knows (the component before may be a symbolic link).
    public var normalized: BytePath? {
        let parts = components
        return parts.contains([Self.dot, Self.dot]) ? nil : joined(parts[...])
    }

    /// Spec section 5's text: what is not UTF-8 as `\xnn`, a backslash as `\\`.
    public var escapedText: String { EscapedBytes.text(bytes) }

    /// The same for a log line or a terminal: control characters are escaped too.
    public var displayText: String { EscapedBytes.printable(bytes) }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    private var components: [ArraySlice<UInt8>] {
        bytes.split(separator: Self.slash).filter { $0 != [Self.dot] }
    }

    private func joined(_ parts: ArraySlice<ArraySlice<UInt8>>) -> BytePath {
        BytePath(bytes: (isAbsolute ? [Self.slash] : []) + Array(parts.joined(separator: [Self.slash])))
    }
}

extension BytePath: CustomStringConvertible {
    /// ``displayText``.
    public var description: String { displayText }
}
