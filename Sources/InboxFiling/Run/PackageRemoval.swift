import InboxLinux

/// Removes a claimed package entry by entry: only what was copied, and is as it was when it was copied.
struct PackageRemoval {
    /// The manifest that shows which entries were copied; for the others, the published copy is compared entry by
    /// entry and byte by byte.
    private var manifest: PackageManifest
    private let leases: Leases
    /// The time limit for comparing files.
    private let patience: ComparisonPatience
    /// An entry stays because something has the name under which it would be set aside.
    private var isBlocked = false
    /// A file stays because somebody has it open for writing.
    private(set) var isWritten = false
    /// The folders of the copy for those in which the walk is; nil where there is none.
    private var copies: [OpenFolder?]

    /// Which files go under their leases alone.
    enum Leases {
        /// All of them.
        case required
        /// Those that can have one: after an interruption nobody knows which of them could.
        case whereAvailable
        /// None: a quiet time has replaced the leases.
        case none

        func allow(_ answer: ReadLease.Answer) throws(SyscallError) -> Bool {
            switch self {
            case .required: try answer.isHeld
            case .whereAvailable, .none: answer != .writer
            }
        }
    }

    /// Removes what is shown to have been copied, and what this published copy has too; nil where that is gone, or need not
    /// be asked.
    init(
        _ manifest: PackageManifest, comparedTo copy: OpenFolder? = nil, leases: Leases, _ patience: ComparisonPatience
    ) {
        self.manifest = manifest
        copies = [copy]
        self.patience = patience
        self.leases = leases
    }

    /// Removes what may go; false where something stays, with the folders around it.
    mutating func remove(_ name: FileName, in folder: OpenFolder) throws(SyscallError) -> Bool {
        var isWhole = try removeEntries(of: name, in: folder)
        if isBlocked {
            // What was in the way was an entry of the package too, and is gone by now.
            isBlocked = false
            isWritten = false
            isWhole = try removeEntries(of: name, in: folder)
        }
        guard isWhole else { return false }
        return try folder.directory.removeEmptyFolder(name)
    }

    private mutating func removeEntries(of name: FileName, in folder: OpenFolder) throws(SyscallError) -> Bool {
        var isWhole = true
        let isWalked = try FolderWalk.forEach(beneath: try folder.directory.folder(name)) {
            (step) throws(SyscallError) in
            isWhole = try take(step) && isWhole
            return true
        }
        return isWhole && isWalked
    }

    private mutating func take(_ step: FolderWalk.Step) throws(SyscallError) -> Bool {
        switch step {
        case .entry(let entry):
            do throws(SyscallError) {
                switch entry.kind {
                case .regular: return try takeFile(entry)
                case .symlink: return try takeLink(entry)
                case .special, .directory: return false
                }
            } catch  where error.errno.isAbsent {
                // Somebody has removed it.
                return true
            }
        case .entered(let level, _):
            copies.append(try counterpart(of: level))
            return true
        case .left(let level, let parent):
            let hasCopy = copies.removeLast() != nil
            guard let name = level.name, hasCopy || manifest.copied.hasFolder(level.status) else { return false }
            return try parent.directory.removeEmptyFolder(name)
        }
    }

    private func counterpart(of level: FolderWalk.Level) throws(SyscallError) -> OpenFolder? {
        guard let name = level.name, let around = copies.last ?? nil else { return nil }
        do throws(SyscallError) {
            return OpenFolder(try around.directory.folder(name))
        } catch  where error.errno.isAbsent || error.errno.isClosed {
            return nil
        }
    }

    /// Removes a file while its lease keeps writers away.
    private mutating func takeFile(_ entry: FolderWalk.Entry) throws(SyscallError) -> Bool {
        if !RemovalName.isName(entry.name), let unbroken = try manifest.kept.takeUnbroken(entry) {
            // Equal content counts as unchanged, so its status is not asked for.
            return try withExtendedLifetime(unbroken.file) { () throws(SyscallError) in
                try remove(entry, unbroken.key)
            }
        }
        let (file, answer, status) = try manifest.kept.open(entry, isLeased: leases != .none, isLast: true)
        if answer == .writer { isWritten = true }
        guard try leases.allow(answer), let status, status.kind == .regular else { return false }
        let wasCopied = try wasCopied(entry, status) { (copies, name) throws(SyscallError) in
            let copy = try copies.file(name)
            let other = try copy.status()
            guard other.kind == .regular, other.size == status.size else { return false }
            let isLeased = leases != .none && answer == .held
            return try file.descriptor.isCopied(to: copy, since: status, isLeased: isLeased, patience)
        }
        guard wasCopied else { return try leave(entry) }
        guard try remove(entry, status.identity.file) else { return false }
        // The removal of one name of a file changes the file.
        if status.links > 1 { manifest.copied.note(try file.descriptor.status()) }
        return true
    }

    private mutating func takeLink(_ entry: FolderWalk.Entry) throws(SyscallError) -> Bool {
        let status = try entry.status()
        let wasCopied = try wasCopied(entry, status) { (copies, name) throws(SyscallError) in
            try entry.level.directory.target(of: entry.name) == copies.target(of: name)
        }
        guard wasCopied else { return try leave(entry) }
        return try remove(entry, status.identity.file)
    }

    /// Removes an entry that may go. It is set aside first, and inspected again: a program that has the folder open may
    /// have saved over its name since, and what was saved gets its name back.
    private mutating func remove(_ entry: FolderWalk.Entry, _ file: FileKey) throws(SyscallError) -> Bool {
        guard !RemovalName.isName(entry.name) else {
            try entry.level.directory.removeFile(entry.name)
            return true
        }
        let aside = RemovalName.name(for: entry.name)
        guard try entry.level.directory.setAside(entry.name, as: aside) else {
            isBlocked = true
            return false
        }
        guard try entry.level.directory.status(of: aside).identity.file == file else {
            try putBack(aside, as: entry.name, in: entry.level)
            return false
        }
        try entry.level.directory.removeFile(aside)
        return true
    }

    /// Leaves what was not copied where it is, or puts it back if a removal that was interrupted has set it aside.
    private func leave(_ entry: FolderWalk.Entry) throws(SyscallError) -> Bool {
        if let name = try RemovalName.names(of: entry, copiedTo: copies.last ?? nil).first {
            try putBack(entry.name, as: name, in: entry.level)
        }
        return false
    }

    private func putBack(_ aside: FileName, as name: FileName, in level: FolderWalk.Level) throws(SyscallError) {
        var names = FreeNames()
        let folder = OpenFolder(try level.directory.folder(beneath: []))
        do throws(SyscallError) {
            _ = try names.make(name, in: folder) { (name) throws(SyscallError) in
                try folder.directory.renameFile(aside, to: folder.directory, as: name)
            }
        } catch  where error.lacksSecondNames {
            // Any rename could replace what is saved at this moment: it keeps the name that it has.
        }
    }

    /// Returns whether an entry was copied as it is now: since nobody has changed it, or by a comparison with what the
    /// folder of the copy has under a name.
    private func wasCopied(
        _ entry: FolderWalk.Entry, _ status: FileStatus,
        isEqual: (borrowing Directory, FileName) throws(SyscallError) -> Bool
    ) throws(SyscallError) -> Bool {
        if manifest.copied.has(status, isSetAside: RemovalName.isName(entry.name)) { return true }
        guard let copy = copies.last ?? nil else { return false }
        return try RemovalName.hasSame(as: entry, in: copy) { (name) throws(SyscallError) in
            try isEqual(copy.directory, name)
        }
    }
}
