import InboxDetection
import InboxLinux

/// What a document's destination depends on.
package struct RoutedDocument: Sendable {
    /// What it is.
    package let detection: Detection
    /// Its name in the Inbox.
    package let name: FileName
    /// The names that lead from the Inbox to its folder.
    package let folder: [FileName]
    /// When its content was last changed.
    package let modified: Timestamp

    /// A document of these facts.
    package init(detection: Detection, name: FileName, folder: [FileName], modified: Timestamp) {
        self.detection = detection
        self.name = name
        self.folder = folder
        self.modified = modified
    }
}
