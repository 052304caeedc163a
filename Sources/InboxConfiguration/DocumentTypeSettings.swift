import InboxLinux
import UniformTypeIdentifiers

/// The settings of a `[DocumentType NAME]` section: which documents it accepts, where they go, and what handles them.
package struct DocumentTypeSettings: Sendable, Equatable {
    /// The precedence with which documents are accepted.
    package enum Rank: String, CaseIterable, Sendable {
        /// Before all others, in the order of the configuration alone.
        case first = "First"
        /// Before the others of types as near.
        case owner = "Owner"
        /// One of several.
        case `default` = "Default"
        /// After all others.
        case alternate = "Alternate"
        /// Never.
        case none = "None"
    }

    /// The identifiers of the types that are accepted, with all that conform to them; none where any type is.
    package var contentTypes: [[UInt8]] = []
    /// Globs of which the document's name must match one, and those it must not match; none where any name is accepted.
    package var names: [[UInt8]] = []
    /// The same for the path inside the Inbox.
    package var paths: [[UInt8]] = []
    /// The Inboxes whose documents are accepted, as they were written; none where those of all are.
    package var inboxes: [[UInt8]] = []
    /// The folders of these Inboxes: absolute, normalised.
    package internal(set) var inboxPaths: [BytePath] = []
    /// The pattern that the name without its extension must match; its captures are placeholders.
    package var pattern: NamePattern?
    /// Bytes: the least size that is accepted.
    package var minSize: Int64?
    /// Bytes: the largest size that is accepted.
    package var maxSize: Int64?
    /// Globs for the host that the document came from.
    package var origins: [[UInt8]] = []
    /// Globs for annotations, as `KEY=glob`: each key that is named must match.
    package var annotations: [[UInt8]] = []
    /// Globs for what the check of the Inbox says, as `KEY=glob`: each key that is named must match.
    package var facts: [[UInt8]] = []
    /// The precedence among document types.
    package var rank = Rank.default
    /// Where the documents go.
    package var destination = DestinationTemplate.documents
    /// The name that they get, without its extension; nil where they keep theirs.
    package var name: NameTemplate?
    /// The names of files that belong to them, with `{name}` or `{stem}`: they go with them.
    package var companions: [[UInt8]] = []
    /// Where their dates are taken from; nil leaves that to the Inbox.
    package var dates: [DateChoice]?
    /// The treatment of a document whose content contradicts its name; nil leaves that to the Inbox.
    package var mismatch: InboxSettings.Mismatch?
    /// The command that decides whether a document may be filed, after that of the Inbox; nil where there is none.
    package var check: CommandTemplate?
    /// The handler; nil where there is none.
    package var run: CommandTemplate?
    /// The time that the handler may run before it is killed with its children.
    package var runTimeout = Duration.seconds(300)
    /// The number of retries after the first attempt fails.
    package var runRetries = 15
    /// The number of handlers of this document type that run at once.
    package var runConcurrency = 1

    /// An entry that accepts everything.
    package init() {}

    /// The key and the glob of a word of `Annotations=` or `Facts=`; nil for a word that is none.
    package static func annotation(_ word: [UInt8]) -> (key: String, glob: [UInt8])? {
        guard let end = word.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let key = String(decoding: word[..<end], as: UTF8.self)
        return Annotations.isKey(key) ? (key, Array(word[(end + 1)...])) : nil
    }
}

extension DocumentTypeSettings: SettingsSection {
    static let sectionName = "DocumentType"

    private static func checkAnnotation(_ word: [UInt8]) throws(ValueProblem) {
        if annotation(word) == nil {
            throw ValueProblem("\(quotedExcerpt(word)) is not KEY=glob, with letters, digits and _ in KEY")
        }
    }

    private static func checkCompanion(_ word: [UInt8]) throws(ValueProblem) {
        if try MarkerTemplate(word: word).subject == .folder {
            throw ValueProblem("\(quotedExcerpt(word)) has no {name} or {stem}, by which a file belongs to a document")
        }
    }

    static let fields: [SettingField<DocumentTypeSettings>] = [
        .list("ContentTypes", \.contentTypes, each: TypeSettings.checkedIdentifier),
        .list("Names", \.names),
        .list("Paths", \.paths),
        .list("Inboxes", \.inboxes),
        .scalar("Pattern", \.pattern, ValueFormat<NamePattern>.namePattern.optional()),
        .scalar("MinSize", \.minSize, ValueFormat<Int64>.size.optional()),
        .scalar("MaxSize", \.maxSize, ValueFormat<Int64>.size.optional()),
        .list("Origins", \.origins),
        .list("Annotations", \.annotations, each: checkAnnotation),
        .list("Facts", \.facts, each: checkAnnotation),
        .scalar("Rank", \.rank, .choice),
        .scalar("Destination", \.destination, .destination),
        .scalar("Name", \.name, ValueFormat<NameTemplate>.nameTemplate.optional()),
        .list("Companions", \.companions, each: checkCompanion),
        .scalar("Dates", \.dates, ValueFormat<[DateChoice]>.dates.optional()),
        .scalar("Mismatch", \.mismatch, ValueFormat<InboxSettings.Mismatch>.choice.optional()),
        .scalar("Check", \.check, ValueFormat<CommandTemplate>.command.optional()),
        .scalar("Run", \.run, ValueFormat<CommandTemplate>.command.optional()),
        .scalar(
            "RunTimeout", \.runTimeout,
            .timeSpan.checked("at least 1ms; infinity never kills it") { $0 >= .milliseconds(1) }),
        .scalar("RunRetries", \.runRetries, .count.checked("at most 1000") { $0 <= 1000 }),
        .scalar("RunConcurrency", \.runConcurrency, .count.checked("1 to 64") { (1...64).contains($0) }),
    ]
}
