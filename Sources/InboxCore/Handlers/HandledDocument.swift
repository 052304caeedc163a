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

    /// The document of a record; nil where no document type has accepted it.
    init?(_ record: FiledRecord) {
        guard let documentType = record.documentType else { return nil }
        self.init(record, documentType)
    }

    /// The document of a record that recovery has made, which may name no document type; nil where none accepts it now.
    init?(recovered record: FiledRecord, _ choice: DocumentTypeChoice?) {
        let winner = FileName(record.source.lastComponent).flatMap { name in
            UTType(record.type).flatMap { choice?.winner(for: $0, name) }
        }
        guard let documentType = record.documentType ?? winner?.configured.name else { return nil }
        self.init(record, documentType)
    }

    private init(_ record: FiledRecord, _ documentType: String) {
        id = record.id.text
        path = record.destination
        source = record.source
        type = record.type
        mime = record.mime
        size = record.size
        annotations = record.annotations
        self.documentType = documentType
    }

    /// A document of these facts.
    init(
        id: String, path: BytePath, source: BytePath, type: String, mime: String?, size: UInt64, documentType: String,
        annotations: [String: String] = [:]
    ) {
        self.id = id
        self.path = path
        self.source = source
        self.type = type
        self.mime = mime
        self.size = size
        self.documentType = documentType
        self.annotations = annotations
    }

    /// Every supertype of its type, each before all its own supertypes.
    var supertypes: [String] { UTType(type)?.conformanceList.map(\.identifier) ?? [] }
}
