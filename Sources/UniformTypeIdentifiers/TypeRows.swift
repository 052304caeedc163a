/// The declared types as rows, and what the rows refer to. A type is its row's number.
struct TypeRows: Sendable {
    /// One declared type.
    struct Row: BitwiseCopyable, Sendable {
        /// As it was declared.
        let identifier: ByteRange
        /// The identifier in lower case.
        let key: ByteRange
        var description = ByteRange.empty
        // A range of the library is not copied bit by bit.
        private var firstParent: Int32 = 0
        private var endOfParents: Int32 = 0
        private var firstExtension: Int32 = 0
        private var endOfExtensions: Int32 = 0
        private var firstMIMEType: Int32 = 0
        private var endOfMIMETypes: Int32 = 0
        /// A place in `details`; -1 where the type has none, as the built-in ones.
        fileprivate(set) var details: Int32 = -1

        /// A type that has nothing but its identifier, and that identifier in lower case.
        init(identifier: ByteRange, key: ByteRange) {
            self.identifier = identifier
            self.key = key
        }

        /// Its direct supertypes in `parents`, in the order of their declaration.
        var parents: Range<Int32> {
            get { firstParent..<endOfParents }
            set { (firstParent, endOfParents) = (newValue.lowerBound, newValue.upperBound) }
        }

        /// Its extensions in `tags`, the preferred one first.
        var extensions: Range<Int32> {
            get { firstExtension..<endOfExtensions }
            set { (firstExtension, endOfExtensions) = (newValue.lowerBound, newValue.upperBound) }
        }

        /// Its MIME types in `tags`, the preferred one first.
        var mimeTypes: Range<Int32> {
            get { firstMIMEType..<endOfMIMETypes }
            set { (firstMIMEType, endOfMIMETypes) = (newValue.lowerBound, newValue.upperBound) }
        }
    }

    /// The properties that only few types have.
    struct Details: Sendable {
        var version: Int?
        var referenceURL: URL?
        var otherTags: [UTTagClass: [String]]
        var isExported: Bool
        var origin: String?
    }

    var rows: LentArray<Row>
    /// The number of built-in rows, which are the first ones.
    let builtInCount: Int
    var parents: LentArray<Int32>
    private(set) var tags: LentArray<ByteRange>
    private var details: [Details] = []

    /// The built-in types.
    init(_ declarations: BuiltInDeclarations) {
        builtInCount = declarations.rows.count
        rows = declarations.rows
        parents = declarations.parents
        tags = declarations.tags
    }

    /// The built-in types, from an image.
    init(reading image: inout TableImage.Reader) {
        rows = LentArray(reading: &image)
        parents = LentArray(reading: &image)
        tags = LentArray(reading: &image)
        builtInCount = rows.count
    }

    /// Adds the built-in types to an image.
    func write(to image: inout TableImage) {
        rows.withUnsafeBufferPointer { image.append($0) }
        parents.withUnsafeBufferPointer { image.append($0) }
        tags.withUnsafeBufferPointer { image.append($0) }
    }

    /// The direct supertypes of a row.
    func parents(of row: Int) -> Slice<LentArray<Int32>> {
        let range = rows[row].parents
        return parents[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    /// Returns the properties of a row that only few types have.
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
