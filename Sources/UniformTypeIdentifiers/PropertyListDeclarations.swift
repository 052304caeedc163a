/// The declarations in Apple's `Info.plist`: types that an application exports and imports, and the documents it takes.
///
/// The keys are those of Apple's *Information Property List Key Reference*: `UTExportedTypeDeclarations`,
/// `UTImportedTypeDeclarations` and `CFBundleDocumentTypes`; all others are passed over. Both the XML and the binary
/// form are read. Opens no file: the caller has the bytes.
public struct PropertyListDeclarations: Sendable, Hashable {
    /// The exported types, then the imported ones, each in their order.
    public private(set) var types: [UTTypeDeclaration] = []

    /// The document types, in their order.
    public private(set) var documentTypes: [DocumentTypeDeclaration] = []

    /// The entries that were left out, and why.
    public private(set) var problems: [UTTypeDeclarationProblem] = []

    /// The lines of an XML list, from 1, in which the entries begin, by what follows the label in their origins, such
    /// as `CFBundleDocumentTypes[0]`; none of a binary list.
    public private(set) var entryLines: [String: Int] = [:]

    private let label: String

    /// Reads the bytes of a property list.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - label: The name of the file in messages, such as its path.
    /// - Throws: ``PropertyListError`` if the bytes are no property list, or not one with a dictionary at its top.
    ///   Entries without the form they must have are left out, and ``problems`` names them.
    public init(_ bytes: [UInt8], label: String) throws(PropertyListError) {
        self.label = label
        let list: PropertyList
        do throws(PropertyListError) {
            list = try PropertyList(bytes, entryLines: &entryLines)
        } catch {
            var labelled = error
            labelled.label = label
            throw labelled
        }
        guard let top = list.dictionary else {
            var error = PropertyListError("the property list is no dictionary")
            error.label = label
            throw error
        }
        for (entry, fields) in entries(of: top, "UTExportedTypeDeclarations") {
            readType(fields, entry: entry, kind: .exported)
        }
        for (entry, fields) in entries(of: top, "UTImportedTypeDeclarations") {
            readType(fields, entry: entry, kind: .imported)
        }
        for (entry, fields) in entries(of: top, "CFBundleDocumentTypes") {
            readDocumentType(fields, entry: entry)
        }
    }

    /// The dictionaries in the array under a key, each with its place for messages.
    private mutating func entries(
        of top: [String: PropertyList], _ key: String
    ) -> [(entry: String, fields: [String: PropertyList])] {
        guard let value = top[key] else { return [] }
        guard let elements = value.array else {
            report("it must be an array", at: key)
            return []
        }
        var entries: [(entry: String, fields: [String: PropertyList])] = []
        for (index, element) in elements.enumerated() {
            let entry = "\(key)[\(index)]"
            if let fields = element.dictionary {
                entries.append((entry, fields))
            } else {
                report("the entry must be a dictionary", at: entry)
            }
        }
        return entries
    }

    private mutating func readType(_ fields: [String: PropertyList], entry: String, kind: UTTypeDeclaration.Kind) {
        guard let identifier = fields["UTTypeIdentifier"]?.string, !identifier.isEmpty else {
            report("UTTypeIdentifier must be a string; the entry is left out", at: entry)
            return
        }
        if let error = UTTypeDeclaration.syntaxError(in: identifier) {
            report(
                "the identifier is malformed: \(error); the entry is left out", at: entry, of: identifier,
                rule: .identifierSyntax)
            return
        }
        var declaration = UTTypeDeclaration(identifier: identifier, kind: kind, origin: "\(label): \(entry)")
        declaration.conformsTo = strings(fields, "UTTypeConformsTo", entry: entry, identifier: identifier)
        declaration.description = string(fields, "UTTypeDescription", entry: entry, identifier: identifier)
        declaration.version = version(fields["UTTypeVersion"])
        if let address = string(fields, "UTTypeReferenceURL", entry: entry, identifier: identifier) {
            declaration.referenceURL = URL(string: address)
            if declaration.referenceURL == nil {
                report("UTTypeReferenceURL is no URL; it is left out", at: entry, of: identifier)
            }
        }
        if let specification = fields["UTTypeTagSpecification"] {
            if let classes = specification.dictionary {
                for name in classes.keys.sorted() {
                    let texts = strings(classes, name, entry: entry, identifier: identifier)
                    if !texts.isEmpty { declaration.tags[UTTagClass(rawValue: name)] = texts }
                }
            } else {
                report("UTTypeTagSpecification must be a dictionary; it is left out", at: entry, of: identifier)
            }
        }
        types.append(declaration)
    }

    private mutating func readDocumentType(_ fields: [String: PropertyList], entry: String) {
        var document = DocumentTypeDeclaration(origin: "\(label): \(entry)")
        document.name = string(fields, "CFBundleTypeName", entry: entry)
        document.contentTypes = strings(fields, "LSItemContentTypes", entry: entry)
        document.filenameExtensions = strings(fields, "CFBundleTypeExtensions", entry: entry)
        document.mimeTypes = strings(fields, "CFBundleTypeMIMETypes", entry: entry)
        if let rank = string(fields, "LSHandlerRank", entry: entry) {
            if let known = DocumentTypeDeclaration.Rank(rawValue: rank) {
                document.rank = known
            } else {
                report("LSHandlerRank must be Owner, Default, Alternate or None; Default is taken", at: entry)
            }
        }
        documentTypes.append(document)
    }

    private mutating func string(
        _ fields: [String: PropertyList], _ key: String, entry: String, identifier: String? = nil
    ) -> String? {
        guard let value = fields[key] else { return nil }
        if let text = value.string { return text }
        report("\(key) must be a string; it is left out", at: entry, of: identifier)
        return nil
    }

    /// A list of strings; a single string counts as a list of one.
    private mutating func strings(
        _ fields: [String: PropertyList], _ key: String, entry: String, identifier: String? = nil
    ) -> [String] {
        guard let value = fields[key] else { return [] }
        if let text = value.string { return [text] }
        let texts = value.array?.compactMap(\.string)
        if texts == nil || texts?.count != value.array?.count {
            report(
                "\(key) must be a string or an array of strings; what is not is left out", at: entry,
                of: identifier)
        }
        return texts ?? []
    }

    /// An integer, or the whole part of a number that is written as text (`"1.0"`).
    private func version(_ value: PropertyList?) -> Int? {
        switch value {
        case .integer(let number)?: number
        case .string(let text)?: Int(text.prefix { $0 != "." })
        default: nil
        }
    }

    private mutating func report(
        _ message: String, at entry: String, of identifier: String? = nil,
        rule: UTTypeDeclarationProblem.Rule = .malformedEntry
    ) {
        problems.append(
            UTTypeDeclarationProblem(
                origin: "\(label): \(entry)", identifier: identifier, rule: rule, message: message))
    }
}
