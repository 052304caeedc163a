import InboxConfiguration
import InboxFiling
import InboxLinux

/// Which document types have handlers by the configuration in force, and since when each has had one.
struct HandlerRules {
    private let roots: Roots
    /// The longest pause between two tries: `RetryMax=`.
    private(set) var retryMax = Duration.seconds(600)
    private var entries: [String: ConfiguredDocumentType] = [:]
    /// The folders that documents are filed into.
    private var folders: [BytePath] = []
    /// Which document type gets a document; nil before the first configuration.
    private(set) var choice: DocumentTypeChoice?
    /// An id before those of all documents that a document type has a handler for, by its name.
    private(set) var since: [String: String] = [:]

    /// No handlers yet.
    /// - Parameter roots: what is known of the folders that documents are filed into, and of the mounts in them.
    init(on roots: Roots = Roots()) { self.roots = roots }

    /// No document type has a handler.
    var isEmpty: Bool { entries.isEmpty }

    /// A document type that has a handler; nil where it has none.
    subscript(documentType: String) -> ConfiguredDocumentType? { entries[documentType] }

    /// Where a document was filed.
    func place(of document: HandledDocument) -> FiledPlace {
        roots.place(of: document.path, in: folders.first { document.path.isInside($0) })
    }

    /// The mount that a document is on, where nothing is to be touched there since its server does not answer.
    func silence(around document: HandledDocument) -> BytePath? { roots.silent.innermost(around: document.path) }

    /// Which document types have handlers now that had none, or had some and have none now.
    struct Change {
        /// Those that have a handler from now on, as in ``HandlerRules/since``.
        var begun: [String: String] = [:]
        /// Those that have none any more.
        var ended: [String] = []

        /// There is no change.
        var isEmpty: Bool { begun.isEmpty && ended.isEmpty }
    }

    /// Puts a configuration in force.
    mutating func adopt(_ configuration: Configuration, _ routing: RoutingRules) -> Change {
        entries = [:]
        retryMax = configuration.inboxDefaults.retryMax
        for entry in configuration.documentTypes where entry.settings.run != nil { entries[entry.name] = entry }
        folders = [configuration.documents] + routing.outerRoots
        choice = routing.choice
        return noteTypes()
    }

    /// Takes up what an earlier run has written down. Where the clock went back since, what is filed from now on is later
    /// all the same.
    mutating func resume(since: [String: String]) -> Change {
        let now = RecordID(before: .now()).text
        self.since = since.mapValues { min($0, now) }
        return noteTypes()
    }

    /// Notes since when each document type has had a handler, and returns what has changed. A document that was filed
    /// before, or while its type had none, is not handled.
    private mutating func noteTypes() -> Change {
        let ended = since.keys.filter { entries[$0] == nil }
        for name in ended { since[name] = nil }
        let now = RecordID(before: .now()).text
        var begun: [String: String] = [:]
        for name in entries.keys where since[name] == nil { begun[name] = now }
        since.merge(begun) { $1 }
        return Change(begun: begun, ended: ended)
    }
}
