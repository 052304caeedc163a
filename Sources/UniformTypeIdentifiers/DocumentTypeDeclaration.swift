/// An entry of `CFBundleDocumentTypes`: which documents an application takes, and how willingly.
public struct DocumentTypeDeclaration: Sendable, Hashable {
    /// The willingness to take the documents (`LSHandlerRank`).
    public enum Rank: String, Sendable, Hashable, CaseIterable {
        /// The application made the type.
        case owner = "Owner"
        /// One of several that take it; the default where the entry names no rank.
        case `default` = "Default"
        /// Rather another one.
        case alternate = "Alternate"
        /// Never.
        case none = "None"
    }

    /// The name of the entry (`CFBundleTypeName`), or nil.
    public var name: String?

    /// The identifiers of the types that are taken (`LSItemContentTypes`).
    public var contentTypes: [String]

    /// File-name extensions (`CFBundleTypeExtensions`), without a dot; `*` means every file.
    public var filenameExtensions: [String]

    /// MIME types (`CFBundleTypeMIMETypes`).
    public var mimeTypes: [String]

    /// The willingness to take them (`LSHandlerRank`).
    public var rank: Rank

    /// The place of the entry, for messages.
    public var origin: String?

    /// An entry with these parts.
    public init(
        name: String? = nil,
        contentTypes: [String] = [],
        filenameExtensions: [String] = [],
        mimeTypes: [String] = [],
        rank: Rank = .default,
        origin: String? = nil
    ) {
        self.name = name
        self.contentTypes = contentTypes
        self.filenameExtensions = filenameExtensions
        self.mimeTypes = mimeTypes
        self.rank = rank
        self.origin = origin
    }
}
