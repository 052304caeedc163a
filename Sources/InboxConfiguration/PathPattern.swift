import InboxLinux

/// What a person types to find paths: a part of the path, or with `*`, `?` or `[` a pattern of glob(7) for the whole of
/// it, for its last component, or, where it has a slash but not at the beginning, for its last components.
package struct PathPattern: Sendable {
    private enum Kind: Sendable {
        case part([UInt8])
        case glob(Glob, ending: Glob?)
    }

    private let kind: Kind
    /// Bytes that every line of the history with a matching path has, whatever else is in it; nil where none can be named.
    package let rawPart: [UInt8]?

    /// Reads what was typed: any bytes are a pattern.
    package init(_ typed: [UInt8]) {
        let literals: [[UInt8]]
        if typed.contains(where: { "*?[".utf8.contains($0) }) {
            let glob = Glob(typed)
            let isRelative = typed.contains(UInt8(ascii: "/")) && typed.first != UInt8(ascii: "/")
            kind = .glob(glob, ending: isRelative ? Glob(Array("*/".utf8) + typed) : nil)
            literals = glob.literals
        } else {
            kind = .part(typed)
            literals = [typed]
        }
        let plain = literals.flatMap { $0.split { !Self.isPlain($0) } }
        rawPart = plain.max { $0.count < $1.count }.map(Array.init)
    }

    /// Whether the history has this byte of a path as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Whether a path matches.
    package func matches(_ path: [UInt8]) -> Bool {
        switch kind {
        case .part(let part): path.contains(part)
        case .glob(let glob, let ending):
            glob.matches(path[...]) || glob.matches((BytePath(bytes: path)?.lastComponent ?? [])[...])
                || ending?.matches(path[...]) == true
        }
    }
}
