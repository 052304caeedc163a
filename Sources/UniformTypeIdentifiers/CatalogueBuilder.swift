import CUniformTypeData

/// A catalogue in the making: collects rows, names and tags, then resolves the parents.
///
/// Built-in types take the first rows whatever is declared beside them; what differs is the order in which names and
/// tags are claimed: own exported, built-in, own imported.
struct CatalogueBuilder {
    var types = TypeRows()
    private(set) var names: ClaimedNames

    /// The parents that the text names, row by row, before they are looked up.
    private var parentNames: [ByteRange] = []

    /// Starts from the embedded declarations; `claimingTags: false` leaves their tags to ``claimBuiltInTags()``, for
    /// own types that go first.
    init(claimingTags: Bool) {
        let size = inbox_uniform_type_declarations_size()
        // An array made of a buffer would take the bytes over one by one.
        let text = [UInt8](unsafeUninitializedCapacity: size) { arena, count in
            UnsafeMutableRawBufferPointer(arena).copyMemory(
                from: UnsafeRawBufferPointer(start: inbox_uniform_type_declarations(), count: size))
            count = size
        }
        names = ClaimedNames(arena: text)
        parentNames.reserveCapacity(1_024)
        readEmbeddedText()
        types.endBuiltIn()
        resolveParents()
        if claimingTags { claimBuiltInTags() }
    }

    private mutating func readEmbeddedText() {
        // Out of `self` while it is read, so that the rows can be filled beside it.
        let text = names.arena
        text.withUnsafeBufferPointer { text in
            var reader = DeclarationReader(text)
            while let identifier = reader.nextIdentifier() {
                let isNew = names.claim(identifier: identifier, row: types.rows.count)
                assert(isNew, "the embedded declarations name a type twice")
                var row = TypeRows.Row(identifier: identifier, key: identifier)
                let parent = Int32(truncatingIfNeeded: parentNames.count)
                let tag = types.tagCount
                var mimeType: Int32?
                while let (word, range) = reader.nextWord() {
                    switch word {
                    case .parent: parentNames.append(range)
                    case .mimeType:
                        if mimeType == nil { mimeType = types.tagCount }
                        types.append(tag: range)
                    case .fileExtension: types.append(tag: range)
                    }
                }
                let end = types.tagCount
                row.parents = parent..<Int32(truncatingIfNeeded: parentNames.count)
                row.extensions = tag..<(mimeType ?? end)
                row.mimeTypes = (mimeType ?? end)..<end
                row.description = reader.description()
                types.rows.append(row)
            }
        }
    }

    private mutating func resolveParents() {
        types.parents = [Int32](repeating: 0, count: parentNames.count)
        names.arena.withUnsafeBufferPointer { arena in
            for (index, name) in parentNames.enumerated() {
                let claim = names.identifiers.first(name.bytes(in: arena), in: arena)
                assert(claim != nil, "the embedded declarations name an unknown parent")
                types.parents[index] = claim?.type ?? 0
            }
        }
    }

    /// Lets the built-in types claim their tags, after all earlier claims.
    mutating func claimBuiltInTags() {
        for row in 0..<types.builtInCount {
            for tag in types.rows[row].extensions {
                _ = names.claim(filenameExtension: types.tags[Int(tag)], row: row)
            }
            for tag in types.rows[row].mimeTypes { _ = names.claim(mimeType: types.tags[Int(tag)], row: row) }
        }
    }

    /// The row of an identifier, or nil.
    func row(identifier: String) -> Int? { names.firstRow(ASCII.key(of: identifier), in: names.identifiers) }

    /// Makes a new row of an own type and claims its identifier.
    mutating func addRow(identifier: String) -> Int {
        let (name, key) = names.appendName(identifier)
        let row = types.rows.count
        types.rows.append(TypeRows.Row(identifier: name, key: key))
        _ = names.claim(identifier: key, row: row)
        return row
    }

    /// Describes the type of a row.
    mutating func setDescription(_ text: String, of row: Int) {
        types.rows[row].description = names.append(text.utf8)
    }

    /// Adds own extensions after those that the row has, and claims them.
    mutating func addExtensions(_ texts: [String], to row: Int) {
        let start = types.copyTags(types.rows[row].extensions)
        for text in texts {
            let (tag, key) = names.appendName(text)
            if names.claim(filenameExtension: key, row: row) { types.append(tag: tag) }
        }
        types.rows[row].extensions = start..<types.tagCount
    }

    /// Adds own MIME types after those that the row has, and claims them.
    mutating func addMIMETypes(_ texts: [String], to row: Int) {
        let start = types.copyTags(types.rows[row].mimeTypes)
        for text in texts {
            let (tag, key) = names.appendName(text)
            if names.claim(mimeType: key, row: row) { types.append(tag: tag) }
        }
        types.rows[row].mimeTypes = start..<types.tagCount
    }

    /// Claims a tag of another class under its key; false if the row has claimed it already.
    mutating func claimOtherTag(_ key: [UInt8], row: Int) -> Bool {
        names.claim(otherTag: names.append(key), row: row)
    }
}
