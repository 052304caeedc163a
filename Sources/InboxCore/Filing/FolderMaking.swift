import InboxLinux

/// Makes folders that look like the folder they are made in.
///
/// Where mkdir(2) alone gives them their owner and group they are complete at once. Else they are made under a hidden
/// name and get their own when they are complete, so that no crash leaves one behind which others may not use.
final class FolderMaking {
    /// Where a hidden name is written down before it is made; without it folders are made under their own names.
    var journal: FolderJournal?
    private var identifiers = RecordID.Source()

    /// Makes a folder with the owner, group and mode of the one around it, as far as that is permitted.
    /// - Parameter path: the path of the folder around it.
    ///
    /// EEXIST where the name is taken. Whoever may not give a folder away keeps it: that is no error.
    func make(_ name: FileName, in parent: borrowing Directory, at path: BytePath) throws(SyscallError) {
        let model = try parent.status()
        let isOwn = model.owner == Process.user && (model.group == Process.group || model.permissions & 0o2000 != 0)
        if !isOwn, let journal, try makeHidden(name, in: parent, at: path, like: model, journal) { return }
        // The mode at once: a crash before a chmod would leave a folder behind that nobody else may enter.
        try parent.makeFolder(name, exactly: model.permissions & 0o1777)
        try complete(name, in: parent, like: model)
    }

    /// Makes it under a hidden name first; false where the filesystem knows no rename that does not replace.
    private func makeHidden(
        _ name: FileName, in parent: borrowing Directory, at path: BytePath, like model: FileStatus,
        _ journal: FolderJournal
    ) throws(SyscallError) -> Bool {
        let hidden = CopyTarget.temporaryName(identifiers.next(at: .now()))
        try journal.begin(hidden, in: path)
        do throws(SyscallError) {
            try parent.makeFolder(hidden, mode: 0o700)
            try complete(hidden, in: parent, like: model)
            try parent.rename(hidden, to: parent, as: name)
            try journal.end()
            return true
        } catch {
            try remove(hidden, in: parent)
            try journal.end()
            if error.errno.isUnsupported { return false }
            throw error
        }
    }

    private func remove(_ hidden: FileName, in parent: borrowing Directory) throws(SyscallError) {
        do throws(SyscallError) { try parent.removeFolder(hidden) } catch  where error.errno.isAbsent {
            // It was not made, or it has its own name.
        }
    }

    private func complete(
        _ name: FileName, in parent: borrowing Directory, like model: FileStatus
    ) throws(SyscallError) {
        let made = try parent.folder(name)
        let now = try made.status()
        if now.owner != model.owner || now.group != model.group {
            do throws(SyscallError) {
                try made.descriptor.changeOwner(model.owner, group: model.group)
            } catch {
                guard error.errno.isDenied || error.errno.isUnsupported else { throw error }
            }
        }
        // A set-group-ID bit comes from the folder around it or not at all, and chown(2) may take it away.
        if try made.status().permissions != model.permissions {
            try made.descriptor.changePermissions(model.permissions)
        }
    }
}
