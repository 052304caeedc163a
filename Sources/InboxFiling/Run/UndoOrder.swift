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
    /// The identity of the document at its destination; nil in records of versions that did not write that down.
    package let identity: FileIdentity?
    /// The names of the files that went with it, beside it where it was filed.
    let members: [FileName]
    /// The user who asks for it, whose turn and whose share it takes.
    package let user: UInt32

    /// An order of these facts.
    package init(
        id: RecordID, time: Timestamp, source: BytePath, destination: BytePath, size: UInt64, identity: FileIdentity?,
        members: [FileName] = [], user: UInt32
    ) {
        self.members = members
        self.user = user
        self.id = id
        self.time = time
        self.source = source
        self.destination = destination
        self.size = size
        self.identity = identity
    }

    /// The names beside it of the files that may go back with it: those that came with it, and where it is a database the
    /// logs that it may have got since.
    var mayFollow: [FileName] {
        guard let name = FileName(destination.lastComponent) else { return members }
        return members + MemberName.logs(of: name).filter { !members.contains($0) }
    }

    /// The paths in the Inbox that it and these files get.
    package var paths: [BytePath] {
        guard let parent = source.parent, let name = FileName(destination.lastComponent),
            let former = FileName(source.lastComponent)
        else { return [source] }
        return [source] + mayFollow.compactMap { MemberName.renamed($0, of: name, as: former) }.map(parent.appending)
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
