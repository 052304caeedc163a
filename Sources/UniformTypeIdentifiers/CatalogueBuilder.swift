import CUniformTypeData

/// A catalogue in the making: collects rows, names and tags, then resolves the parents.
///
/// Built-in types take the first rows whatever is declared beside them; what differs is the order in which names and
/// tags are claimed: own exported, built-in, own imported.
struct CatalogueBuilder {
    private(set) var arena: [UInt8]
    var rows: [Catalogue.Row] = []
    private(set) var builtInCount = 0
    var parents: [Int32] = []
    private(set) var tags: [ByteRange] = []
    var details: [Catalogue.Details] = []
    private(set) var identifiers = NameTable(minimumCapacity: 1_024)
    private(set) var extensions = NameTable(minimumCapacity: 1_024)
    private(set) var mimeTypes = NameTable(minimumCapacity: 1_024)
    /// Tags of any other class, of which the built-in types have none.
    private(set) var otherTags = NameTable(minimumCapacity: 16)

    /// The parents that the text names, row by row, before they are looked up.
    private var parentNames: [ByteRange] = []

    /// Starts from the embedded declarations; `claimingTags: false` leaves their tags to ``claimBuiltInTags()``, for
    /// own types that go first.
    init(claimingTags: Bool) {
        let size = inbox_uniform_type_declarations_size()
        // An array made of a buffer would take the bytes over one by one.
        arena = Array(unsafeUninitializedCapacity: size) { arena, count in
            UnsafeMutableRawBufferPointer(arena).copyMemory(
                from: UnsafeRawBufferPointer(start: inbox_uniform_type_declarations(), count: size))
            count = size
        }
        rows.reserveCapacity(1_024)
        tags.reserveCapacity(2_048)
        parentNames.reserveCapacity(1_024)
        readEmbeddedText()
        builtInCount = rows.count
        resolveParents()
        if claimingTags { claimBuiltInTags() }
    }

    private mutating func readEmbeddedText() {
        // Out of `self` while it is read, so that the rows can be filled beside it.
        let text = arena
        text.withUnsafeBufferPointer { text in
            var reader = DeclarationReader(text)
            while let identifier = reader.nextIdentifier() {
                let isNew = identifiers.add(identifier, type: Int32(truncatingIfNeeded: rows.count), in: text)
                assert(isNew, "the embedded declarations name a type twice")
                var row = Catalogue.Row(identifier: identifier, key: identifier)
                let parent = Int32(truncatingIfNeeded: parentNames.count)
                let tag = Int32(truncatingIfNeeded: tags.count)
                var mimeType: Int32?
                while let (word, range) = reader.nextWord() {
                    switch word {
                    case .parent: parentNames.append(range)
                    case .mimeType:
                        if mimeType == nil { mimeType = Int32(truncatingIfNeeded: tags.count) }
                        tags.append(range)
                    case .fileExtension: tags.append(range)
                    }
                }
                let end = Int32(truncatingIfNeeded: tags.count)
                row.parents = parent..<Int32(truncatingIfNeeded: parentNames.count)
                row.extensions = tag..<(mimeType ?? end)
                row.mimeTypes = (mimeType ?? end)..<end
                row.description = reader.description()
                rows.append(row)
            }
        }
    }

    private mutating func resolveParents() {
        parents = [Int32](repeating: 0, count: parentNames.count)
        arena.withUnsafeBufferPointer { arena in
            for (index, name) in parentNames.enumerated() {
                let claim = identifiers.first(name.bytes(in: arena), in: arena)
                assert(claim != nil, "the embedded declarations name an unknown parent")
                parents[index] = claim?.type ?? 0
            }
        }
    }

    /// Lets the built-in types claim their tags, after all earlier claims.
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
