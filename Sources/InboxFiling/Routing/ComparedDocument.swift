import InboxConfiguration
import InboxLinux

/// A document as many document types are compared with it: what all of them ask for is worked out once.
struct ComparedDocument {
    let document: RoutedDocument
    let name: FoldedName
    /// The path inside the Inbox; the name alone where no document type asks for the path.
    let path: FoldedName

    init(_ document: RoutedDocument, withPath: Bool) {
        self.document = document
        name = FoldedName(document.name.bytes)
        guard withPath, !document.folder.isEmpty else {
            path = name
            return
        }
        var bytes: [UInt8] = []
        for folder in document.folder {
            bytes += folder.bytes
            bytes.append(UInt8(ascii: "/"))
        }
        path = FoldedName((bytes + document.name.bytes)[...])
    }
}
