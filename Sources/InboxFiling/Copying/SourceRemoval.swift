import InboxLinux

/// Removes a claimed source after its copy was recorded.
package enum SourceRemoval {
    /// What came of it.
    package enum Outcome: Sendable {
        /// It is gone.
        case removed
        /// Somebody has changed it, so that it is another document, or, of a package, something in it was not copied.
        case changed
        /// Somebody has it open for writing.
        case written
    }

    /// Removes a source, if it is still what was copied, under the lease of each file.
    ///
    /// Where only its change time differs, as when somebody removes another of its names, equal content counts as
    /// unchanged.
    /// - Parameters:
    ///   - copy: the copy of a file.
    ///   - manifest: what was copied of a package.
    static func remove(
        _ source: ClaimedSource, _ copy: OpenFile?, _ manifest: PackageManifest?, isLeased: Bool
    ) throws(SyscallError) -> Outcome {
        let staged = source.staged
        switch source.content {
        case .file(let file):
            if isLeased, try !ReadLease.take(file.descriptor).isHeld { return .written }
            let now = try file.descriptor.status()
            if !source.isUnchanged(now) {
                guard now.identity == source.status.identity, let copy,
                    try file.descriptor.hasContent(of: copy.descriptor)
                else { return .changed }
            }
        case .link:
            guard source.isUnchanged(try staged.folder.directory.status(of: staged.name)) else { return .changed }
        case .package:
            let removal = PackageRemoval(manifest ?? PackageManifest(), leases: isLeased ? .required : .none)
            return try remove(staged, removal)
        }
        try staged.folder.directory.removeFile(staged.name)
        return .removed
    }

    private static func remove(
        _ package: StagedSource, _ removal: consuming PackageRemoval
    ) throws(SyscallError) -> Outcome {
        try removal.remove(package.name, in: package.folder) ? .removed : .changed
    }
}

extension SourceRemoval {
    /// Removes the source of an interrupted claim, which is recorded: if it is what it was after the claim, or has the
    /// content of the published copy.
    package static func remove(
        _ staged: StagedSource, _ entry: ClaimEntry, publishedIn folder: OpenFolder?, as name: FileName?
    ) throws(SyscallError) -> Outcome {
        switch try staged.folder.directory.status(of: staged.name).kind {
        case .regular:
            // Inspected under the lease: whoever has written by then is seen, and nobody else can begin to.
            let file = try staged.folder.directory.file(staged.name)
            if case .writer = ReadLease.takeUnlessRemote(file) { return .written }
            if try !isUnchanged(staged, since: entry) {
                guard try hasContent(of: folder, name, file) else { return .changed }
            }
        case .directory: return try removePackage(staged, entry, publishedIn: folder, as: name)
        case .symlink: guard try isUnchanged(staged, since: entry) else { return .changed }
        case .special: return .changed
        }
        try staged.folder.directory.removeFile(staged.name)
        return .removed
    }

    /// A package of which nothing is gone yet goes by its own list; else the copy shows what was copied.
    private static func removePackage(
        _ staged: StagedSource, _ entry: ClaimEntry, publishedIn folder: OpenFolder?, as name: FileName?
    ) throws(SyscallError) -> Outcome {
        let leases: PackageRemoval.Leases =
            try Filesystem(of: staged.folder.directory.descriptor).hasLeases ? .whereAvailable : .none
        // The list is made first: what is unchanged afterwards was so in every part of it.
        guard let manifest = try manifest(of: staged) else { return .changed }
        if try isUnchanged(staged, since: entry) {
            return try remove(staged, PackageRemoval(manifest, leases: leases))
        }
        guard let folder, let name else { return .changed }
        let copy = OpenFolder(try folder.directory.folder(name))
        return try remove(staged, PackageRemoval(comparedTo: copy, leases: leases))
    }

    private static func isUnchanged(_ staged: StagedSource, since entry: ClaimEntry) throws(SyscallError) -> Bool {
        guard let copied = entry.copied, let status = try staged.status() else { return false }
        return isSame(status, as: copied)
    }

    /// Not by the device, since a machine that starts anew may number its devices anew.
    private static func isSame(_ status: FileStatus, as copied: ClaimEntry.Copied) -> Bool {
        status.identity.file.inode == copied.source.file.inode && status.identity.file.birth == copied.source.file.birth
            && status.size == copied.source.size && status.identity.modified == copied.source.modified
            && status.changed == copied.sourceChanged
    }

    private static func hasContent(
        of folder: OpenFolder?, _ name: FileName?, _ file: borrowing FileDescriptor
    ) throws(SyscallError) -> Bool {
        guard let folder, let name else { return false }
        do throws(SyscallError) {
            let copy = try folder.directory.file(name)
            guard try copy.status().size == file.status().size else { return false }
            return try file.hasContent(of: copy)
        } catch  where error.errno.isAbsent {
            return false
        }
    }

    private static func manifest(of staged: StagedSource) throws(SyscallError) -> PackageManifest? {
        try FolderWalk.unlessTooLarge { () throws(FolderWalk.Failure) in
            var manifest = PackageManifest()
            var walk = try FolderWalk(of: try PackageProof.folder(staged.name, in: staged.folder))
            while let step = try walk.next() {
                switch step {
                case .entry(let entry):
                    manifest.note(try FolderWalk.Failure.of { () throws(SyscallError) in try entry.status() })
                case .entered(let level, _): manifest.note(level.status)
                case .left: break
                }
            }
            return manifest
        }
    }
}
