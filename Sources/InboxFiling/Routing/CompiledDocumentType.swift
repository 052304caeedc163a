import InboxConfiguration
import InboxLinux
import InboxProperties
import UniformTypeIdentifiers

/// One document type of the configuration, ready to be compared with documents.
package final class CompiledDocumentType: Sendable {
    /// The document type as configured.
    package let configured: ConfiguredDocumentType
    /// The types that it accepts, with all that conform to them; none where it accepts any.
    let contentTypes: [UTType]
    /// Where its documents go.
    let destination: CompiledDestination
    /// The properties of a document that its templates and its handler need.
    let asked: DocumentProperties.Names
    /// The names that it accepts.
    let names: NameMatcher
    /// The conditions besides type and name; nil if there are none.
    let conditions: DocumentConditions?
    /// The check that decides whether its documents may be filed; nil where there is none.
    package let check: CheckInForce?

    init(
        _ configured: ConfiguredDocumentType, documents: BytePath, inboxes: [BytePath], check: CheckInForce? = nil
    ) {
        self.check = check
        self.configured = configured
        contentTypes = configured.settings.contentTypes.compactMap { UTType(String(decoding: $0, as: UTF8.self)) }
        asked = Self.asked(configured.settings)
        names = NameMatcher(configured.settings.names)
        conditions = DocumentConditions(configured.settings)
        destination = CompiledDestination(
            configured.settings.destination, documentType: configured.name, documents: documents, inboxes: inboxes)
    }

    /// Its templates name what extended attributes have.
    var namesAttributes: Bool {
        Self.pieces(configured.settings).flatMap(\.alternatives).contains {
            switch $0.source {
            case .annotation, .placeholder(.origin), .placeholder(.application): true
            default: false
            }
        }
    }

    private static func pieces(_ settings: DocumentTypeSettings) -> [TemplatePiece] {
        settings.destination.components.flatMap(\.self) + (settings.name?.pieces ?? [])
    }

    private static func asked(_ settings: DocumentTypeSettings) -> DocumentProperties.Names {
        // A handler is told all of it.
        if settings.run != nil { return .all }
        var asked: DocumentProperties.Names = []
        for case .placeholder(let placeholder) in pieces(settings).flatMap(\.alternatives).map(\.source) {
            if placeholder.isDate { asked.insert(.date) }
            if placeholder == .title { asked.insert(.title) }
            if placeholder == .author { asked.insert(.author) }
        }
        return asked
    }

    /// Its rank as a number, lower ranks first; nil where it never accepts.
    var order: Int? {
        switch configured.settings.rank {
        case .first: -1
        case .owner: 0
        case .default: 1
        case .alternate: 2
        case .none: nil
        }
    }
}
