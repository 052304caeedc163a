import CUniformTypeData

/// The declared types as rows, and what the rows refer to. A type is its row's number.
struct TypeRows: Sendable {
    /// One declared type.
    typealias Row = inbox_type_row

    /// What only few types have.
    struct Details: Sendable {
        var version: Int?
        var referenceURL: URL?
        var otherTags: [UTTagClass: [String]]
        var isExported: Bool
        var origin: String?
    }

    var rows: LentArray<Row>
    /// How many of the rows, the first ones, are built in.
    let builtInCount: Int
    var parents: LentArray<Int32>
    private(set) var tags: LentArray<ByteRange>
    private var details: [Details] = []

    /// The built-in types.
    init(_ tables: inbox_type_tables) {
        builtInCount = tables.row_count
        rows = LentArray(lent: tables.rows, count: tables.row_count)
        parents = LentArray(lent: tables.parents, count: tables.parent_count)
        tags = LentArray(lent: tables.tags, count: tables.tag_count)
    }

    /// The direct supertypes of a row.
    func parents(of row: Int) -> Slice<LentArray<Int32>> {
        let range = rows[row].parents
        return parents[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    /// What only few types have, of a row.
    func details(of row: Int) -> Details? {
        let index = Int(rows[row].details)
        return index < 0 ? nil : details[index]
    }

    /// Copies a row's tags to the end, where new ones follow them; returns where they all are.
    mutating func extend(_ existing: Range<Int32>, by new: [ByteRange]) -> Range<Int32> {
        let start = Int32(truncatingIfNeeded: tags.count)
        for tag in existing { tags.append(tags[Int(tag)]) }
        tags.append(contentsOf: new)
        return start..<Int32(truncatingIfNeeded: tags.count)
    }

    /// Gives a row what only few types have.
    mutating func setDetails(_ own: Details, of row: Int) {
        if rows[row].details >= 0 {
            details[Int(rows[row].details)] = own
        } else {
            rows[row].details = Int32(truncatingIfNeeded: details.count)
            details.append(own)
        }
    }
}

extension TypeRows.Row {
    /// A type that has nothing but its identifier, and that identifier in lower case.
    init(identifier: ByteRange, key: ByteRange) {
        self.init()
        self.identifier = identifier
        self.key = key
        details = -1
    }

    /// Its direct supertypes in `parents`, in the order of their declaration.
    var parents: Range<Int32> {
        get { first_parent..<end_of_parents }
        set { (first_parent, end_of_parents) = (newValue.lowerBound, newValue.upperBound) }
    }

    /// Its extensions in `tags`, the preferred one first.
    var extensions: Range<Int32> {
        get { first_extension..<end_of_extensions }
        set { (first_extension, end_of_extensions) = (newValue.lowerBound, newValue.upperBound) }
    }

    /// Its MIME types in `tags`, the preferred one first.
    var mimeTypes: Range<Int32> {
        get { first_mime_type..<end_of_mime_types }
        set { (first_mime_type, end_of_mime_types) = (newValue.lowerBound, newValue.upperBound) }
    }
}
