import InboxLinux
import UniformTypeIdentifiers

/// Gathers the document types of the sections and of the property lists, and checks their content types.
struct DocumentTypeReading {
    /// Each search for the nearest name inspects every known type: with thousands of mistakes it would take its time.
    private static let mostHints = 16

    private let names: [String]
    private let keys: Set<String>
    private var hints = 0
    /// The names that property lists give, and the first list that does.
    private var named: [String: ConfigurationOrigin] = [:]
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var notices: [ConfigurationProblem] = []

    /// Knows the built-in types and these.
    init(_ declarations: [UTTypeDeclaration]) {
        names = declarations.map(\.identifier) + UTType.allBuiltIn.map(\.identifier)
        keys = Set(names.map { $0.lowercased() })
    }

    /// Checks the sections.
    mutating func read(_ sections: DocumentTypeSections) -> [ConfiguredDocumentType] {
        let documentTypes = sections.documentTypes
        for documentType in documentTypes {
            for word in documentType.settings.contentTypes {
                guard let words = unknown(word) else { continue }
                let origin = sections.origin(of: word, ofSection: documentType.name) ?? documentType.origin
                complain(origin, "ContentTypes: \(words)")
            }
        }
        return documentTypes
    }

    /// An entry of a property list.
    struct Entry {
        let declaration: DocumentTypeDeclaration
        /// Such as `CFBundleDocumentTypes[0]`.
        let name: String
        let origin: ConfigurationOrigin
    }

    /// Makes document types of the entries of property lists. Such a file is an application's own: what it says of
    /// types that nobody has declared is left out.
    mutating func read(_ entries: [Entry]) -> [ConfiguredDocumentType] {
        entries.compactMap { read in
            let (declaration, entry, origin) = (read.declaration, read.name, read.origin)
            var settings = DocumentTypeSettings()
            for identifier in declaration.contentTypes {
                if let words = unknown(Array(identifier.utf8)) {
                    notices.append(ConfigurationProblem(origin, "\(entry): LSItemContentTypes: \(words)"))
                } else {
                    settings.contentTypes.append(Array(identifier.utf8))
                }
            }
            guard let first = settings.contentTypes.first else {
                notices.append(
                    ConfigurationProblem(origin, "\(entry) has no known LSItemContentTypes, so that it accepts nothing")
                )
                return nil
            }
            settings.rank =
                switch declaration.rank {
                case .owner: .owner
                case .default: .default
                case .alternate: .alternate
                case .none: .none
                }
            let name = declaration.name.map { EscapedBytes.hidingControls($0) } ?? ""
            if !name.isEmpty, let first = named.updateValue(named[name] ?? origin, forKey: name) {
                notices.append(
                    ConfigurationProblem(
                        origin, "\(entry): another document type is called \(quotedExcerpt(name.utf8)) too (\(first))"))
            }
            return ConfiguredDocumentType(
                name: name.isEmpty ? String(decoding: first, as: UTF8.self) : name, origin: origin, settings: settings,
                origins: [:], isFromPropertyList: true)
        }
    }

    /// Returns why an identifier is not accepted; nil for a known one.
    private mutating func unknown(_ word: [UInt8]) -> String? {
        let identifier = String(decoding: word, as: UTF8.self)
        guard !keys.contains(identifier.lowercased()) else { return nil }
        hints += 1
        let hint =
            hints > Self.mostHints ? "" : TypeSuggestion.advice(on: identifier, among: names)
        return "\(quotedExcerpt(word)) is no known type\(hint)"
    }

    private mutating func complain(_ origin: ConfigurationOrigin, _ text: String) {
        problems.append(ConfigurationProblem(origin, text))
    }
}
