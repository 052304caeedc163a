import UniformTypeIdentifiers

/// What a `[DocumentType NAME]` section says: which documents it accepts, where they go, and what handles them.
package struct DocumentTypeSettings: Sendable, Equatable {
    /// How willingly documents are accepted.
    package enum Rank: String, CaseIterable, Sendable {
        /// Before all others.
        case owner = "Owner"
        /// One of several.
        case `default` = "Default"
        /// After all others.
        case alternate = "Alternate"
        /// Never.
        case none = "None"
    }

    /// The identifiers of the types that are accepted, with all that conform to them.
    package var contentTypes: [[UInt8]] = []
    /// Globs of which the document's name must match one; none where any name is accepted.
    package var names: [[UInt8]] = []
    /// How willingly.
    package var rank = Rank.default
    /// Where the documents go.
    package var destination = DestinationTemplate.documents
    /// What happens to a document whose content contradicts its name; nil leaves that to the Inbox.
    package var mismatch: InboxSettings.Mismatch?
    /// The handler; nil where there is none.
    package var run: CommandTemplate?
    /// How long the handler may run before it is killed with its children.
    package var runTimeout = Duration.seconds(300)
    /// How many tries follow the first one when it fails.
    package var runRetries = 15
    /// How many handlers of this document type run at once.
    package var runConcurrency = 1

    /// An entry that accepts nothing.
    package init() {}
}

extension DocumentTypeSettings: SettingsSection {
    static let sectionName = "DocumentType"

    static let fields: [SettingField<DocumentTypeSettings>] = [
        .list("ContentTypes", \.contentTypes, each: TypeSettings.checkedIdentifier),
        .list("Names", \.names),
        .scalar("Rank", \.rank, .choice),
        .scalar("Destination", \.destination, .destination),
        .scalar("Mismatch", \.mismatch, ValueFormat<InboxSettings.Mismatch>.choice.optional()),
        .scalar("Run", \.run, ValueFormat<CommandTemplate>.command.optional()),
        .scalar(
            "RunTimeout", \.runTimeout,
            .timeSpan.checked("at least 1ms; infinity never kills it") { $0 >= .milliseconds(1) }),
        .scalar("RunRetries", \.runRetries, .count.checked("at most 1000") { $0 <= 1000 }),
        .scalar("RunConcurrency", \.runConcurrency, .count.checked("1 to 64") { (1...64).contains($0) }),
    ]
}
