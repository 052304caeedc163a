import InboxConfiguration
import InboxLinux

/// What decides where documents go: the part of the configuration that is the same for all Inboxes, compiled once.
///
/// The own types of the configuration must be in force when the rules are made.
package struct RoutingRules: Sendable {
    /// Where a document goes that no document type accepts: absolute, normalised.
    package let documents: BytePath
    /// Which document type gets a document.
    package let choice: DocumentTypeChoice
    /// Which names each Inbox ignores: no template makes such a name.
    let ignoring: [BytePath: Ignoring]
    /// Where each Inbox takes the dates of its documents from.
    let dates: [BytePath: [DateChoice]]
    /// Where a document goes that none gets.
    let fallback: CompiledDestination

    /// The rules of a configuration.
    package init(_ configuration: Configuration) {
        self.init(
            documents: configuration.documents, inboxes: configuration.inboxes.map(\.path),
            ignoring: Dictionary(configuration.inboxes.map { ($0.path, Ignoring($0.settings)) }) { first, _ in first },
            dates: Dictionary(configuration.inboxes.map { ($0.path, $0.settings.dates) }) { first, _ in first },
            configuration.documentTypes)
    }

    /// Rules of these parts.
    package init(
        documents: BytePath, inboxes: [BytePath] = [], ignoring: [BytePath: Ignoring] = [:],
        dates: [BytePath: [DateChoice]] = [:], _ documentTypes: [ConfiguredDocumentType] = []
    ) {
        self.documents = documents
        self.ignoring = ignoring
        self.dates = dates
        choice = DocumentTypeChoice(
            documentTypes.map { CompiledDocumentType($0, documents: documents, inboxes: inboxes) })
        fallback = CompiledDestination(.documents, documentType: "", documents: documents, inboxes: inboxes)
    }

    /// The folders outside Documents that destinations begin at.
    package var outerRoots: Set<BytePath> {
        Set(choice.documentTypes.map(\.destination.root)).subtracting([documents])
    }
}
