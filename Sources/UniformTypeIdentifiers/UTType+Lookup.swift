extension UTType {
    /// The type with an identifier, in any case of letters; nil if it is neither declared nor a well-formed dynamic
    /// one.
    public init?(_ identifier: String) {
        self.init(identifier, in: .current)
    }

    /// Creates the type of a file-name extension under a supertype.
    ///
    /// As Apple's: if no declared type under `supertype` has the extension, the result is a dynamic type under it. A
    /// package's extension is found under `.package` or `.directory`, not under `.data`. The extension of `a.tar.gz`
    /// is `gz`: `tar.gz` as a whole is not declared.
    ///
    /// - Parameters:
    ///   - filenameExtension: Without the leading dot, in any case of letters; nil is returned for an empty one.
    ///   - supertype: The type that the result must conform to.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(filenameExtension, of: .filenameExtension, under: supertype)
    }

    /// Creates the type of a MIME type under a supertype; a dynamic one if none is declared.
    ///
    /// - Parameters:
    ///   - mimeType: In any case of letters; parameters (`; charset=utf-8`) and blanks are dropped.
    ///   - supertype: The type that the result must conform to.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(mimeType, of: .mimeType, under: supertype)
    }

    /// The preferred type of a tag under a supertype, if one is given; otherwise a dynamic one.
    ///
    /// - Returns: nil only for an empty tag (or a tag class without a name).
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        if let known = KnownTagClass(tagClass) {
            self.init(tag, of: known, under: supertype)
            return
        }
        guard !tag.isEmpty, !tagClass.rawValue.isEmpty else { return nil }
        let catalogue = Catalogue.current
        let rows = UTType.declaredRows(tag: tag, tagClass: tagClass, under: supertype, in: catalogue)
        if let row = rows.first {
            self.init(catalogue: catalogue, row: row)
        } else {
            self.init(dynamicTag: tag, of: tagClass, under: supertype)
        }
    }

    private init?(_ tag: String, of tagClass: KnownTagClass, under supertype: UTType?) {
        // Before the tag is brought into form: nearly every one is declared, and is found in any case of letters.
        let catalogue = Catalogue.current
        if let row = UTType.declaredRow(tag: tag, tagClass: tagClass, under: supertype, in: catalogue) {
            self.init(catalogue: catalogue, row: row)
            return
        }
        let normalized = UTType.normalized(tag, of: tagClass)
        guard !normalized.isEmpty else { return nil }
        if let row = UTType.declaredRow(tag: normalized, tagClass: tagClass, under: supertype, in: catalogue) {
            self.init(catalogue: catalogue, row: row)
        } else {
            self.init(
                dynamicTag: normalized, of: tagClass == .mimeType ? .mimeType : .filenameExtension, under: supertype)
        }
    }

    /// Every declared type of a tag under a supertype, the preferred one first; where there is none, one dynamic type.
    ///
    /// - Returns: An empty list only for an empty tag (or a tag class without a name).
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        let tag = normalized(tag, of: KnownTagClass(tagClass))
        guard !tag.isEmpty, !tagClass.rawValue.isEmpty else { return [] }
        let catalogue = Catalogue.current
        let rows = declaredRows(tag: tag, tagClass: tagClass, under: supertype, in: catalogue)
        guard rows.isEmpty else { return rows.map { UTType(catalogue: catalogue, row: $0) } }
        return [UTType(dynamicTag: tag, of: tagClass, under: supertype)]
    }

    /// Creates the type that the program owns under an identifier, whether it is declared or not.
    ///
    /// - Parameters:
    ///   - identifier: Its identifier.
    ///   - parentType: The supertype of an undeclared one; `.data` if nil.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self = UTType(identifier) ?? UTType(undeclared: identifier, under: parentType ?? .data)
    }

    /// Creates the type of someone else that the program uses under an identifier, whether it is declared or not.
    ///
    /// As Apple's: if another type is preferred for the type's preferred file-name extension, that one is meant.
    ///
    /// - Parameters:
    ///   - identifier: Its identifier.
    ///   - parentType: The supertype of an undeclared one; `.data` if nil.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        guard let type = UTType(identifier) else {
            self.init(undeclared: identifier, under: parentType ?? .data)
            return
        }
        self = type
        guard let filenameExtension = type.preferredFilenameExtension else { return }
        // Files and folders share extensions (`app`), and a type of one is never that of the other.
        let kind = [UTType.data, .directory].first { type.conforms(to: $0) }
        let preferred = UTType(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: kind)
        if let preferred, preferred.isDeclared { self = preferred }
    }

    init?(_ identifier: String, in catalogue: Catalogue) {
        let row = identifier.withBytes { catalogue.row(identifier: $0) }
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

    private init(dynamicTag tag: String, of tagClass: UTTagClass, under supertype: UTType?) {
        let dynamic = DynamicIdentifier(
            supertypes: supertype.map { [$0.identifier] } ?? [], tags: [LooseType.Tag(tagClass: tagClass, value: tag)])
        let parents = supertype.map { [$0] } ?? []
        self.init(
            loose: LooseType(
                identifier: dynamic.identifier, isDynamic: true, parents: parents, tags: dynamic.tags))
    }

    private init(_ dynamic: DynamicIdentifier, in catalogue: Catalogue) {
        let parents = dynamic.supertypes.map { name in
            UTType(name, in: catalogue)
                ?? UTType(loose: LooseType(identifier: name, isDynamic: false, parents: [], tags: []))
        }
        self.init(
            loose: LooseType(
                identifier: dynamic.identifier, isDynamic: true, parents: parents, tags: dynamic.tags))
    }
}
