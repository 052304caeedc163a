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
        let own = winner?.configured.settings
        if detection.mismatch, (own?.mismatch ?? settings.mismatch) == .hold {
            let holder =
                winner.map { "[DocumentType \(EscapedBytes.printable($0.configured.name.utf8))]" } ?? "the Inbox"
            throw Refusal(
                .hold(
                    .mismatch,
                    "its content is \(detection.type.identifier), which its name contradicts, and \(holder) has "
                        + "Mismatch=hold: rename it"))
        }
        let dates = own?.dates ?? settings.dates
        var asked = winner?.asked ?? []
        let isDated = asked.contains(.date)
        if !dates.contains(.content) { asked.remove(.date) }
        var values = TemplateValues(
            of: document, documentType: winner?.configured.name ?? "", pattern: own?.pattern,
            asked.isEmpty ? DocumentProperties() : properties(asked), dates: dates, now: now)
        let destination = winner?.destination ?? rules.fallback
        var folders = try destination.folders(&values)
        if settings.folders != .flatten, !destination.namesFolder { folders += document.folder }
        if destination.leadsIntoInbox(folders) {
            throw Refusal(.hold(.loops, "its destination is an Inbox: change Destination=, or rename its folder"))
        }
        var name = document.name
        var obstacle: String?
        // A folder that is filed whole has no name of a document.
        if let template = own?.name, !detection.type.conforms(to: .folder) {
            let ignoring = document.inbox.flatMap { rules.ignoring[$0] } ?? Ignoring(settings)
            switch MadeName(template, &values, ignoring: { ignoring.ignores($0, isInside: false) }) {
            case .name(let made): name = made
            case .unchanged(let reason): obstacle = reason
            }
        }
        var found = Destination(
            root: destination.root, folders: folders, name: name, documentType: winner?.configured.name)
        found.nameObstacle = obstacle
        if isDated || !asked.isEmpty {
            found.properties = values.properties
            let dated = isDated ? values.date() : nil
            (found.properties.date, found.properties.dateSource) = (dated?.date, dated?.source)
        }
        return found
    }
}
