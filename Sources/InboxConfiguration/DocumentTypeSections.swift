import InboxLinux

/// One document type of the configuration.
package struct ConfiguredDocumentType: Sendable, Equatable {
    /// Its name.
    package let name: String
    /// Where its first section begins; of an entry of a property list the file.
    package let origin: ConfigurationOrigin
    /// The combined settings of its sections.
    package internal(set) var settings: DocumentTypeSettings
    /// The keys that they set, and where.
    package let origins: [String: [ConfigurationOrigin]]
    /// The document type is from an entry of `CFBundleDocumentTypes`, and has no section.
    package let isFromPropertyList: Bool
}

/// The `[DocumentType NAME]` sections while they are gathered: a later file, or an option, changes the section of an
/// earlier one; two in one file are a mistake.
struct DocumentTypeSections: NamedSections {
    private struct Section {
        let name: String
        let origin: ConfigurationOrigin
        /// The files that have a share in it.
        var sources: [String: ConfigurationOrigin] = [:]
        var settings = TrackedSettings<DocumentTypeSettings>()
        /// Where each identifier was written.
        var contentTypes: [[UInt8]: ConfigurationOrigin] = [:]
    }

    private var sections: [Section] = []
    private var indices: [String: Int] = [:]

    /// There are no sections.
    var isEmpty: Bool { sections.isEmpty }

    /// Finds the section of a name, or begins it.
    /// - Returns: its number, for ``assign(_:toSectionAt:)``.
    mutating func begin(_ argument: [UInt8]?, at origin: ConfigurationOrigin) throws(ValueProblem) -> Int {
        guard let argument else { throw ValueProblem("[DocumentType] needs a name: [DocumentType NAME]") }
        let name: String
        do throws(ValueProblem) { name = try Self.name(argument) } catch {
            throw ValueProblem("[DocumentType NAME]: \(error.text)")
        }
        let index = indices[name] ?? sections.count
        if index == sections.count {
            indices[name] = index
            sections.append(Section(name: name, origin: origin))
        }
        if case .file(let label, _) = origin {
            if let first = sections[index].sources[label] {
                throw ValueProblem("[DocumentType \(quotedExcerpt(name.utf8))] is there already (\(first))")
            }
            sections[index].sources[label] = origin
        }
        return index
    }

    /// A name is text that can be a component of a path: `{documentType}` becomes one.
    private static func name(_ argument: [UInt8]) throws(ValueProblem) -> String {
        let name = try ValueFormat<String>.text.parse(argument)
        guard FileName(name) != nil, name.utf8.count <= FileName.longest else {
            throw ValueProblem("\(quotedExcerpt(name.utf8)) could not be the name of a folder, as {documentType} is")
        }
        return name
    }

    /// Takes one assignment; without a section its key and value are checked all the same.
    /// - Returns: false where there is no such key.
    mutating func assign(_ entry: ParsedEntry, toSectionAt index: Int?) throws(ValueProblem) -> Bool {
        guard let index else {
            var nowhere = TrackedSettings<DocumentTypeSettings>()
            return try nowhere.assign(entry)
        }
        guard try sections[index].settings.assign(entry) else { return false }
        if entry.key == "ContentTypes" {
            for word in sections[index].settings.values.contentTypes where sections[index].contentTypes[word] == nil {
                sections[index].contentTypes[word] = entry.origin
            }
        }
        return true
    }

    /// The document types, in the order in which they first appear.
    var documentTypes: [ConfiguredDocumentType] {
        sections.map {
            ConfiguredDocumentType(
                name: $0.name, origin: $0.origin, settings: $0.settings.values, origins: $0.settings.origins,
                isFromPropertyList: false)
        }
    }

    /// Where an identifier of a document type was written.
    func origin(of contentType: [UInt8], ofSection name: String) -> ConfigurationOrigin? {
        indices[name].flatMap { sections[$0].contentTypes[contentType] }
    }
}
