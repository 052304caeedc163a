/// A name, or a path, that is compared with many globs: what disregarding case and composition takes is done once.
package struct FoldedName: Sendable {
    /// The bytes as they are.
    package let bytes: ArraySlice<UInt8>
    /// The characters in lower case, which Swift compares in any composition; nil where bytes are compared, because all
    /// are ASCII or they are no UTF-8.
    let characters: [Character]?

    /// A name of these bytes.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        characters =
            bytes.allSatisfy { $0 < 0x80 } ? nil : String(validating: bytes, as: UTF8.self)?.map(\.folded)
    }
}
