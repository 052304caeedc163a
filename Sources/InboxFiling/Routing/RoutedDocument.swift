import InboxConfiguration
import InboxDetection
import InboxLinux

/// The facts on which a document's destination and name depend.
package struct RoutedDocument: Sendable {
    /// The detected type of the document.
    package let detection: Detection
    /// Its name in the Inbox.
    package let name: FileName
    /// The Inbox that it is in; nil where that is not known.
    package let inbox: BytePath?
    /// The names that lead from the Inbox to its folder.
    package let folder: [FileName]
    /// Bytes: its size, of a package the sum of all that is in it.
    package let size: UInt64
    /// When its content was last changed.
    package let modified: Timestamp
    /// When it was first seen.
    package let arrival: Timestamp
    /// The content of its extended attributes.
    package let attributes: DocumentAttributes
    /// The facts that the check of its Inbox reported, by key.
    package var facts: [String: String] = [:]
    /// The same with what the check of its document type says.
    package var allFacts: [String: String] = [:]

    /// A document of these facts.
    package init(
        detection: Detection, name: FileName, in inbox: BytePath? = nil, folder: [FileName], size: UInt64 = 0,
        modified: Timestamp, arrival: Timestamp = .now(), attributes: DocumentAttributes = DocumentAttributes()
    ) {
        self.detection = detection
        self.name = name
        self.inbox = inbox
        self.folder = folder
        self.size = size
        self.modified = modified
        self.arrival = arrival
        self.attributes = attributes
    }
}
