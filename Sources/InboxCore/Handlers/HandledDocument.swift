import InboxFiling
import InboxLinux
import UniformTypeIdentifiers

/// A filed document, as a handler receives it in its arguments and environment.
struct HandledDocument: Sendable, Hashable {
    /// The id of its record.
    let id: String
    /// Where it is.
    let path: BytePath
    /// Where it was in the Inbox.
    let source: BytePath
    /// The type's identifier.
    let type: String
    /// The MIME type; nil where none is known.
    let mime: String?
    /// The size in bytes.
    let size: UInt64
    /// The name of its document type.
    let documentType: String
    /// Its annotations, by key.
    let annotations: [String: String]
    /// The facts that its checks reported, by key.
    let facts: [String: String]
    /// The properties that the document states of itself, by the names of the record's members.
    let told: [String: String]
    /// The number of the user whom it belongs to; the daemon's own where its record does not say that.
    let owner: UInt32
    /// The document's identity when it was filed; nil if its record does not state it.
    let identity: FileIdentity?

    /// A document of these facts.
    init(
        id: String, path: BytePath, source: BytePath, type: String, mime: String?, size: UInt64, documentType: String,
        annotations: [String: String] = [:], facts: [String: String] = [:], told: [String: String] = [:],
        owner: UInt32? = nil,
        identity: FileIdentity? = nil
    ) {
        self.id = id
        self.path = path
        self.source = source
        self.type = type
        self.mime = mime
        self.size = size
        self.documentType = documentType
        self.annotations = annotations
        self.facts = facts
        self.told = told
        self.owner = owner ?? Process.user
        self.identity = identity
    }

    /// Milliseconds: the kernel stamps a birth with the time of its last tick, so much before now at most, and a handler's
    /// new version may be born within that of the record.
    private static let tick: UInt32 = 10

    /// Returns true if the file that has the document's name may be given to the handler, which gets it with the
    /// daemon's rights: the document itself, whatever was written into it since, or a new version made by the
    /// daemon's user, as editors and handlers do. Any other file was put there by somebody else, or is older.
    func accepts(_ found: FileStatus, on filesystem: Filesystem, user: UInt32) -> Bool {
        guard found.kind == .regular || found.kind == .directory else { return false }
        if let identity {
            if found.identity.file.isFile(identity.file) { return true }
            // Where the same file may get another inode number, its size and time are all that is left of it.
            if filesystem.isLayered || !filesystem.hasLastingInodes {
                let isUnchanged = found.size == identity.size && found.identity.modified == identity.modified
                if isUnchanged || (found.kind == .directory && !filesystem.hasLastingInodes) { return true }
            }
        }
        guard found.owner == user, let birth = found.identity.file.birth else { return false }
        return RecordID(before: birth.later(byMilliseconds: Self.tick)).text > id
    }

    /// Every supertype of its type, each before all its own supertypes.
    var supertypes: [String] { UTType(type)?.conformanceList.map(\.identifier) ?? [] }
}
