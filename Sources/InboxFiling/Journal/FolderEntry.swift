import InboxLinux

/// A folder that is being created and lacks its owner and mode, as the journal has it.
package struct FolderEntry: Hashable, Sendable {
    /// The id of this entry.
    package let id: RecordID
    /// The folder around it.
    package let parent: BytePath
    /// Its name.
    package let name: FileName
    /// Which folder was created: by inode number and birth time, whatever its device is numbered. Nil before that is
    /// known.
    package var created: FileKey?
    /// The mode of the folder that it stands for, than which it is not wider open; nil for none.
    let allowed: UInt32?

    /// A folder that is about to be created under this name.
    package init(id: RecordID, parent: BytePath, name: FileName, allowed: UInt32? = nil) {
        self.allowed = allowed
        self.id = id
        self.parent = parent
        self.name = name
    }

    /// The line of the journal.
    var line: [UInt8] {
        var line = JSONLine()
        line.add("folder", id)
        line.add("parent", parent)
        line.add("name", name)
        if let allowed { line.add("allowed", UInt64(allowed)) }
        if let created, let birth = created.birth {
            line.add("inode", created.inode)
            line.add("birthSeconds", birth.seconds)
            line.add("birthNanoseconds", birth.nanoseconds)
        }
        line.addSum()
        return line.finished()
    }

    /// Nil where the members are not those of a folder, which nobody here can have written.
    init?(_ members: JournalMembers) {
        guard let id = members.folder.flatMap({ RecordID($0) }), let parent = JournalMembers.path(members.parent),
            let name = JournalMembers.name(members.name)
        else { return nil }
        self.init(id: id, parent: parent, name: name, allowed: members.allowed)
        if let inode = members.inode, let birth = members.birth {
            created = FileKey(device: 0, inode: inode, birth: birth)
        }
    }
}
