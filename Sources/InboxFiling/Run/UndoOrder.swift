import InboxLinux

/// The document that is to be put back, as the history has it.
package struct UndoOrder: Sendable {
    /// The id of its filed record.
    package let id: RecordID
    /// When it was filed.
    package let time: Timestamp
    /// Where it was in the Inbox.
    package let source: BytePath
    /// Where it was filed.
    package let destination: BytePath
    /// The size in bytes.
    package let size: UInt64
    /// What it was at its destination; nil in records of versions that did not write that down.
    package let identity: FileIdentity?
    /// The user who asks for it, whose turn and whose share it takes.
    package let user: UInt32

    /// An order of these facts.
    package init(
        id: RecordID, time: Timestamp, source: BytePath, destination: BytePath, size: UInt64, identity: FileIdentity?,
        user: UInt32
    ) {
        self.user = user
        self.id = id
        self.time = time
        self.source = source
        self.destination = destination
        self.size = size
        self.identity = identity
    }

    /// Returns whether what is at the destination is still what was filed.
    func isUnchanged(_ now: FileStatus, in folder: borrowing Directory) throws(SyscallError) -> Bool {
        guard now.size == size else { return false }
        guard let identity else { return now.identity.modified <= time }
        guard now.identity.modified == identity.modified else { return false }
        if now.identity.file.isFile(identity.file) { return true }
        let filesystem = try Filesystem(of: folder.descriptor)
        return filesystem.isLayered || !filesystem.hasLastingInodes
    }
}
