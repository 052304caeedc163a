import InboxConfiguration
import InboxLinux

/// The rules by which documents are routed: the part of the configuration that all Inboxes share, compiled once.
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
    /// The folder for what the checks of each Inbox reject; an Inbox without one holds it.
    let rejected: [BytePath: CompiledDestination]
    private let checks: ChecksInForce
    /// Ends with a reload that changes which checks are in force.
    package let validity = RulesValidity()

    /// The rules of a configuration.
    /// - Parameter former: the rules before a reload, whose checks stay in force where nothing of them has changed.
    package init(_ configuration: Configuration, after former: RoutingRules? = nil) {
        let inboxes = configuration.inboxes.map(\.path)
        var checks = ChecksInForce()
        for inbox in configuration.inboxes {
            _ = checks.add(
                .inbox(inbox.path), inbox.settings.check, concurrency: inbox.settings.checkConcurrency,
                former: former?.checks)
        }
        documents = configuration.documents
        ignoring = Dictionary(configuration.inboxes.map { ($0.path, Ignoring($0.settings)) }) { first, _ in first }
        dates = Dictionary(configuration.inboxes.map { ($0.path, $0.settings.dates) }) { first, _ in first }
        choice = DocumentTypeChoice(
            configuration.documentTypes.map { entry in
                CompiledDocumentType(
                    entry, documents: configuration.documents, inboxes: inboxes,
                    check: checks.add(
                        .documentType(entry.name), entry.settings.check, concurrency: 1, former: former?.checks))
            })
        fallback = CompiledDestination(
            .documents, documentType: "", documents: configuration.documents, inboxes: inboxes)
        let folders = configuration.inboxes.compactMap { inbox in
            inbox.settings.rejected.map {
                (
                    inbox.path,
                    CompiledDestination($0, documentType: "", documents: configuration.documents, inboxes: inboxes)
                )
            }
        }
        rejected = Dictionary(folders) { first, _ in first }
        self.checks = checks
    }

    /// Rules of these parts, without checks.
    package init(
        documents: BytePath, inboxes: [BytePath] = [], ignoring: [BytePath: Ignoring] = [:],
        dates: [BytePath: [DateChoice]] = [:], _ documentTypes: [ConfiguredDocumentType] = []
    ) {
        self.documents = documents
        self.ignoring = ignoring
        self.dates = dates
        rejected = [:]
        checks = ChecksInForce()
        choice = DocumentTypeChoice(
            documentTypes.map { CompiledDocumentType($0, documents: documents, inboxes: inboxes) })
        fallback = CompiledDestination(.documents, documentType: "", documents: documents, inboxes: inboxes)
    }

    /// The folders outside Documents that destinations begin at.
    package var outerRoots: Set<BytePath> {
        Set(choice.documentTypes.map(\.destination.root) + rejected.values.map(\.root)).subtracting([documents])
    }

    /// The check of an Inbox; nil where it has none.
    package func check(of inbox: BytePath) -> CheckInForce? { checks.checks[.inbox(inbox)] }

    /// The checks of all Inboxes and document types.
    package var allChecks: [CheckInForce] { Array(checks.checks.values) }

    /// Returns whether other rules have the same checks.
    package func hasSameChecks(as other: RoutingRules) -> Bool {
        checks.checks.count == other.checks.checks.count && allChecks.allSatisfy(other.has)
    }

    /// Returns whether a check is in force.
    package func has(_ check: CheckInForce) -> Bool { checks.checks[check.subject] === check }

    /// An Inbox or a document type has a check.
    package var hasChecks: Bool { !checks.checks.isEmpty }
}
