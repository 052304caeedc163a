/// A list of globs that disregard case and composition, of which a leading `!` excludes what the rest of it matches; `\!`
/// is a literal one.
package struct GlobList: Sendable {
    /// Those of which a name must match one.
    package let accepting: [Glob]
    /// Those of which it must match none.
    package let excluding: [Glob]

    /// The list of these words.
    /// - Parameter isPath: whether they are compared with paths.
    package init(_ words: [[UInt8]], isPath: Bool = false) {
        let excludes = { (word: [UInt8]) in word.first == UInt8(ascii: "!") }
        accepting = words.filter { !excludes($0) }.map { Glob($0, ignoringCase: true, isPath: isPath) }
        excluding = words.filter(excludes).map { Glob(Array($0.dropFirst()), ignoringCase: true, isPath: isPath) }
    }

    /// The list is empty.
    package var isEmpty: Bool { accepting.isEmpty && excluding.isEmpty }

    /// Returns whether the list accepts a name; where all of its globs exclude, any other name is accepted.
    package func accepts(_ name: FoldedName) -> Bool {
        (accepting.isEmpty || accepting.contains { $0.matches(name) }) && !excluding.contains { $0.matches(name) }
    }
}
