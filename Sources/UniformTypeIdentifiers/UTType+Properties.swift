extension UTType {
    /// The identifier, as it was declared or made.
    public var identifier: String {
        loose?.identifier ?? catalogue.text(catalogue.rows[row].identifier)
    }

    /// The first of the file-name extensions, without a dot; nil where there is none, as for types high in the tree.
    public var preferredFilenameExtension: String? {
        if let loose { return loose.firstTag(.filenameExtension) }
        return firstTag(catalogue.rows[row].extensions) ?? firstTag(current.rows[rowInCurrent].extensions, in: current)
    }

    /// The first of the MIME types; nil where there is none.
    public var preferredMIMEType: String? {
        if let loose { return loose.firstTag(.mimeType) }
        return firstTag(catalogue.rows[row].mimeTypes) ?? firstTag(current.rows[rowInCurrent].mimeTypes, in: current)
    }

    /// A description for people, in English; a declared type without one takes the nearest supertype's.
    ///
    /// Nil for types that are not declared, dynamic ones among them.
    public var localizedDescription: String? {
        guard loose == nil else { return nil }
        if let own = ownDescription { return own }
        return conformanceList.lazy.compactMap(\.ownDescription).first
    }

    /// The version of the declaration; nil where it names none, as the built-in ones do.
    public var version: Int? { ownDetails?.version }

    /// Where the format is described; nil where the declaration does not say.
    public var referenceURL: URL? { ownDetails?.referenceURL }

    /// Whether this stands for tags that no declared type has.
    public var isDynamic: Bool { loose?.isDynamic ?? false }

    /// Whether this is declared: built in, or by ``declare(_:)``.
    public var isDeclared: Bool { loose == nil }

    /// Whether this is in the public domain: its identifier begins with `public.`, and it is not dynamic.
    public var isPublic: Bool {
        !isDynamic && withKey { $0.starts(with: "public.".utf8) }
    }

    /// All tags by class, the preferred ones first.
    public var tags: [UTTagClass: [String]] {
        if let loose {
            return Dictionary(grouping: loose.tags, by: \.tagClass).mapValues { $0.map(\.value) }
        }
        let facts = current
        let entry = facts.rows[rowInCurrent]
        var tags = entry.details >= 0 ? facts.details[Int(entry.details)].otherTags : [:]
        if !entry.extensions.isEmpty { tags[.filenameExtension] = facts.texts(entry.extensions) }
        if !entry.mimeTypes.isEmpty { tags[.mimeType] = facts.texts(entry.mimeTypes) }
        return tags
    }

    /// Where a declared type's tags are read: a built-in one may have got more by an import since the value was made.
    private var current: Catalogue { isBuiltIn ? .current : catalogue }

    /// The row of a built-in type is the same everywhere.
    private var rowInCurrent: Int { row }

    private var ownDescription: String? {
        guard loose == nil else { return nil }
        let range = catalogue.rows[row].description
        return range.isEmpty ? nil : catalogue.text(range)
    }

    private var ownDetails: Catalogue.Details? {
        guard loose == nil else { return nil }
        let place = Int(catalogue.rows[row].details)
        return place < 0 ? nil : catalogue.details[place]
    }

    private func firstTag(_ range: Range<Int32>, in other: Catalogue? = nil) -> String? {
        let catalogue = other ?? self.catalogue
        return range.isEmpty ? nil : catalogue.text(catalogue.tags[Int(range.lowerBound)])
    }
}

extension LooseType {
    /// The first tag of a class, unless it is empty.
    fileprivate func firstTag(_ tagClass: UTTagClass) -> String? {
        tags.first { $0.tagClass == tagClass && !$0.value.isEmpty }?.value
    }
}
