import UniformTypeIdentifiers

/// The settings of a `[Type IDENTIFIER]` section: one of the UTExportedTypeDeclarations of this system, with its
/// magic.
package struct TypeSettings: Sendable, Equatable {
    /// A description for people; nil takes a supertype's.
    package var description: String?
    /// The identifiers of the direct supertypes.
    package var conformsTo: [[UInt8]] = []
    /// File-name extensions, the preferred one first.
    package var extensions: [[UInt8]] = []
    /// MIME types, the preferred one first.
    package var mimeTypes: [[UInt8]] = []
    /// Which bytes its documents have; each alternative is enough.
    package var magic: [[TypeMagic.Part]] = []
    /// The version of the declaration.
    package var version: Int?
    /// Where the format is described.
    package var referenceURL: URL?
    /// Someone else owns the type, so that a built-in one takes precedence.
    package var imported = false

    /// A declaration that says nothing.
    package init() {}

    /// The declaration as the type library takes it.
    func declaration(of identifier: String, origin: ConfigurationOrigin) -> UTTypeDeclaration {
        var tags: [UTTagClass: [String]] = [:]
        if !extensions.isEmpty { tags[.filenameExtension] = extensions.map(Self.text) }
        if !mimeTypes.isEmpty { tags[.mimeType] = mimeTypes.map(Self.text) }
        return UTTypeDeclaration(
            identifier: identifier, conformsTo: conformsTo.map(Self.text), description: description, tags: tags,
            version: version, referenceURL: referenceURL, kind: imported ? .imported : .exported,
            origin: origin.description)
    }

    /// Words of a list that was checked to be UTF-8 when it was read.
    private static func text(_ word: [UInt8]) -> String { String(decoding: word, as: UTF8.self) }
}

extension TypeSettings: SettingsSection {
    static let sectionName = "Type"

    static let fields: [SettingField<TypeSettings>] = [
        .scalar("Description", \.description, ValueFormat.text.optional()),
        .list("ConformsTo", \.conformsTo, each: checkedIdentifier),
        .list("Extensions", \.extensions) { word throws(ValueProblem) in try check(word, .filenameExtension) },
        .list("MIMETypes", \.mimeTypes) { word throws(ValueProblem) in try check(word, .mimeType) },
        .magic("Magic", \.magic),
        .scalar("Version", \.version, ValueFormat.count.optional()),
        .scalar("ReferenceURL", \.referenceURL, ValueFormat.url.optional()),
        .scalar("Imported", \.imported, .boolean),
    ]

    /// An identifier of a type, well formed; whether it is known is decided when all are read.
    static func checkedIdentifier(_ word: [UInt8]) throws(ValueProblem) {
        let text = try ValueFormat.text.parse(word)
        if let error = UTTypeDeclaration.syntaxError(in: text) {
            throw ValueProblem(
                "\(quotedExcerpt(word)) is not an identifier: \(error)\(TypeSuggestion.advice(on: text))")
        }
    }

    private static func check(_ word: [UInt8], _ tagClass: UTTagClass) throws(ValueProblem) {
        let text = try ValueFormat.text.parse(word)
        if let error = UTTypeDeclaration.syntaxError(inTag: text, of: tagClass) {
            throw ValueProblem("\(quotedExcerpt(word)) \(error)")
        }
    }
}

extension SettingField {
    /// A key of which each assignment is an alternative; an empty one empties.
    fileprivate static func magic(
        _ name: String, _ path: any WritableKeyPath<Settings, [[TypeMagic.Part]]> & Sendable
    ) -> SettingField {
        SettingField(
            name: name,
            assign: { (value: [UInt8], settings: inout Settings, _: Settings) throws(ValueProblem) in
                guard !value.isEmpty else {
                    settings[keyPath: path] = []
                    return
                }
                let parts = try TypeMagic.parse(value)
                guard !settings[keyPath: path].contains(parts) else { return }
                guard settings[keyPath: path].count < TypeMagic.mostAlternatives else {
                    throw ValueProblem("there are more than \(TypeMagic.mostAlternatives) alternatives")
                }
                settings[keyPath: path].append(parts)
            },
            lines: { settings, _ in
                let alternatives = settings[keyPath: path]
                return alternatives.isEmpty ? [""] : alternatives.map(TypeMagic.text)
            },
            isList: true)
    }
}

extension ValueFormat where Value == String {
    /// Text: as it is, or one quoted word; UTF-8 without a control character.
    static let text = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> String in
            let word = try WordList.single(bytes)
            guard let text = String(validating: word, as: UTF8.self) else { throw .notA("UTF-8", word) }
            guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                throw ValueProblem("\(quotedExcerpt(word)) holds a control character")
            }
            return text
        },
        text: { text in
            let bytes = Array(text.utf8)
            let isPlain =
                bytes.trimmingBlanks().count == bytes.count && bytes.last != UInt8(ascii: "\\")
                && bytes.first.map { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") } ?? false
            return isPlain ? text : WordList.quoted(bytes)
        })
}

extension ValueFormat where Value == URL {
    /// A URL with a scheme.
    static let url = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> URL in
            let text = try ValueFormat<String>.text.parse(bytes)
            guard let url = URL(string: text), url.scheme != nil else {
                throw .notA("a URL, such as https://example.com/format", bytes)
            }
            return url
        }, text: { $0.absoluteString })
}
