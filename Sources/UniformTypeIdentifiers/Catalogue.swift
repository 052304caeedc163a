/// Every declared type, its tags and its conformance: immutable once made, so any thread may read it.
///
/// Types are rows. The built-in ones come first and have the same row in every catalogue, so that a constant such as
/// `UTType.image` can be compared with a type of any catalogue by its row alone.
final class Catalogue: Sendable {
    let types: TypeRows
    let names: ClaimedNames
    let conformance: Conformance

    init(types: TypeRows, names: ClaimedNames, conformance: Conformance) {
        self.types = types
        self.names = names
        self.conformance = conformance
    }

    convenience init(_ builder: consuming CatalogueBuilder, conformance: Conformance) {
        self.init(types: builder.types, names: builder.names, conformance: conformance)
    }

    /// The bytes of a range as text.
    func text(_ range: ByteRange) -> String { names.text(range) }

    /// The texts of several tags.
    func texts(_ range: Range<Int32>) -> [String] {
        range.map { text(types.tags[Int($0)]) }
    }

    /// The row of an identifier given as bytes in any case, or nil.
    func row(identifier bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        first(bytes, in: names.identifiers, under: nil)
    }

    /// The first type that claims an extension and conforms to the row `supertype`, in order of precedence.
    func row(filenameExtension bytes: UnsafeBufferPointer<UInt8>, under supertype: Int?) -> Int? {
        first(bytes, in: names.extensions, under: supertype)
    }

    /// The first type that claims a MIME type and conforms to the row `supertype`, in order of precedence.
    func row(mimeType bytes: UnsafeBufferPointer<UInt8>, under supertype: Int?) -> Int? {
        first(bytes, in: names.mimeTypes, under: supertype)
    }

    @inline(__always)
    private func first(_ bytes: UnsafeBufferPointer<UInt8>, in table: NameTable, under supertype: Int?) -> Int? {
        if let row = firstFolded(bytes, in: table, under: supertype) { return row }
        // Rare: fold as Unicode does, and let what is not UTF-8 find nothing.
        guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        return ASCII.key(of: text).withUnsafeBufferPointer { firstFolded($0, in: table, under: supertype) }
    }

    @inline(__always)
    private func firstFolded(
        _ bytes: UnsafeBufferPointer<UInt8>, in table: NameTable, under supertype: Int?
    ) -> Int? {
        names.arena.withUnsafeBufferPointer { arena in
            var claim = table.first(bytes, in: arena)
            while let candidate = claim {
                let row = Int(candidate.type)
                guard let supertype else { return row }
                if conformance.holds(row, supertype) { return row }
                claim = table.next(after: candidate)
            }
            return nil
        }
    }

    /// Every type that claims a name and conforms to the row `supertype`, in order of precedence.
    func all(_ text: String, in table: NameTable, under supertype: Int?) -> [Int] {
        all(key: ASCII.key(of: text), in: table, under: supertype)
    }

    /// As ``all(_:in:under:)``, for a name in the form of the table's keys.
    func all(key: [UInt8], in table: NameTable, under supertype: Int?) -> [Int] {
        names.arena.withUnsafeBufferPointer { arena in
            key.withUnsafeBufferPointer { key in
                var found: [Int] = []
                var claim = table.first(key, in: arena)
                while let candidate = claim {
                    let row = Int(candidate.type)
                    if supertype.map({ conformance.holds(row, $0) }) ?? true { found.append(row) }
                    claim = table.next(after: candidate)
                }
                return found
            }
        }
    }
}
