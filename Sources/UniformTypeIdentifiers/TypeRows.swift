import CUniformTypeData

/// The declared types as rows, and what the rows refer to. A type is its row's number.
struct TypeRows: Sendable {
    /// One declared type.
    struct Row: Sendable {
        /// As it was declared.
        var identifier: ByteRange
        /// In lower case: what equality, hash and the table go by.
        var key: ByteRange
        var description = ByteRange.empty
        /// Its direct supertypes in `parents`, in the order of their declaration.
        var parents: Range<Int32> = 0..<0
        /// Its tags in `tags`, the preferred ones first.
        var extensions: Range<Int32> = 0..<0
        var mimeTypes: Range<Int32> = 0..<0
        /// Its place in `details`, or -1.
        fileprivate(set) var details: Int32 = -1

        init(identifier: ByteRange, key: ByteRange) {
            self.identifier = identifier
            self.key = key
        }
    }

    /// What only few types have.
    struct Details: Sendable {
        var version: Int?
        var referenceURL: URL?
        var otherTags: [UTTagClass: [String]]
        var isExported: Bool
        var origin: String?
    }

    var rows: [Row]
    /// How many of the rows, the first ones, are built in.
    let builtInCount: Int
    var parents: [Int32]
    private(set) var tags: [ByteRange]
    private var details: [Details] = []

    /// The built-in types.
    init(_ tables: inbox_type_tables) {
        builtInCount = Int(tables.row_count)
        rows = Array(unsafeUninitializedCapacity: builtInCount) { rows, count in
            for index in 0..<rows.count {
                // There is one more than the count, which says where the last one's words end.
                rows.initializeElement(at: index, to: Row(tables.rows[index], before: tables.rows[index + 1]))
            }
            count = rows.count
        }
        parents = Array(copying: tables.parents, count: tables.parent_count) { Int32($0) }
        tags = Array(copying: tables.tags, count: tables.tag_count) { ByteRange($0) }
    }

    /// The direct supertypes of a row.
    func parents(of row: Int) -> ArraySlice<Int32> {
        let range = rows[row].parents
        return parents[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    /// What only few types have, of a row.
    func details(of row: Int) -> Details? {
        let index = Int(rows[row].details)
        return index < 0 ? nil : details[index]
    }

    /// Adds a tag, which lies behind all others.
    mutating func append(tag: ByteRange) { tags.append(tag) }

    /// A row's tags lie together, so those it has are copied to where the new ones go.
    /// - Returns: where its tags begin now.
    mutating func copyTags(_ existing: Range<Int32>) -> Int32 {
        let start = tagCount
        for tag in existing { tags.append(tags[Int(tag)]) }
        return start
    }

    /// How many tags there are.
    var tagCount: Int32 { Int32(truncatingIfNeeded: tags.count) }

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
