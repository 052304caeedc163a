import CUniformTypeData

/// A catalogue in the making: the built-in types, to which own ones may be added.
///
/// Built-in types take the first rows whatever is declared beside them; what differs is the order in which names and
/// tags are claimed: own exported, built-in, own imported.
struct CatalogueBuilder {
    private(set) var arena: [UInt8]
    var rows: [Catalogue.Row]
    let builtInCount: Int
    var parents: [Int32]
    private(set) var tags: [ByteRange]
    var details: [Catalogue.Details] = []
    private(set) var identifiers: NameTable
    private(set) var extensions: NameTable
    private(set) var mimeTypes: NameTable
    /// Tags of any other class, of which the built-in types have none.
    private(set) var otherTags = NameTable(minimumCapacity: 16)

    /// Starts from the tables that the compiler made; `claimingTags: false` leaves the built-in types' tags to
    /// ``claimBuiltInTags()``, for own types that go first.
    init(claimingTags: Bool) {
        let tables = inbox_uniform_type_tables()
        arena = Array(copying: tables.arena, count: tables.arena_size) { $0 }
        builtInCount = Int(tables.row_count)
        rows = Array(unsafeUninitializedCapacity: builtInCount) { rows, count in
            for index in 0..<rows.count {
                // There is one more than the count, which says where the last one's words end.
                rows.initializeElement(at: index, to: Catalogue.Row(tables.rows[index], before: tables.rows[index + 1]))
            }
            count = rows.count
        }
        parents = Array(copying: tables.parents, count: tables.parent_count) { Int32($0) }
        tags = Array(copying: tables.tags, count: tables.tag_count) { ByteRange($0) }
        identifiers = NameTable(identifiersOf: tables)
        extensions = claimingTags ? NameTable(tables.extensions) : NameTable(minimumCapacity: 1_024)
        mimeTypes = claimingTags ? NameTable(tables.mime_types) : NameTable(minimumCapacity: 1_024)
    }

    /// Lets the built-in types claim their tags, after all earlier claims; only for a builder that left them out.
    mutating func claimBuiltInTags() {
        arena.withUnsafeBufferPointer { arena in
            for row in 0..<builtInCount {
                let type = Int32(truncatingIfNeeded: row)
                for tag in rows[row].extensions {
                    _ = extensions.add(tags[Int(tag)], type: type, in: arena)
                }
                for tag in rows[row].mimeTypes {
                    _ = mimeTypes.add(tags[Int(tag)], type: type, in: arena)
                }
            }
        }
    }

    /// Puts bytes into the arena.
    mutating func append(_ bytes: some Collection<UInt8>) -> ByteRange {
        let start = arena.count
        arena.append(contentsOf: bytes)
        return ByteRange(start, arena.count)
    }

    /// The row of an identifier, or nil.
    func row(identifier: String) -> Int? {
        firstRow(ASCII.key(of: identifier), in: identifiers)
    }

    /// The row that claims a name first, or nil.
    func firstRow(_ key: [UInt8], in table: NameTable) -> Int? {
        arena.withUnsafeBufferPointer { arena in
            key.withUnsafeBufferPointer { table.first($0, in: arena).map { Int($0.type) } }
        }
    }

    /// Makes a new row of an own type and claims its identifier.
    mutating func addRow(identifier: String) -> Int {
        let (name, key) = appendName(identifier)
        let row = rows.count
        rows.append(Catalogue.Row(identifier: name, key: key))
        _ = arena.withUnsafeBufferPointer {
            identifiers.add(key, type: Int32(truncatingIfNeeded: row), in: $0)
        }
        return row
    }

    /// Adds own extensions after those that the row has, and claims them.
    mutating func addExtensions(_ texts: [String], to row: Int) {
        let start = copyTags(rows[row].extensions)
        for text in texts {
            let (tag, key) = appendName(text)
            if arena.withUnsafeBufferPointer({ extensions.add(key, type: Int32(truncatingIfNeeded: row), in: $0) }) {
                tags.append(tag)
            }
        }
        rows[row].extensions = start..<Int32(truncatingIfNeeded: tags.count)
    }

    /// Adds own MIME types after those that the row has, and claims them.
    mutating func addMIMETypes(_ texts: [String], to row: Int) {
        let start = copyTags(rows[row].mimeTypes)
        for text in texts {
            let (tag, key) = appendName(text)
            if arena.withUnsafeBufferPointer({ mimeTypes.add(key, type: Int32(truncatingIfNeeded: row), in: $0) }) {
                tags.append(tag)
            }
        }
        rows[row].mimeTypes = start..<Int32(truncatingIfNeeded: tags.count)
    }

    /// Claims a tag of another class under its key; false if the row has claimed it already.
    mutating func claimOtherTag(_ key: [UInt8], row: Int) -> Bool {
        let range = append(key)
        return arena.withUnsafeBufferPointer { otherTags.add(range, type: Int32(truncatingIfNeeded: row), in: $0) }
    }

    /// A row's tags lie together, so those it has are copied to where the new ones go.
    private mutating func copyTags(_ existing: Range<Int32>) -> Int32 {
        let start = Int32(truncatingIfNeeded: tags.count)
        for tag in existing { tags.append(tags[Int(tag)]) }
        return start
    }

    /// Puts a name into the arena as it is written, and in lower case where that differs.
    private mutating func appendName(_ text: String) -> (name: ByteRange, key: ByteRange) {
        let name = append(text.utf8)
        let folded = ASCII.key(of: text)
        return (name, folded.elementsEqual(text.utf8) ? name : append(folded))
    }
}
