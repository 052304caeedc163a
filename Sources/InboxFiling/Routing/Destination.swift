import InboxConfiguration
import InboxLinux
import InboxProperties

/// Where a document belongs, and the name that it would like to have there.
package struct Destination: Hashable, Sendable {
    /// The folder that the others lie beneath: absolute, normalised. Documents, or the part of an absolute destination
    /// that is the same for all documents.
    package let root: BytePath
    /// The names that lead from the root to the folder; missing folders are created.
    package let folders: [FileName]
    /// The name that the document gets if it is free.
    package let name: FileName
    /// The reason in words why `Name=` does not apply; nil if it does, or there is none.
    package var nameObstacle: String?
    /// The document's own properties, as far as they were asked for.
    package var properties = DocumentProperties()
    /// A handler gets the document, which may change it.
    package var isHandled = false
    /// The name of the document type that won; nil where none accepts the document.
    package let documentType: String?

    /// The destination of these parts.
    package init(root: BytePath, folders: [FileName], name: FileName, documentType: String? = nil) {
        self.root = root
        self.folders = folders
        self.name = name
        self.documentType = documentType
    }

    /// The path of the folder, not yet known to exist.
    package var folderPath: BytePath {
        folders.reduce(root) { $0.appending($1) }
    }
}
