import InboxLinux

/// Removes a claimed source after its copy was recorded.
package enum SourceRemoval {
    /// The outcome of a removal.
    package enum Outcome: Sendable {
        /// It is gone.
        case removed
        /// Somebody has changed it, so that it is another document, or, of a package, something in it was not copied.
        case changed
        /// Somebody has it open for writing, or a file of it. What else has changed shows once that is over.
        case written
        /// The comparison that would have shown that had to end.
        case undecided
    }

    /// Removes a source, if it is still what was copied, under the lease of each file.
    ///
    /// Where only its change time differs, as when somebody removes another of its names, equal content counts as
    /// unchanged.
    /// - Parameters:
    ///   - copy: the copy of a file.
    ///   - manifest: what was copied of a package.
    static func remove(
        _ source: ClaimedSource, _ copy: OpenFile?, _ manifest: PackageManifest?, isLeased: Bool,
        _ patience: ComparisonPatience
    ) throws(SyscallError) -> Outcome {
        let staged = source.staged
        switch source.content {
        case .file(let file?):
            if isLeased, try !ReadLease.take(file.descriptor).isHeld { return .written }
            let now = try file.descriptor.status()
            if !source.isUnchanged(now) {
                guard now.identity == source.status.identity, let copy,
                    try file.descriptor.isCopied(to: copy.descriptor, since: now, isLeased: isLeased, patience)
                else { return patience.isOver ? .undecided : .changed }
            }
        case .file(nil), .link:
            guard source.isUnchanged(try staged.folder.directory.status(of: staged.name)) else { return .changed }
        case .package:
            guard let manifest else { return .changed }
            var removal = PackageRemoval(manifest, leases: isLeased ? .required : .none, patience)
            if try removal.remove(staged.name, in: staged.folder) { return .removed }
            return removal.isWritten ? .written : .changed
        }
        try staged.folder.directory.removeFile(staged.name)
        return .removed
    }

    /// Removes the source of an interrupted claim, which is recorded: if it is what it was after the claim, or has the
    /// content of the published copy.
    package static func remove(
        _ staged: StagedSource, _ entry: JournalEntry, _ published: PublishedCopy?, _ patience: ComparisonPatience
    ) throws(SyscallError) -> Outcome {
        let status = try staged.folder.directory.status(of: staged.name)
        switch status.kind {
        case .regular where try published?.isName(of: status) == true: break
        case .regular:
            // Inspected under the lease: whoever has written by then is seen, and nobody else can begin to.
            let file = try staged.folder.directory.file(staged.name)
            let answer = ReadLease.takeUnlessRemote(file)
            if answer == .writer { return .written }
            if try !isUnchanged(staged, since: entry) {
                let isCopied = try published?.hasContent(of: file, isLeased: answer == .held, patience) == true
                guard isCopied else { return patience.isOver ? .undecided : .changed }
            }
        case .directory: return try removePackage(staged, entry, published, patience)
        case .symlink:
            if try !isUnchanged(staged, since: entry) {
                guard try published?.hasTarget(of: staged) == true else { return .changed }
            }
        case .special: return .changed
        }
        try staged.folder.directory.removeFile(staged.name)
        return .removed
    }

    /// Each entry goes by what the journal says of it, or by the copy. Where the journal does not say it, a package of which
    /// nothing is gone yet goes by its own list.
    private static func removePackage(
        _ staged: StagedSource, _ entry: JournalEntry, _ published: PublishedCopy?, _ patience: ComparisonPatience
    ) throws(SyscallError) -> Outcome {
        let filesystem = try Filesystem(of: staged.folder.directory.descriptor)
        var copied = filesystem.hasLastingInodes ? entry.copied?.entries : nil
        var copy: OpenFolder?
        // The list is made first: what is unchanged afterwards was so in every part of it.
        if copied == nil, let list = try list(of: staged), try isUnchanged(staged, since: entry) {
            copied = list
        } else if let published {
            copy = OpenFolder(try published.folder.directory.folder(published.name))
        }
        var removal = PackageRemoval(
            PackageManifest(kept: KeptFiles(most: 0), copied: copied ?? CopiedEntries()), comparedTo: copy,
            leases: filesystem.hasLeases ? .whereAvailable : .none, patience)
        if try removal.remove(staged.name, in: staged.folder) { return .removed }
        return patience.isOver ? .undecided : removal.isWritten ? .written : .changed
    }

    /// Returns the entries of a package; nil if there are more than a walk allows.
    private static func list(of staged: StagedSource) throws(SyscallError) -> CopiedEntries? {
        var copied = CopiedEntries()
        let isWhole = try FolderWalk.forEach(beneath: try staged.folder.directory.folder(staged.name)) {
            (step) throws(SyscallError) in
            switch step {
            case .entry(let entry): copied.note(try entry.status())
            case .entered(let level, _): copied.note(level.status)
            case .left: break
            }
            return true
        }
        return isWhole ? copied : nil
    }

    /// Returns whether the source of an interrupted claim is what it was after the claim, so that nothing has to be
    /// compared.
    package static func isUnchanged(_ staged: StagedSource, since entry: JournalEntry) throws(SyscallError) -> Bool {
        guard let copied = entry.copied, let status = try staged.status() else { return false }
        return status.identity.isSame(copied.source) && status.changed == copied.sourceChanged
    }
}

/// A copy that has its name.
package struct PublishedCopy: Sendable {
    /// The folder that it lies in.
    package let folder: OpenFolder
    /// Its name.
    package let name: FileName

    /// The copy of this name.
    package init(folder: OpenFolder, name: FileName) {
        self.folder = folder
        self.name = name
    }

    /// Returns whether it is the file itself that has this status, under another name: a run that publishes by link(2)
    /// may be killed before it has removed the first name. The number alone may mean nothing.
    package func isName(of file: FileStatus) throws(SyscallError) -> Bool {
        guard file.kind == .regular, file.links > 1 else { return false }
        let own = try folder.directory.status(of: name)
        return own.identity == file.identity && own.changed == file.changed
    }

    fileprivate func hasTarget(of link: StagedSource) throws(SyscallError) -> Bool {
        guard try folder.directory.status(of: name).kind == .symlink else { return false }
        return try folder.directory.target(of: name) == link.folder.directory.target(of: link.name)
    }

    fileprivate func hasContent(
        of file: borrowing FileDescriptor, isLeased: Bool, _ patience: ComparisonPatience
    ) throws(SyscallError) -> Bool {
        let copy = try folder.directory.file(name)
        let status = try file.status()
        guard try copy.status().size == status.size else { return false }
        return try file.isCopied(to: copy, since: status, isLeased: isLeased, patience)
    }
}
