import InboxLinux

/// Removes a claimed package entry by entry: only what was copied, and is as it was when it was copied.
struct PackageRemoval {
    /// The list that the copy has made; nil after an interruption, when the published copy shows what was copied, entry by
    /// entry and byte by byte.
    private var manifest: PackageManifest?
    /// The files that the copy has left open.
    private let kept: KeptFiles
    private let isLeased: Bool
    /// The folders of the copy for those in which the walk is; nil where there is none.
    private var copies: [OpenFolder?] = []

    /// Removes what this list has. With `isLeased` a file goes only under its lease.
    init(_ manifest: PackageManifest, isLeased: Bool) {
        self.manifest = manifest
        kept = manifest.kept
        self.isLeased = isLeased
    }

    /// Removes what this published copy has too.
    init(comparedTo copy: OpenFolder, isLeased: Bool) {
        copies = [copy]
        kept = KeptFiles(most: 0)
        self.isLeased = isLeased
    }

    /// Removes what may go; false where something stays, with the folders around it.
    mutating func remove(_ name: FileName, in folder: OpenFolder) throws(SyscallError) -> Bool {
        let isWhole = try FolderWalk.unlessTooLarge { () throws(FolderWalk.Failure) in
            var isWhole = true
            let top = OpenFolder(try PackageProof.folder(name, in: folder))
            var walk = try FolderWalk(again: top)
            while let step = try walk.next() {
                let goes = try FolderWalk.Failure.of { () throws(SyscallError) in try take(step) }
                isWhole = isWhole && goes
            }
            return isWhole
        }
        guard isWhole == true else { return false }
        return try Self.removeFolder(name, in: folder.directory)
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
            if manifest == nil { copies.append(try counterpart(of: level)) }
            return true
        case .left(let level, let parent):
            let wasCopied = manifest?.hasFolder(level.status) ?? (copies.popLast() ?? nil != nil)
            guard let name = level.name, wasCopied else { return false }
            return try Self.removeFolder(name, in: parent.directory)
        }
    }

    private func counterpart(of level: FolderWalk.Level) throws(SyscallError) -> OpenFolder? {
        guard let name = level.name, let around = copies.last, let around else { return nil }
        do throws(SyscallError) {
            return OpenFolder(try around.directory.folder(name))
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// Removes a file while its lease keeps writers away.
    private mutating func takeFile(_ entry: FolderWalk.Entry) throws(SyscallError) -> Bool {
        let (file, answer, status) = try kept.open(entry, isLeased: isLeased, isLast: true)
        switch answer {
        case .held: break
        case .writer: return false
        case .unavailable(let error): throw error
        }
        guard let status, status.kind == .regular, try isCopied(file: file.descriptor, status, as: entry.name) else {
            return false
        }
        try entry.level.directory.removeFile(entry.name)
        // The removal of one name of a file changes the file.
        if status.links > 1 { manifest?.note(try file.descriptor.status()) }
        return true
    }

    private func takeLink(_ entry: FolderWalk.Entry) throws(SyscallError) -> Bool {
        guard try isCopied(link: entry.name, try entry.status(), in: entry.level.directory) else { return false }
        try entry.level.directory.removeFile(entry.name)
        return true
    }

    private func isCopied(
        file: borrowing FileDescriptor, _ status: FileStatus, as name: FileName
    ) throws(SyscallError) -> Bool {
        if let manifest { return manifest.has(status) }
        guard let around = copies.last, let around else { return false }
        do throws(SyscallError) {
            let copy = try around.directory.file(name)
            let other = try copy.status()
            guard other.kind == .regular, other.size == status.size else { return false }
            return try file.hasContent(of: copy)
        } catch  where error.errno.isAbsent {
            return false
        }
    }

    private func isCopied(
        link name: FileName, _ status: FileStatus, in folder: borrowing Directory
    ) throws(SyscallError) -> Bool {
        if let manifest { return manifest.has(status) }
        guard let around = copies.last, let around else { return false }
        do throws(SyscallError) {
            return try folder.target(of: name) == around.directory.target(of: name)
        } catch  where error.errno.isAbsent || error.errno == .invalid {
            return false
        }
    }

    /// Removes a folder; false where it is not empty.
    private static func removeFolder(_ name: FileName, in folder: borrowing Directory) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            try folder.removeFolder(name)
            return true
        } catch  where error.errno == .notEmpty || error.errno == .exists {
            return false
        } catch  where error.errno.isAbsent {
            return true
        }
    }
}
