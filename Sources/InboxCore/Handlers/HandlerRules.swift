import InboxConfiguration
import InboxFiling
import InboxLinux

/// Which document types have handlers by the configuration in force.
struct HandlerRules {
    private let roots: Roots
    /// The longest pause between two tries: `RetryMax=`.
    private(set) var retryMax = Duration.seconds(600)
    private var entries: [String: ConfiguredDocumentType] = [:]
    /// The folders that documents are filed into.
    private var folders: [BytePath] = []

    /// No handlers yet.
    /// - Parameter roots: what is known of the folders that documents are filed into, and of the mounts in them.
    init(on roots: Roots = Roots()) { self.roots = roots }

    /// The names of the document types that have a handler.
    var names: Set<String> { Set(entries.keys) }

    /// A document type that has a handler; nil where it has none.
    subscript(documentType: String) -> ConfiguredDocumentType? { entries[documentType] }

    /// Where a document was filed.
    func place(of document: HandledDocument) -> FiledPlace {
        roots.place(of: document.path, in: folders.first { document.path.isInside($0) })
    }

    /// The mount that a document is on, where nothing is to be touched there since its server does not answer.
    func silence(around document: HandledDocument) -> BytePath? { roots.silent.innermost(around: document.path) }

    /// Puts a configuration in force.
    mutating func adopt(_ configuration: Configuration, _ routing: RoutingRules) {
        entries = [:]
        retryMax = configuration.inboxDefaults.retryMax
        for entry in configuration.documentTypes where entry.settings.run != nil { entries[entry.name] = entry }
        folders = [configuration.documents] + routing.outerRoots
    }
}
