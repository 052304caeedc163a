import InboxLinux

/// Creates folders that look like the folder they are created in.
///
/// A folder is created in place with mode 0700, so that it inherits the default access list and nobody else can enter
/// it yet, and with the sticky bit, by which an interrupted run's is distinguished from a private folder of somebody's
/// own. The umask or the default access list may leave less of that mode, and never more. Only the opened folder that is
/// shown to be the one that was created gets its owner and mode, by descriptor: somebody may have put another in its
/// place between two calls.
package struct FolderMaking: Sendable {
    /// Where a folder is written down while it lacks its owner and mode; nil while there is no state folder.
    package let journal: Journal?

    /// Creates folders, noting in the journal the one that is not finished.
    package init(journal: Journal? = nil) {
        self.journal = journal
    }

    /// Creates a folder with the owner, group and mode of the one around it: see ``make(_:in:at:allowing:)``.
    package func make(_ name: FileName, in parent: borrowing Directory, at path: BytePath) throws(FolderMakingError) {
        try make(name, in: parent, at: path, allowing: nil)
    }

    /// Creates a folder with the owner, group and mode of the one around it, as far as that is permitted.
    ///
    /// EEXIST where the name is taken. A process that may not give the folder away keeps it: that is no error.
    /// - Parameters:
    ///   - path: the path of the folder around it.
    ///   - allowed: the mode of the folder that it stands for, than which it is not wider open to others; nil for none.
    package func make(
        _ name: FileName, in parent: borrowing Directory, at path: BytePath, allowing allowed: UInt32?
    ) throws(FolderMakingError) {
        let model: FileStatus
        do throws(SyscallError) { model = try parent.status() } catch { throw .folder(error) }
        let isFinished = Self.isFinished(model, allowing: allowed)
        let entry =
            isFinished
            ? nil : journal.map { FolderEntry(id: $0.nextID(), parent: path, name: name, allowed: allowed) }
        if let entry { try FolderMakingError.ofJournal(try journal?.note(entry)) }
        do throws(SyscallError) { try parent.makeFolder(name, mode: isFinished ? Self.closed : Self.unfinished) } catch
        {
            if let entry { try FolderMakingError.ofJournal(try journal?.end([entry.id])) }
            throw .folder(error)
        }
        if isFinished {
            // A default access list may have made it smaller.
            do throws(SyscallError) {
                if try parent.status(of: name).permissions == Self.closed { return }
            } catch {
                throw .folder(error)
            }
        }
        var made: FileKey?
        do throws(SyscallError) {
            // After it is given away, its owner no longer shows that it is the daemon's.
            try Self.finish(name, in: parent, like: model, allowing: allowed, createdAfter: model.changed) { key in
                made = key
                guard var entry, key.birth != nil else { return }
                entry.created = key
                do throws(SyscallError) { try journal?.note(entry) } catch {
                    // It is finished all the same: nobody would do that later who finds it in use.
                }
            }
        } catch {
            // The next try would take it for a folder of somebody's, and file into what its owner cannot enter.
            let key = made ?? Self.fresh(name, in: parent, createdAfter: model.changed)
            if let key, Self.remove(name, key, from: parent) {
                if let entry { try FolderMakingError.ofJournal(try journal?.end([entry.id])) }
            } else if let entry {
                journal?.rest([entry.id])
            }
            throw .folder(error)
        }
        if let entry { try FolderMakingError.ofJournal(try journal?.end([entry.id])) }
    }

    /// The folder of a name, where it looks like one that this process has just created; nil where it does not, or nobody
    /// can see that.
    private static func fresh(
        _ name: FileName, in parent: borrowing Directory, createdAfter: Timestamp
    ) -> FileKey? {
        do throws(SyscallError) {
            let now = try parent.status(of: name)
            let isClosed = now.permissions & 0o777 & ~closed == 0
            guard now.kind == .directory, now.owner == Process.user, isClosed, now.links <= 2,
                try now.isBorn(after: createdAfter, in: parent)
            else { return nil }
            return now.identity.file
        } catch {
            return nil
        }
    }

    /// Removes a folder that is empty, and still the one that was created; whether it is gone.
    private static func remove(_ name: FileName, _ made: FileKey, from parent: borrowing Directory) -> Bool {
        do throws(SyscallError) {
            guard try parent.status(of: name).identity.file == made else { return false }
            try parent.removeFolder(name)
            return true
        } catch {
            return false
        }
    }

    /// Finishes the folders that an interruption has left unfinished. What cannot be inspected now is left to the next
    /// start.
    /// - Parameter roots: makes the calls where a mount may not answer.
    package static func recover(_ journal: Journal, on roots: Roots = Roots()) throws(SyscallError) {
        let folders = journal.interrupted.folders.values
        try journal.end(folders.filter { isSettled($0, on: roots) }.map(\.id))
    }

    private static func isSettled(_ entry: FolderEntry, on roots: Roots) -> Bool {
        do throws(MountError<Never>) { return try roots.call(at: entry.parent) { isSettled(entry) } } catch {
            return false
        }
    }

    /// Returns whether nothing is left to be done for an entry: the folder was finished, or is not one of the daemon's
    /// own.
    private static func isSettled(_ entry: FolderEntry) -> Bool {
        do throws(SyscallError) {
            let parent = try Directory.open(path: entry.parent)
            try finish(
                entry.name, in: parent, like: try parent.status(), allowing: entry.allowed, known: entry.created)
            return true
        } catch {
            return error.errno.isAbsent
        }
    }

    /// The mode of a folder that nobody else may enter.
    private static let closed: UInt32 = 0o700
    /// The mode bit that nobody sets on a private folder: the sticky bit.
    private static let sticky: UInt32 = 0o1000
    /// The mode of one that has yet to get its own.
    private static let unfinished = sticky | closed

    /// Returns whether a folder looks like this one as soon as it is created.
    private static func isFinished(_ model: FileStatus, allowing allowed: UInt32?) -> Bool {
        model.owner == Process.user && model.group == Process.group && mode(like: model, allowing: allowed) == closed
    }

    /// The mode of the folder around it, less what another folder does not allow. Its owner's rights are left where this
    /// process needs them to file something into it.
    private static func mode(like model: FileStatus, allowing allowed: UInt32?) -> UInt32 {
        model.permissions & (allowed.map { $0 | (Process.overridesModes ? ~0o777 : ~0o077) } ?? ~0)
    }

    /// Gives a folder its owner and mode, if it is one that this process has just created there; else leaves it alone.
    /// - Parameters:
    ///   - model: the folder around it.
    ///   - allowed: the mode of the folder that it stands for; nil for none.
    ///   - createdAfter: the last change of the folder around it before the folder was created; nil where that is not
    ///     known any more.
    ///   - known: which folder an interrupted run has shown to be its own; that one may have its owner already.
    ///   - note: called with the folder before it is given away.
    static func finish(
        _ name: FileName, in parent: borrowing Directory, like model: FileStatus, allowing allowed: UInt32? = nil,
        createdAfter: Timestamp? = nil, known: FileKey? = nil, note: (FileKey) -> Void = { _ in }
    ) throws(SyscallError) {
        let folder = try parent.folder(name)
        let now = try folder.status()
        let isKnown =
            known?.birth != nil && known?.inode == now.identity.file.inode
            && known?.birth == now.identity.file.birth
        let owners = isKnown ? [Process.user, model.owner] : [Process.user]
        // Some filesystems drop the sticky bit; who has just created the folder needs no such mark.
        let isMarked = isKnown || createdAfter != nil || now.permissions & sticky != 0
        if let createdAfter, try !now.isBorn(after: createdAfter, in: parent) { return }
        // Its inode and birth identify it, so a mode that chmod -R has changed since does not matter.
        let isStillOurs = isKnown && now.owner == Process.user && model.owner != Process.user
        let isClosed = now.permissions & 0o777 & ~closed == 0
        guard isMarked, owners.contains(now.owner), isStillOurs || isClosed, now.links <= 2, try folder.isEmpty
        else { return }
        if !isKnown { note(now.identity.file) }
        if now.owner != model.owner || now.group != model.group {
            do throws(SyscallError) {
                try folder.descriptor.changeOwner(model.owner, group: model.group)
            } catch {
                guard error.errno.isDenied || error.errno.isUnsupported else { throw error }
            }
        }
        // The set-group-ID bit is inherited from the folder around it or set here, and chown(2) may clear it.
        let mode = mode(like: model, allowing: allowed)
        if try folder.status().permissions != mode { try folder.descriptor.changePermissions(mode) }
    }
}

extension FileStatus {
    /// Returns whether a file in a folder is not older than a change of that folder. Both times are of the same clock,
    /// which may be a server's.
    func isBorn(after change: Timestamp, in parent: borrowing Directory) throws(SyscallError) -> Bool {
        guard let birth = identity.file.birth, birth < change else { return true }
        // The creation changed the folder too: a change time that is smaller now means that the clock was set back.
        return try parent.status().changed < change
    }
}
