import InboxLinux

/// A document that was put back into an Inbox, and is held there until it changes.
package struct UndoneDocument: Hashable, Sendable {
    /// The id of the operation.
    package let undo: RecordID
    /// Where it is.
    package let path: BytePath
    /// The identity of the document; for a package, with the size and the times of everything in it.
    package let identity: FileIdentity
    /// Its inode number still identifies it after the filesystem was mounted anew.
    package let hasLastingInode: Bool
    /// The user who has asked for it; of one that recovery has recorded the document's owner.
    package let user: UInt32

    /// A document of these facts.
    package init(undo: RecordID, path: BytePath, identity: FileIdentity, hasLastingInode: Bool, user: UInt32) {
        self.undo = undo
        self.user = user
        self.path = path
        self.identity = identity
        self.hasLastingInode = hasLastingInode
    }

    /// The document that has a name in a folder.
    /// - Parameter user: who has asked for it; nil for its owner.
    package init(
        undo: RecordID, _ name: FileName, in folder: OpenFolder, at path: BytePath, for user: UInt32?
    ) throws(SyscallError) {
        self.undo = undo
        self.path = path
        let status = try folder.directory.status(of: name)
        self.user = user ?? status.owner
        identity = (try OpenedSource.status(of: name, status.kind, in: folder) ?? status).identity
        hasLastingInode = try Filesystem(of: folder.directory.descriptor).hasLastingInodes
    }

    /// Returns whether this is the same file, whatever has become of its content and its name.
    package func isFile(_ other: FileIdentity, at place: BytePath) -> Bool {
        other.file.isFile(identity.file) || (!hasLastingInode && place == path)
    }

    /// Returns whether this is the document, unchanged.
    package func isStill(_ other: FileIdentity, at place: BytePath) -> Bool {
        isFile(other, at: place) && other.size == identity.size && other.modified == identity.modified
    }
}
