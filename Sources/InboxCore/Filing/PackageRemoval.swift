import InboxLinux

/// Removes what was copied of a package, and nothing else: each entry goes only if it is what its copy was made from.
///
/// That is shown by a change time that lies before the copying began, or else by the content, byte for byte; nobody may
/// have a file open for writing, which its lease shows until it is gone.
struct PackageRemoval {
    private let copy: OpenFolder?
    private let unchangedSince: Timestamp?
    private let needsLeases: Bool
    /// The folders of the copy that stand for the ones in which the walk is; nil where there is none.
    private var copies: [OpenFolder?] = []

    /// Compares with a copy, whose files are as they were copied. With `needsLeases` a file of which nothing shows that
    /// nobody writes to it is an error.
    ///
    /// A change time proves nothing while it lies ahead of the clock, which somebody has set back then.
    init(comparedTo copy: OpenFolder?, unchangedSince: Timestamp?, needsLeases: Bool = false) {
        self.copy = copy
        self.unchangedSince = unchangedSince.flatMap { $0 <= .now() ? $0 : nil }
        self.needsLeases = needsLeases
    }

    /// Whether all of it would go; nothing is touched.
    mutating func wouldRemoveAll(of name: FileName, in folder: OpenFolder) throws(SyscallError) -> Bool {
        try walk(name, in: folder, isTrial: true)
    }

    /// Removes what may go; false where something stays, with the folders around it.
    mutating func remove(_ name: FileName, in folder: OpenFolder) throws(SyscallError) -> Bool {
        guard try walk(name, in: folder, isTrial: false) else { return false }
        return try Self.removeFolder(name, in: folder.directory)
    }

    private mutating func walk(_ name: FileName, in folder: OpenFolder, isTrial: Bool) throws(SyscallError) -> Bool {
        copies = [copy]
        var isWhole = true
        do throws(FolderWalk.Failure) {
            var walk = try FolderWalk(of: try PackageProof.folder(name, in: folder))
            while let step = try walk.next() {
                let goes = try FolderWalk.Failure.of { () throws(SyscallError) in try take(step, isTrial: isTrial) }
                isWhole = isWhole && goes
            }
        } catch {
            throw error.error
        }
        return isWhole
    }

    private mutating func take(_ step: FolderWalk.Step, isTrial: Bool) throws(SyscallError) -> Bool {
        switch step {
        case .entry(let name, let status, let level):
            let copied = copies.last ?? nil
            switch status.kind {
            case .regular: return try takeFile(name, in: level.directory, copied, isTrial: isTrial)
            case .symlink:
                if !isUnchanged(status), try !isSameLink(name, in: level.directory, copied) { return false }
                if !isTrial { try level.directory.removeFile(name) }
                return true
            case .special, .directory: return false
            }
        case .entered(let level, _):
            copies.append(try counterpart(of: level))
            return true
        case .left(let level, let parent):
            let copied = copies.popLast() ?? nil
            guard let name = level.name, copied != nil || isUnchanged(level.status) else { return false }
            if isTrial { return true }
            return try Self.removeFolder(name, in: parent.directory)
        }
    }

    /// Whether nothing has changed it since the copying began: then it is what was copied, whatever became of the copy.
    private func isUnchanged(_ status: FileStatus) -> Bool {
        unchangedSince.map { status.changed <= $0 } ?? false
    }

    private func counterpart(of level: FolderWalk.Level) throws(SyscallError) -> OpenFolder? {
        guard let name = level.name, let around = copies.last, let around else { return nil }
        do throws(SyscallError) {
            return OpenFolder(try around.directory.folder(beneath: [name]))
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// Removes a file while its lease keeps writers away.
    private func takeFile(
        _ name: FileName, in folder: borrowing Directory, _ copied: OpenFolder?, isTrial: Bool
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            return try takeFile(try folder.file(name), name, in: folder, copied, isTrial: isTrial)
        } catch  where error.errno.isAbsent {
            // Somebody has removed it at this moment.
            return true
        }
    }

    private func takeFile(
        _ file: borrowing FileDescriptor, _ name: FileName, in folder: borrowing Directory, _ copied: OpenFolder?,
        isTrial: Bool
    ) throws(SyscallError) -> Bool {
        switch ReadLease.take(file) {
        case .held: break
        case .writer: return false
        case .unavailable(let code): if needsLeases { throw SyscallError(.lease, code) }
        }
        guard try isSame(file, as: name, in: copied) else { return false }
        if !isTrial { try folder.removeFile(name) }
        return true
    }

    private func isSame(
        _ file: borrowing FileDescriptor, as name: FileName, in copied: OpenFolder?
    ) throws(SyscallError) -> Bool {
        let status = try file.status()
        guard status.kind == .regular else { return false }
        if isUnchanged(status) { return true }
        guard let copied else { return false }
        do throws(SyscallError) {
            let other = try copied.directory.status(of: name)
            guard other.kind == .regular, status.size == other.size else { return false }
            return try file.hasContent(of: try copied.directory.file(name))
        } catch  where error.errno.isAbsent {
            return false
        }
    }

    private func isSameLink(
        _ name: FileName, in folder: borrowing Directory, _ copied: OpenFolder?
    ) throws(SyscallError) -> Bool {
        guard let copied else { return false }
        do throws(SyscallError) {
            return try folder.target(of: name) == copied.directory.target(of: name)
        } catch  where error.errno.isAbsent || error.errno == .invalid {
            return false
        }
    }

    /// False where something is in it.
    private static func removeFolder(_ name: FileName, in folder: borrowing Directory) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            try folder.removeFolder(name)
            return true
        } catch  where error.errno == .notEmpty || error.errno == .exists {
            return false
        }
    }
}
