/// The text of a path, by its bytes: to Swift two texts are equal whose characters are, and names that differ in nothing but
/// their Unicode normalization are two files.
package struct PathText: Hashable, Sendable {
    /// The text, by section 5 of the contract.
    package let text: String

    /// The path of this text.
    package init(_ text: String) {
        self.text = text
    }

    package static func == (one: PathText, other: PathText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension PathText: Comparable {
    /// By bytes.
    package static func < (one: PathText, other: PathText) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}
