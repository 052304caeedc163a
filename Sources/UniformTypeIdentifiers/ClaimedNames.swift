import CUniformTypeData

/// The names of a catalogue's types: the bytes that all its ranges lie in, and for each kind of name the table of the
/// types that claim it.
struct ClaimedNames: Sendable {
    private(set) var arena: LentArray<UInt8>
    private(set) var identifiers: NameTable
    private(set) var extensions: NameTable
    private(set) var mimeTypes: NameTable
    /// Tags of any other class, of which the built-in types have none: `class NUL tag`, in lower case, to rows in order
    /// of precedence.
    private(set) var otherTags = NameTable(minimumCapacity: 16)

    /// The names of the built-in types.
    init(_ declarations: BuiltInDeclarations) {
        arena = LentArray(lent: inbox_uniform_type_declarations(), count: declarations.text.count)
        identifiers = declarations.identifiers
        extensions = declarations.extensions
        mimeTypes = declarations.mimeTypes
    }

    /// The names of the built-in types, from an image.
    init(reading image: inout TableImage.Reader) {
        arena = LentArray(lent: inbox_uniform_type_declarations(), count: inbox_uniform_type_declarations_size())
        identifiers = NameTable(reading: &image)
        extensions = NameTable(reading: &image)
        mimeTypes = NameTable(reading: &image)
    }

    /// Adds the names of the built-in types to an image.
    func write(to image: inout TableImage) {
        for table in [identifiers, extensions, mimeTypes] { table.write(to: &image) }
    }

    /// The same identifiers without any tag.
    var withoutTags: ClaimedNames {
        var names = self
        names.extensions = NameTable(minimumCapacity: 1_024)
        names.mimeTypes = NameTable(minimumCapacity: 1_024)
        return names
    }

    /// The bytes of a range as text.
    func text(_ range: ByteRange) -> String {
        arena.withUnsafeBufferPointer { String(decoding: range.bytes(in: $0), as: UTF8.self) }
    }

    /// The row that claims a name first, or nil.
    func firstRow(_ key: [UInt8], in table: NameTable) -> Int? {
        arena.withUnsafeBufferPointer { arena in
            key.withUnsafeBufferPointer { table.first($0, in: arena).map { Int($0.type) } }
        }
    }

    /// Puts bytes into the arena.
    mutating func append(_ bytes: some Collection<UInt8>) -> ByteRange {
        let start = arena.count
        arena.append(contentsOf: bytes)
        return ByteRange(start, arena.count)
    }

    /// Puts a name into the arena as it is written, and in lower case where that differs.
    mutating func appendName(_ text: String) -> (name: ByteRange, key: ByteRange) {
        let name = append(text.utf8)
        let folded = ASCII.key(of: text)
        return (name, folded.elementsEqual(text.utf8) ? name : append(folded))
    }

    /// Claims an identifier; false if the row has claimed it already, as for the others.
    mutating func claim(identifier key: ByteRange, row: Int) -> Bool {
        arena.withUnsafeBufferPointer { identifiers.add(key, type: Int32(truncatingIfNeeded: row), in: $0) }
    }

    /// Claims a file-name extension.
    mutating func claim(filenameExtension key: ByteRange, row: Int) -> Bool {
        arena.withUnsafeBufferPointer { extensions.add(key, type: Int32(truncatingIfNeeded: row), in: $0) }
    }

    /// Claims a MIME type.
    mutating func claim(mimeType key: ByteRange, row: Int) -> Bool {
        arena.withUnsafeBufferPointer { mimeTypes.add(key, type: Int32(truncatingIfNeeded: row), in: $0) }
    }

    /// Claims a tag of another class.
    mutating func claim(otherTag key: ByteRange, row: Int) -> Bool {
        arena.withUnsafeBufferPointer { otherTags.add(key, type: Int32(truncatingIfNeeded: row), in: $0) }
    }
}
