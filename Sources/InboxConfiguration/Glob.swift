/// A shell pattern, as glob(7): `*`, `?`, `[a-z]`, `[!a-z]`, and `\` before a character that is meant.
///
/// A dot at the beginning is nothing special here. Matching takes time in proportion to pattern times name at most,
/// whatever the pattern: for the long patterns and paths of strangers there is `PathGlob`.
package struct Glob: Sendable, Hashable {
    /// The pattern as it was written.
    package let pattern: [UInt8]
    /// The pattern as bytes, for names that are ASCII or no UTF-8.
    let bytes: GlobSteps<UInt8>
    /// The pattern as characters, for all other names; nil where it is compared byte by byte with any name.
    private let characters: GlobSteps<Character>?

    /// Reads a pattern; every byte string is one. A `[` without its end means itself.
    /// - Parameters:
    ///   - ignoresCase: whether letters match in either case, and characters in any composition.
    ///   - isPath: whether it is compared with paths: `*`, `?` and sets stop at a slash, and `**` does not.
    package init(_ pattern: [UInt8], ignoringCase ignoresCase: Bool = false, isPath: Bool = false) {
        self.pattern = pattern
        bytes = GlobSteps(pattern[...], ignoringCase: ignoresCase, isPath: isPath)
        let text = ignoresCase ? String(validating: pattern, as: UTF8.self) : nil
        characters = text.map { GlobSteps(Array($0)[...], ignoringCase: true, isPath: isPath) }
    }

    /// The stretches of bytes that every matching name has in it, in the case of letters that the pattern has.
    var literals: [[UInt8]] {
        bytes.steps.split { $0.literal == nil }.map { $0.compactMap(\.literal) }
    }

    /// The byte that every matching name ends with that ends with ASCII, in lower case where case is ignored; nil where
    /// there are several.
    package var lastByte: UInt8? {
        guard let characters else { return bytes.ending.last }
        return characters.ending.last.flatMap(Self.byte)
    }

    /// The byte that every matching name begins with that begins with ASCII, in lower case where case is ignored; nil
    /// where there are several.
    package var firstByte: UInt8? {
        guard let characters else { return bytes.steps.first?.literal }
        return characters.steps.first?.literal.flatMap(Self.byte)
    }

    /// Nil for what is more than one byte of ASCII.
    private static func byte(of character: Character) -> UInt8? {
        character.utf8.count == 1 ? character.utf8.first : nil
    }

    /// Returns whether the whole of the name matches, byte by byte.
    package func matches(_ name: ArraySlice<UInt8>) -> Bool { bytes.matches(name) }

    /// Returns whether the whole of the name matches.
    package func matches(_ name: FoldedName) -> Bool {
        if let characters, let units = name.characters { return characters.matches(units[...]) }
        return bytes.matches(name.bytes)
    }

    /// An ASCII letter in lower case; any other byte as it is.
    package static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
