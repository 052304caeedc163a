extension UTType {
    /// The type with an identifier, in any case of letters; nil if it is neither declared nor a well-formed dynamic one.
    public init?(_ identifier: String) {
        self.init(identifier, in: .current)
    }

    /// The type of a file-name extension under a supertype.
    ///
    /// As Apple's: where no declared type under `supertype` has the extension, the answer is a dynamic type under it. A
    /// package's extension is found under `.package` or `.directory`, not under `.data`. The extension of `a.tar.gz` is
    /// `gz`: `tar.gz` as a whole is not declared.
    ///
    /// - Parameters:
    ///   - filenameExtension: Without the leading dot, in any case of letters; nil is returned for an empty one.
    ///   - supertype: What the type must conform to.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// The type of a MIME type under a supertype; otherwise a dynamic one.
    ///
    /// - Parameters:
    ///   - mimeType: In any case of letters; parameters (`; charset=utf-8`) and blanks are dropped.
    ///   - supertype: What the type must conform to.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
    }

    /// The preferred type of a tag under a supertype, if one is given; otherwise a dynamic one.
    ///
    /// - Returns: nil only for an empty tag.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        let tag = UTType.normalized(tag, of: tagClass)
        guard !tag.isEmpty else { return nil }
        let catalogue = Catalogue.current
        if let row = UTType.declaredRow(tag: tag, tagClass: tagClass, under: supertype, in: catalogue) {
            self.init(catalogue: catalogue, row: row)
        } else {
            self.init(dynamicTags: [(tagClass, tag)], under: supertype)
        }
    }

    /// Every declared type of a tag under a supertype, the preferred one first; where there is none, one dynamic type.
    ///
    /// - Returns: An empty list only for an empty tag.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        let tag = normalized(tag, of: tagClass)
        guard !tag.isEmpty else { return [] }
        let catalogue = Catalogue.current
        let rows = declaredRows(tag: tag, tagClass: tagClass, under: supertype, in: catalogue)
        guard rows.isEmpty else { return rows.map { UTType(catalogue: catalogue, row: $0) } }
        return [UTType(dynamicTags: [(tagClass, tag)], under: supertype)]
    }

    /// The type that the program owns under an identifier, whether it is declared or not.
    ///
    /// - Parameters:
    ///   - identifier: Its identifier.
    ///   - parentType: What an undeclared one conforms to; `.data` where nil.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self = UTType(identifier) ?? UTType(undeclared: identifier, under: parentType ?? .data)
    }

    /// The type of someone else that the program uses under an identifier, whether it is declared or not.
    ///
    /// As Apple's: where another type is preferred for the type's preferred file-name extension, that one is meant.
    ///
    /// - Parameters:
    ///   - identifier: Its identifier.
    ///   - parentType: What an undeclared one conforms to; `.data` where nil.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        guard let type = UTType(identifier) else {
            self.init(undeclared: identifier, under: parentType ?? .data)
            return
        }
        self = type
        guard let filenameExtension = type.preferredFilenameExtension else { return }
        // Files and folders share extensions (`app`), and one never stands for the other.
        let kind = [UTType.data, .directory].first { type.conforms(to: $0) }
        let preferred = UTType(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: kind)
        if let preferred, preferred.isDeclared { self = preferred }
    }

    init?(_ identifier: String, in catalogue: Catalogue) {
        var row: Int?
        if let found = identifier.utf8.withContiguousStorageIfAvailable({ catalogue.row(identifier: $0) }) {
            row = found
        } else {
            row = ASCII.key(of: identifier).withUnsafeBufferPointer { catalogue.row(identifier: $0) }
        }
        if let row {
            self.init(catalogue: catalogue, row: row)
        } else if let decoded = DynamicIdentifier(identifier) {
            self.init(decoded, in: catalogue)
        } else {
            return nil
        }
    }

    init(undeclared identifier: String, under parent: UTType) {
        self.init(loose: LooseType(identifier: identifier, isDynamic: false, parents: [parent], tags: []))
    }

    private init(dynamicTags tags: [(UTTagClass, String)], under supertype: UTType?) {
        let dynamic = DynamicIdentifier(
            supertype: supertype?.identifier, tags: tags.map { LooseType.Tag(tagClass: $0.0, value: $0.1) })
        let parents = supertype.map { [$0] } ?? []
        self.init(
            loose: LooseType(
                identifier: dynamic.identifier, isDynamic: true, parents: parents, tags: dynamic.tags))
    }

    private init(_ dynamic: DynamicIdentifier, in catalogue: Catalogue) {
        var parents: [UTType] = []
        if let name = dynamic.supertype {
            parents = [
                UTType(name, in: catalogue)
                    ?? UTType(loose: LooseType(identifier: name, isDynamic: false, parents: [], tags: []))
            ]
        }
        self.init(
            loose: LooseType(
                identifier: dynamic.identifier, isDynamic: true, parents: parents, tags: dynamic.tags))
    }
}
