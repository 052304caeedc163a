import InboxLinux

/// Where a document belongs: the folders below Documents, and the name it would like to have there.
struct Destination: Hashable {
    /// The folders that lead there from Documents.
    var folders: [FileName]
    /// The name it keeps if it is free.
    var name: FileName

    /// The place of a document that no document type claims: Documents itself, with the folders of the Inbox below it
    /// unless they are flattened.
    static func unclaimed(_ name: FileName, in folder: Folder) -> Destination {
        switch folder.inbox.settings.folders {
        case .flatten: Destination(folders: [], name: name)
        case .mirror, .whole: Destination(folders: folder.isAround ? [] : folder.path, name: name)
        }
    }
}
