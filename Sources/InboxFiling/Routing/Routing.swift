import InboxConfiguration
import InboxDetection
import InboxLinux
import InboxProperties
import UniformTypeIdentifiers

/// Decides where a document belongs: a pure function of what it is, its name, its folder, its time and the rules.
package enum Routing {
    /// The destination of a document.
    /// - Parameters:
    ///   - settings: what the configuration says about its Inbox.
    ///   - now: the time by which a date is plausible.
    ///   - properties: reads what its content says, of what is asked for; not called where nothing is.
    /// - Throws: why it stays in the Inbox.
    package static func destination(
        of document: RoutedDocument, _ settings: InboxSettings, _ rules: RoutingRules, now: Timestamp = .now(),
        properties: (DocumentProperties.Names) -> DocumentProperties = { _ in DocumentProperties() }
    ) throws(Refusal) -> Destination {
        let detection = document.detection
        let winner = rules.choice.winner(for: document)
        // Settings are asked for one by one: a copy of all of them would count two dozen references.
        if detection.mismatch, (winner?.configured.settings.mismatch ?? settings.mismatch) == .hold {
            let entry = winner.flatMap { $0.configured.settings.mismatch == nil ? nil : $0.configured.name }
            let holder = entry.map { "[DocumentType \(EscapedBytes.printable($0.utf8))]" } ?? "the Inbox"
            throw Refusal(
                .hold(
                    .mismatch,
                    "its content is \(detection.type.shownIdentifier), which its name contradicts, and \(holder) has "
                        + "Mismatch=hold: rename it"))
        }
        // Nothing is made of the values of a document that no document type accepts.
        guard let winner else {
            let folders = settings.folders == .flatten ? [] : document.folder
            try showOutside(rules.fallback, folders)
            return Destination(root: rules.fallback.root, folders: folders, name: document.name)
        }
        let dates = winner.configured.settings.dates ?? settings.dates
        var asked = winner.asked
        let isDated = asked.contains(.date)
        if !dates.contains(.content) { asked.remove(.date) }
        var known = asked.isEmpty ? DocumentProperties() : properties(asked)
        if !document.allFacts.isEmpty { known.take(facts: document.allFacts) }
        var values = TemplateValues(
            of: document, documentType: winner.configured.name, pattern: winner.configured.settings.pattern, known,
            dates: dates, now: now)
        let destination = winner.destination
        var folders = try destination.folders(&values)
        if settings.folders != .flatten, !destination.namesFolder { folders += document.folder }
        try showOutside(destination, folders)
        var name = document.name
        var obstacle: String?
        // A folder that is filed whole has no name of a document.
        if let template = winner.configured.settings.name, !detection.type.conforms(to: .folder) {
            let ignoring = document.inbox.flatMap { rules.ignoring[$0] } ?? Ignoring(settings)
            switch MadeName(template, &values, ignoring: { ignoring.ignores($0, isInside: false) }) {
            case .name(let made): name = made
            case .unchanged(let reason): obstacle = reason
            }
        }
        var found = Destination(
            root: destination.root, folders: folders, name: name, documentType: winner.configured.name)
        found.nameObstacle = obstacle
        found.isHandled = winner.configured.settings.run != nil
        if isDated || !asked.isEmpty {
            found.properties = values.properties
            let dated = isDated ? values.date() : nil
            (found.properties.date, found.properties.dateSource) = (dated?.date, dated?.source)
        }
        return found
    }

    /// Shows that folders of a destination do not lead into an Inbox.
    private static func showOutside(_ destination: CompiledDestination, _ folders: [FileName]) throws(Refusal) {
        guard destination.leadsIntoInbox(folders) else { return }
        throw Refusal(.hold(.loops, "its destination is an Inbox: change Destination=, or rename its folder"))
    }

    /// Returns what is recorded of a document that was given to a document type: what that, or its handler, asks for.
    /// - Parameters:
    ///   - name: the name of the document type; nil for none.
    ///   - properties: reads what its content says, of what is asked for; not called where nothing is.
    package static func recordedProperties(
        of document: RoutedDocument, for name: String?, _ rules: RoutingRules, now: Timestamp = .now(),
        properties: (DocumentProperties.Names) -> DocumentProperties
    ) -> DocumentProperties {
        guard let name, let winner = rules.choice.documentTypes.first(where: { $0.configured.name == name }),
            !winner.asked.isEmpty
        else { return DocumentProperties() }
        let dates =
            winner.configured.settings.dates ?? document.inbox.flatMap { rules.dates[$0] } ?? InboxSettings().dates
        var read = properties(winner.asked)
        read.take(facts: document.allFacts)
        var found = DocumentProperties(title: read.title, author: read.author)
        guard winner.asked.contains(.date) else { return found }
        let dated = DatedDocument(document, by: dates, read, now: now)
        (found.date, found.dateSource) = (dated?.date, dated?.source)
        return found
    }

    /// Returns what a document says of itself with the date that counts for it: the first in the order of its document
    /// type, or of its Inbox.
    /// - Parameter properties: what its content says.
    package static func properties(
        of document: RoutedDocument, _ settings: InboxSettings, _ rules: RoutingRules,
        _ properties: DocumentProperties, now: Timestamp = .now()
    ) -> DocumentProperties {
        let dates = rules.choice.winner(for: document)?.configured.settings.dates ?? settings.dates
        var found = properties
        found.take(facts: document.allFacts)
        let dated = DatedDocument(document, by: dates, found, now: now)
        (found.date, found.dateSource) = (dated?.date, dated?.source)
        return found
    }
}
