import InboxConfiguration
import InboxLinux
import UniformTypeIdentifiers

/// One document type of the configuration, ready to be compared with documents.
package final class CompiledDocumentType: Sendable {
    /// What the configuration says of it.
    package let configured: ConfiguredDocumentType
    /// The types that it accepts, with all that conform to them.
    let contentTypes: [UTType]
    /// Where its documents go.
    let destination: CompiledDestination
    /// The names that it accepts.
    let names: NameMatcher

    init(_ configured: ConfiguredDocumentType, documents: BytePath, inboxes: [BytePath]) {
        self.configured = configured
        contentTypes = configured.settings.contentTypes.compactMap { UTType(String(decoding: $0, as: UTF8.self)) }
        names = NameMatcher(configured.settings.names)
        destination = CompiledDestination(
            configured.settings.destination, documentType: configured.name, documents: documents, inboxes: inboxes)
    }

    /// Its rank as a number, lower ranks first; nil where it never accepts.
    var order: Int? {
        switch configured.settings.rank {
        case .owner: 0
        case .default: 1
        case .alternate: 2
        case .none: nil
        }
    }
}
