import InboxLinux

/// Brings files, packages and folders to the disk, each by itself: syncfs(2) would wait for the unwritten data of
/// everybody on the filesystem. A failed sync is never repeated as proof.
package enum Syncing {
    /// Bytes: how much of a file the disk is given at once. A slow disk takes minutes for a large file, and a call that waits
    /// for it is not interrupted.
    static let portion: Int64 = 64 << 20
    /// The parts of a file: one of holes alone may be larger than any disk.
    private static let mostParts: Int64 = 1024

    /// Lets the disk begin with the content of a file, so that the syncs of many together take little longer than one: on
    /// ext4 each would otherwise write its own transaction.
    static func begin(contentOf document: PreparedDocument) {
        guard let file = document.file, document.status.size > 0 else { return }
        do throws(SyscallError) {
            try file.descriptor.startWriting(from: 0, count: min(Int64(clamping: document.status.size), portion))
        } catch {
            // It is a hint; the sync shows whether the content reached the disk.
        }
    }

    /// Brings the content of a document to the disk.
    /// - Returns: false for a package that has grown beyond what is walked, and where the daemon is ending.
    static func sync(contentOf document: PreparedDocument, _ abandonment: Abandonment) throws(SyscallError) -> Bool {
        if abandonment.isRequested { return false }
        if let file = document.file { return try sync(file, ofSize: document.status.size, abandonment) }
        return try document.package.map { (package) throws(SyscallError) in
            try sync(package: package, abandonment)
        } ?? true
    }

    /// The content of a file, a large one part by part.
    /// - Returns: false where the daemon is ending.
    static func sync(_ file: OpenFile, ofSize size: UInt64, _ abandonment: Abandonment) throws(SyscallError) -> Bool {
        let size = Int64(clamping: size)
        let portion = max(portion, size / mostParts)
        var written: Int64 = 0
        while size - written > portion {
            if abandonment.isRequested { return false }
            do throws(SyscallError) { try file.descriptor.finishWriting(from: written, count: portion) } catch {
                // A failure that is reported here is not reported by the sync again.
                guard error.isUnsupported else { throw error }
                break
            }
            written += portion
        }
        try file.descriptor.sync()
        return true
    }

    /// The first failure of these folders to bring their names to the disk, many at once; each is tried all the same.
    static func failure(ofNamesIn folders: some Collection<OpenFolder>) -> SyscallError? {
        SideBySide.map(Array(folders)) { (folder: OpenFolder) -> SyscallError? in
            do throws(SyscallError) {
                try folder.directory.sync()
                return nil
            } catch {
                return error
            }
        }.compactMap { $0 }.first
    }

    /// Each file of a package, unless those are on the disk, and each folder after all that it contains.
    /// - Returns: false for a package that has grown beyond what is walked, and where the daemon is ending.
    package static func sync(
        package: OpenFolder, foldersAlone: Bool = false, _ abandonment: Abandonment
    ) throws(SyscallError) -> Bool {
        let isWhole = try FolderWalk.forEach(beneath: try package.directory.folder(beneath: [])) {
            (step) throws(SyscallError) in
            if abandonment.isRequested { return false }
            switch step {
            case .entry(let entry) where entry.kind == .regular && !foldersAlone:
                try entry.level.directory.file(entry.name, mayCross: false).sync()
            case .left(let level, _): try level.directory.sync()
            case .entry, .entered: break
            }
            return true
        }
        guard isWhole else { return false }
        try package.directory.sync()
        return true
    }

    /// The failure of a call; nil where it succeeds.
    package static func errorOf(_ call: @autoclosure () throws(SyscallError) -> Void) -> SyscallError? {
        do throws(SyscallError) {
            try call()
            return nil
        } catch {
            return error
        }
    }
}
