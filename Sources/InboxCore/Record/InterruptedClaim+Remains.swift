import InboxFiling
import InboxLinux

/// The remains of an interrupted claim under the names that it was to have. Each is removed only where its marks show
/// that it is ours.
extension InterruptedClaim {
    /// Something unfinished may be removed at the destination.
    private var mayClear: Bool {
        guard let scope else { return true }
        return NoteScope.isIn(scope.clearing, entry.destination) && NoteScope.isIn(scope.clearing, claim.making)
    }

    /// Removes the placeholder that a source was to be renamed over, where its filesystem has no other way to put it
    /// back.
    /// - Returns: a notice about an empty file that may be the placeholder, on a filesystem without modes, which would show
    ///   whether it is; nil where there is none.
    func removeInboxPlaceholder() throws(SyscallError) -> String? {
        guard home != nil, let parent = entry.source.parent, let name = FileName(entry.source.lastComponent) else {
            return nil
        }
        let folder: Directory
        do throws(SafePathError) { folder = try openSource(parent) } catch {
            // What others may have put there is not touched.
            guard case .failed(_, let error) = error, !error.errno.isAbsent else { return nil }
            throw error
        }
        do throws(SyscallError) {
            let status = try folder.status(of: name)
            guard !Placeholder.isMarked(status, since: entry.begun) else {
                if status.kind != .directory {
                    try folder.removeFile(name)
                } else {
                    _ = try folder.removeEmptyFolder(name)
                }
                return nil
            }
            guard status.kind == .regular, status.size == 0, status.identity.modified >= entry.begun,
                try Filesystem(of: folder.descriptor).isWithoutOwners
            else { return nil }
            return "\(entry.source) is empty: somebody's, or left of an interruption, which cannot be told apart there"
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// Removes an unfinished copy that has its own name already, if it is the file that was created for it and its
    /// content shows that it is one. Where the journal does not show what was created, only a placeholder: somebody
    /// else's document may have the name.
    func removeUnfinished(_ staged: StagedSource) throws(SyscallError) {
        guard published == nil, mayClear, let name = entry.directName, let folder else { return }
        do throws(SyscallError) {
            let copy = try folder.directory.file(name)
            let status = try copy.status()
            if !Placeholder.isMarked(status, since: entry.begun) {
                guard let made = entry.directMade, try isMade(status.identity, made, in: folder) else { return }
                let source = try staged.folder.directory.file(staged.name)
                guard try status.size <= source.status().size, try source.beginsWithContent(of: copy) else { return }
            }
            try folder.directory.removeFile(name)
        } catch  where error.errno.isAbsent {
            // It was never made.
        }
    }

    /// Removes the copy of a file whose document has none, where nobody has changed it since.
    func takeBack() throws(SyscallError) {
        guard let published, mayClear, let copied = entry.copied else { return }
        let now = try published.folder.directory.status(of: published.name).identity
        if now.isSame(copied.copy) { try published.folder.directory.removeFile(published.name) }
    }

    /// Brings a file back to its document, which is not at its destination, where it has moved itself.
    func bringBack() throws(SyscallError) {
        guard let published, mayClear, let parent = entry.source.parent,
            let name = FileName(entry.source.lastComponent)
        else { return }
        let folder: OpenFolder
        do throws(SafePathError) { folder = OpenFolder(try openSource(parent)) } catch {
            // Where its folder has gone, it stays where it is.
            guard case .failed(_, let error) = error, !error.errno.isAbsent else { return }
            throw error
        }
        let status = try published.folder.directory.status(of: published.name)
        var names = FreeNames()
        _ = try Moving.move(published.name, status, from: published.folder, to: folder, as: name, &names)
        try folder.directory.sync()
        try published.folder.directory.sync()
    }

    /// Returns whether a file is the one that was created. Where nothing else shows it, a file that is still empty must
    /// have the modification time that it was created with.
    private func isMade(
        _ found: FileIdentity, _ made: FileIdentity, in folder: OpenFolder
    ) throws(SyscallError) -> Bool {
        if let birth = found.file.birth, birth != made.file.birth { return false }
        if try Filesystem(of: folder.directory.descriptor).hasLastingInodes, found.file.inode != made.file.inode {
            return false
        }
        return found.file.birth != nil || found.size > 0 || found.modified == made.modified
    }

    /// Removes the empty folder that a package was to be renamed over, where its filesystem needs one.
    func removePlaceholder() throws(SyscallError) {
        guard published == nil, mayClear, let folder, let staged,
            try staged.folder.directory.status(of: staged.name).kind == .directory,
            let beside = try staging(on: folder, staged), try beside.needsPlaceholder(entry.id)
        else { return }
        let row = NumberedName(entry.wanted)
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        while let found = try entries.next() {
            guard row.number(of: found.name) != nil else { continue }
            let status = try folder.directory.status(of: found.name)
            guard status.kind == .directory, Placeholder.isMarked(status, since: entry.begun) else { continue }
            // Whoever has put something in has made it theirs.
            _ = try folder.directory.removeEmptyFolder(found.name)
        }
    }

    /// The staging folder on the destination's filesystem, which the package was to be renamed from; nil where there is
    /// none, so that this was not begun.
    private func staging(on folder: OpenFolder, _ staged: StagedSource) throws(SyscallError) -> StagingFolder? {
        let device = try folder.directory.status().identity.file.device
        if try staged.folder.directory.status().identity.file.device == device { return staged.staging }
        do throws(SyscallError) {
            let root = OpenFolder(try Directory.open(path: claim.making))
            // Any will do for a try; the one that another daemon had may be gone by now.
            if scope != nil {
                do throws(StagingError) { return try stagings.folder(in: root, at: claim.making).folder } catch {
                    throw error.failure
                }
            }
            return try stagings.existing(in: root, at: claim.making).folders.first
        } catch  where error.errno.isAbsent {
            return nil
        }
    }
}
