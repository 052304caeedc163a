extension UTType {
    /// The identifier, as it was declared or made.
    public var identifier: String {
        guard let (catalogue, row) = place else { return loose?.identifier ?? "" }
        return catalogue.text(catalogue.types.rows[row].identifier)
    }

    /// The first of the file-name extensions, without a dot; nil where there is none, as for types high in the tree.
    public var preferredFilenameExtension: String? {
        guard let (catalogue, row) = place else { return loose?.firstTag(.filenameExtension) }
        return catalogue.firstText(catalogue.types.rows[row].extensions)
    }

    /// The first of the MIME types; nil where there is none.
    public var preferredMIMEType: String? {
        guard let (catalogue, row) = place else { return loose?.firstTag(.mimeType) }
        return catalogue.firstText(catalogue.types.rows[row].mimeTypes)
    }

    /// A description for people, in English; a declared type without one takes the nearest supertype's.
    ///
    /// Nil for types that are not declared, dynamic ones among them.
    public var localizedDescription: String? {
        guard isDeclared else { return nil }
        if let own = ownDescription { return own }
        return conformanceList.lazy.compactMap(\.ownDescription).first
    }

    /// The version of the declaration; nil where it names none, as the built-in ones do.
    public var version: Int? { ownDetails?.version }

    /// Where the format is described; nil where the declaration does not name a place.
    public var referenceURL: URL? { ownDetails?.referenceURL }

    /// The type is made of tags that no declared type has.
    public var isDynamic: Bool { loose?.isDynamic == true }

    /// The type is declared: built in, or by ``declare(_:)``.
    public var isDeclared: Bool { loose == nil }

    /// The program has declared the type, or something of it: it is not built in alone.
    package var isOwn: Bool { ownDetails != nil }

    /// The type is in the public domain: its identifier begins with `public.`, and it is not dynamic.
    public var isPublic: Bool {
        !isDynamic && withKey { $0.starts(with: "public.".utf8) }
    }

    /// All tags by class, the preferred ones first.
    public var tags: [UTTagClass: [String]] {
        guard let (catalogue, row) = place else {
            return Dictionary(grouping: loose?.tags ?? [], by: \.tagClass).mapValues { $0.map(\.value) }
        }
        let entry = catalogue.types.rows[row]
        var tags = catalogue.types.details(of: row)?.otherTags ?? [:]
        if !entry.extensions.isEmpty { tags[.filenameExtension] = catalogue.texts(entry.extensions) }
        if !entry.mimeTypes.isEmpty { tags[.mimeType] = catalogue.texts(entry.mimeTypes) }
        return tags
    }

    /// The description that the declaration itself has.
    var ownDescription: String? {
        guard let (catalogue, row) = place else { return nil }
        let range = catalogue.types.rows[row].description
        return range.isEmpty ? nil : catalogue.text(range)
    }

    /// The properties that only own declarations have.
    var ownDetails: TypeRows.Details? {
        guard let (catalogue, row) = place else { return nil }
        return catalogue.types.details(of: row)
    }
}

extension Catalogue {
    /// The text of the first of several tags, or nil.
    fileprivate func firstText(_ range: Range<Int32>) -> String? {
        range.first.map { text(types.tags[Int($0)]) }
    }
}

extension LooseType {
    /// The first tag of a class, unless it is empty.
    fileprivate func firstTag(_ tagClass: UTTagClass) -> String? {
        tags.first { $0.tagClass == tagClass && !$0.value.isEmpty }?.value
    }
}
