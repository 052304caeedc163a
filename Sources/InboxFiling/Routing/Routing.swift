import InboxConfiguration
import InboxDetection
import InboxLinux

/// Decides where a document belongs: a pure function of what it is, its name, its folder, its time and the rules.
package enum Routing {
    /// The destination of a document.
    /// - Parameter settings: what the configuration says about its Inbox.
    /// - Throws: why it stays in the Inbox.
    package static func destination(
        of document: RoutedDocument, _ settings: InboxSettings, _ rules: RoutingRules
    ) throws(Refusal) -> Destination {
        let detection = document.detection
        let winner = rules.choice.winner(for: detection.type, document.name)
        if detection.mismatch, (winner?.configured.settings.mismatch ?? settings.mismatch) == .hold {
            let holder =
                winner.map { "[DocumentType \(EscapedBytes.printable($0.configured.name.utf8))]" } ?? "the Inbox"
            throw Refusal(
                .hold(
                    .mismatch,
                    "its content is \(detection.type.identifier), which its name contradicts, and \(holder) has "
                        + "Mismatch=hold: rename it"))
        }
        let destination = winner?.destination ?? rules.fallback
        var folders = try destination.folders(for: document)
        if settings.folders != .flatten, !destination.namesFolder { folders += document.folder }
        if destination.leadsIntoInbox(folders) {
            throw Refusal(.hold(.loops, "its destination is an Inbox: change Destination=, or rename its folder"))
        }
        return Destination(
            root: destination.root, folders: folders, name: document.name, documentType: winner?.configured.name)
    }
}
