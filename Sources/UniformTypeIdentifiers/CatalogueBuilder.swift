import CUniformTypeData

/// A catalogue in the making: collects rows, names and tags, then resolves the parents.
///
/// Built-in types take the first rows whatever is declared beside them; what differs is the order in which names and tags
/// are claimed: own exported, built-in, own imported.
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
    var otherTags: [[UInt8]: [Int32]] = [:]

    /// The parents that the text names, row by row, before they are looked up.
    private var parentNames: [ByteRange] = []

    /// Starts from the embedded declarations; `claimingTags: false` leaves their tags to ``claimBuiltInTags()``, for own
    /// types that go first.
    init(claimingTags: Bool) {
        arena = Array(
            UnsafeBufferPointer(
                start: inbox_uniform_type_declarations(), count: inbox_uniform_type_declarations_size()))
        rows.reserveCapacity(1_024)
        tags.reserveCapacity(2_048)
        parentNames.reserveCapacity(1_024)
        readEmbeddedText()
        builtInCount = rows.count
        resolveParents()
        if claimingTags { claimBuiltInTags() }
    }

    private mutating func readEmbeddedText() {
        var reader = DeclarationReader(count: arena.count)
        while let token = arena.withUnsafeBufferPointer({ reader.next(in: $0) }) {
            switch token {
            case .identifier(let range):
                let row = Int32(truncatingIfNeeded: rows.count)
                let isNew = arena.withUnsafeBufferPointer { identifiers.add(range, type: row, in: $0) }
                assert(isNew, "the embedded declarations name a type twice")
                rows.append(Catalogue.Row(identifier: range, key: range))
                let (parent, tag) = (
                    Int32(truncatingIfNeeded: parentNames.count), Int32(truncatingIfNeeded: tags.count)
                )
                rows[rows.count - 1].parents = parent..<parent
                rows[rows.count - 1].extensions = tag..<tag
                rows[rows.count - 1].mimeTypes = tag..<tag
            case .parent(let range):
                parentNames.append(range)
                let first = rows[rows.count - 1].parents.lowerBound
                rows[rows.count - 1].parents = first..<Int32(truncatingIfNeeded: parentNames.count)
            case .fileExtension(let range):
                tags.append(range)
                let end = Int32(truncatingIfNeeded: tags.count)
                rows[rows.count - 1].extensions = rows[rows.count - 1].extensions.lowerBound..<end
                rows[rows.count - 1].mimeTypes = end..<end
            case .mimeType(let range):
                tags.append(range)
                let first = rows[rows.count - 1].mimeTypes.lowerBound
                rows[rows.count - 1].mimeTypes = first..<Int32(truncatingIfNeeded: tags.count)
            case .description(let range):
                rows[rows.count - 1].description = range
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

    /// Lets the built-in types claim their tags, behind all that claimed before.
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

    /// Adds own extensions behind those that the row has, and claims them.
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

    /// Adds own MIME types behind those that the row has, and claims them.
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
