import UniformTypeIdentifiers

/// What a document is, and what that was concluded from.
public struct Detection: Sendable {
    /// The type; `public.data` where nothing is known.
    public let type: UTType
    /// The freedesktop or IANA name of the format, canonical where the freedesktop database is installed.
    public let mime: String?
    /// Whether the content, the name or both told it.
    public let evidence: Evidence
    /// Whether the content contradicts the name.
    public let mismatch: Bool
    /// Whether the content could not be read, so that the name had to do.
    public let unread: Bool

    /// A detection of these facts.
    public init(type: UTType, mime: String?, evidence: Evidence, mismatch: Bool, unread: Bool) {
        self.type = type
        self.mime = mime
        self.evidence = evidence
        self.mismatch = mismatch
        self.unread = unread
    }
}
