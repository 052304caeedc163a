/// A catalogue in the making: the built-in types, to which own ones may be added.
///
/// Built-in types take the first rows whatever is declared beside them; what differs is the order in which names and
/// tags are claimed: own exported, built-in, own imported.
struct CatalogueBuilder {
    var types: TypeRows
    private(set) var names: ClaimedNames
    /// Extensions and MIME types that rows have claimed and do not hold yet.
    private var newExtensions: [Int: [ByteRange]] = [:]
    private var newMIMETypes: [Int: [ByteRange]] = [:]

    /// Starts from the built-in types, whose tags are left to ``claimBuiltInTags()``: own types may go first.
    init() {
        types = Catalogue.builtIn.types
        names = Catalogue.builtIn.names.withoutTags
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

    /// Claims own extensions, which go after those that the row has.
    mutating func addExtensions(_ texts: [String], to row: Int) {
        for text in texts {
            let (tag, key) = names.appendName(text)
            if names.claim(filenameExtension: key, row: row) { newExtensions[row, default: []].append(tag) }
        }
    }

    /// Claims own MIME types, which go after those that the row has.
    mutating func addMIMETypes(_ texts: [String], to row: Int) {
        for text in texts {
            let (tag, key) = names.appendName(text)
            if names.claim(mimeType: key, row: row) { newMIMETypes[row, default: []].append(tag) }
        }
    }

    /// Gives the rows the tags that they have claimed; called once after the last one. A row's tags lie together: were
    /// each import of thousands to move them, they would take memory by the square of their number.
    mutating func keepNewTags() {
        for row in types.rows.indices {
            if let tags = newExtensions[row] {
                types.rows[row].extensions = types.extend(types.rows[row].extensions, by: tags)
            }
            if let tags = newMIMETypes[row] {
                types.rows[row].mimeTypes = types.extend(types.rows[row].mimeTypes, by: tags)
            }
        }
        (newExtensions, newMIMETypes) = ([:], [:])
    }

    /// Claims a tag of another class under its key; false if the row has claimed it already.
    mutating func claimOtherTag(_ key: [UInt8], row: Int) -> Bool {
        names.claim(otherTag: names.append(key), row: row)
    }
}
