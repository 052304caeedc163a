import UniformTypeIdentifiers

/// The type of a document, and the evidence for it.
package struct Detection: Sendable {
    /// The type; `public.data` where nothing is known.
    package let type: UTType
    /// The freedesktop or IANA name of the format, canonical where the freedesktop database is installed.
    package let mime: String?
    /// The evidence for the type: the content, the name or both.
    package let evidence: Evidence
    /// The content contradicts the name.
    package let mismatch: Bool
    /// The content could not be read, so that the name had to decide.
    package let unread: Bool
    /// The missing part of a file that its own format shows to be cut off; nil for every other file.
    package let incomplete: String?

    /// It is a database of SQLite, which keeps logs under its name with an ending.
    package var isDatabase: Bool { mime == "application/vnd.sqlite3" }

    /// A detection of these facts.
    package init(
        type: UTType, mime: String?, evidence: Evidence, mismatch: Bool, unread: Bool, incomplete: String? = nil
    ) {
        self.type = type
        self.mime = mime
        self.evidence = evidence
        self.mismatch = mismatch
        self.unread = unread
        self.incomplete = incomplete
    }
}
