import InboxLinux

/// A pattern that a person types to find paths: a part of the path, and with `*`, `?` or `[` a pattern of glob(7) for
/// the whole of it, for its last component, or, if the pattern has a slash but not at the beginning, for its last
/// components. A name that contains such characters also matches itself.
package struct PathPattern: Sendable {
    /// The typed bytes, with and without the escapes of a name that was printed: parts of a path.
    private let parts: [[UInt8]]
    /// The patterns for the whole of a path, and for the end of it; nil where there is nothing of a pattern in it.
    private let glob: (whole: PathGlob, ending: PathGlob?)?
    /// Bytes that every line of the history with a matching path has, whatever else is in it; nil where none can be named.
    package let rawPart: [UInt8]?

    /// Reads what was typed: any bytes are a pattern.
    package init(_ typed: [UInt8]) {
        let isEscaped = typed.contains(UInt8(ascii: "\\"))
        let unescaped = isEscaped ? EscapedBytes.bytes(String(decoding: typed, as: UTF8.self)) : nil
        let readings = [typed] + [unescaped].compactMap(\.self)
        parts = readings
        var literals = [typed]
        if typed.contains(where: { "*?[".utf8.contains($0) }) {
            let whole = Glob(typed)
            let isRelative = typed.contains(UInt8(ascii: "/")) && typed.first != UInt8(ascii: "/")
            glob = (PathGlob(whole), isRelative ? PathGlob(Glob(Array("*/".utf8) + typed)) : nil)
            literals = whole.literals
        } else {
            glob = nil
        }
        // Where escapes are written in several ways, none of which need be the history's, only what all have counts.
        let plain = literals.flatMap { $0.split { !Self.isPlain($0) } }.filter { part in
            readings.allSatisfy { $0.contains(part) }
        }
        rawPart = plain.max { $0.count < $1.count }.map(Array.init)
    }

    /// Returns whether the history writes this byte of a path without an escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Returns whether a path matches.
    package func matches(_ path: [UInt8]) -> Bool {
        if parts.contains(where: { path.contains($0) }) { return true }
        guard let glob else { return false }
        return glob.whole.matches(path[...]) || glob.whole.matches((BytePath(bytes: path)?.lastComponent ?? [])[...])
            || glob.ending?.matches(path[...]) == true
    }
}
