/// The declaration of a type as a value: its entry in an `Info.plist` under `UTExportedTypeDeclarations` or
/// `UTImportedTypeDeclarations`.
public struct UTTypeDeclaration: Sendable, Hashable {
    /// Who defines the type.
    public enum Kind: Sendable, Hashable {
        /// The declarer owns the type, and goes before the built-in types.
        case exported
        /// The declarer knows the type of someone else; built-in types go first.
        case imported
    }

    /// The identifier, in reverse DNS (`UTTypeIdentifier`).
    public var identifier: String

    /// The identifiers of the direct supertypes, the most important one first (`UTTypeConformsTo`).
    public var conformsTo: [String]

    /// A description for people (`UTTypeDescription`).
    public var description: String?

    /// The tags by class, the preferred ones first (`UTTypeTagSpecification`).
    public var tags: [UTTagClass: [String]]

    /// The version of the declaration (`UTTypeVersion`).
    public var version: Int?

    /// Where the format is described (`UTTypeReferenceURL`).
    public var referenceURL: URL?

    /// The party that defines the type.
    public var kind: Kind

    /// The place of the declaration, for messages: a file and the entry in it.
    public var origin: String?

    /// A declaration with these parts.
    public init(
        identifier: String,
        conformsTo: [String] = [],
        description: String? = nil,
        tags: [UTTagClass: [String]] = [:],
        version: Int? = nil,
        referenceURL: URL? = nil,
        kind: Kind = .exported,
        origin: String? = nil
    ) {
        self.identifier = identifier
        self.conformsTo = conformsTo
        self.description = description
        self.tags = tags
        self.version = version
        self.referenceURL = referenceURL
        self.kind = kind
        self.origin = origin
    }

    /// Returns why an identifier is malformed, or nil if it is well formed.
    ///
    /// The rule is that of Apple's *Uniform Type Identifier Concepts*: ASCII letters, digits, hyphens, periods and
    /// characters above U+007F, in reverse DNS; so there are at least two parts, and none is empty.
    public static func syntaxError(in identifier: String) -> String? {
        for scalar in identifier.unicodeScalars where !isAllowed(scalar) {
            return "the character \(scalar.escaped(asASCII: true).debugDescription) is not allowed: "
                + "ASCII letters, digits, \"-\", \".\" and characters above U+007F are"
        }
        let parts = identifier.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.contains(where: \.isEmpty) { return "a part between periods is empty" }
        if parts.count < 2 { return "it is not in reverse DNS, such as com.example.document" }
        return nil
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".": true
        default: scalar.value > 0x7F
        }
    }
}

extension UTType {
    /// The declaration of this type as a value; nil if it is not declared. Built-in types count as exported.
    public var declaration: UTTypeDeclaration? {
        guard isDeclared else { return nil }
        return UTTypeDeclaration(
            identifier: identifier,
            conformsTo: directSupertypes.map(\.identifier),
            description: ownDescription,
            tags: tags,
            version: version,
            referenceURL: referenceURL,
            kind: ownDetails?.isExported == false ? .imported : .exported,
            origin: ownDetails?.origin)
    }
}
