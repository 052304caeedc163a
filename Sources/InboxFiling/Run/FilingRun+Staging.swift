import InboxLinux

/// The first steps: the document has its entry, and what is not renamed at once is claimed, by a rename into a staging
/// folder.
extension FilingRun {
    /// The time to wait before a document that is returning to the Inbox is inspected again.
    private static let returnTime = Duration.milliseconds(100)

    /// Makes the entry, with the next root in which a staging folder is available where the document is claimed.
    func enter(_ document: RunDocument) throws(Refusal) {
        guard let roots = document.stagingRoots else {
            return try Refusal.at(document.path, document.enter(staged: nil, means.log.mark))
        }
        var refusal = Refusal(.hold(.permission, "no rename leads out of \(document.prepared.request.folderPath)"))
        for root in roots.sources.dropFirst(document.triedRoots) {
            document.triedRoots += 1
            do throws(Refusal) {
                let staging = try staging(in: root)
                return try Refusal.at(root.path, document.enter(staged: staging, means.log.mark))
            } catch {
                refusal = error
            }
        }
        throw refusal
    }

    /// The staging folder in a root, created where it is missing.
    func staging(in root: StagingRoots.Root) throws(Refusal) -> StagingFolder {
        let found: StagingFolder.Found
        do throws(StagingError) { found = try means.staging.folder(in: root.folder, at: root.path) } catch {
            throw error.refusal(at: root.path)
        }
        return try found.folder(at: root.path)
    }

    /// Claims a source under its lease.
    func claim(_ document: RunDocument) throws(Refusal) {
        if document.isRenamed { return }
        if means.abandonment.isRequested { throw Refusal(.changed) }
        let (prepared, folder) = (document.prepared, document.folder)
        switch means.staging.sourceReturn(of: prepared.status.identity.file) {
        case .underWay: throw Refusal(.unsettled(until: .now() + Self.returnTime))
        case .failed: throw Refusal(.postponed("its name in a staging folder, where it was before, cannot be removed"))
        case nil: break
        }
        try prepared.takeLease()
        defer { prepared.releaseLease() }
        if prepared.package == nil {
            try prepared.showUnchanged(in: folder, means.abandonment)
        } else {
            try showFoldersUnchanged(prepared, in: folder)
        }
        let staged = try rename(document)
        document.files.staged = staged
        let source = try Refusal.at(prepared.source, ClaimedSource(staged, of: prepared))
        // A document that is identical to another was read before its claim: nobody may have written since.
        if prepared.isLeased, let file = prepared.file {
            guard try Refusal.at(prepared.source, ReadLease.isWhole(file.descriptor)) else { throw Refusal(.changed) }
        }
        guard let source else { throw Refusal(.changed) }
        document.files.source = source
    }

    /// Shows that no entry was added to or removed from the package since it was proved; writes to its files are detected
    /// during the copy.
    private func showFoldersUnchanged(_ prepared: PreparedDocument, in folder: OpenFolder) throws(Refusal) {
        let status = prepared.status
        func isUnchanged() throws(SyscallError) -> Bool {
            let package = try folder.directory.folder(prepared.request.name)
            let top = try package.status()
            guard top.identity.file == status.identity.file, top.changed <= status.changed else { return false }
            return try FolderWalk.forEach(beneath: package) { step in
                if case .entered(let level, _) = step { level.status.changed <= status.changed } else { true }
            }
        }
        guard try Refusal.at(prepared.source, isUnchanged()) else { throw Refusal(.changed) }
    }

    /// Renames the source into the staging folder of the first root to which a rename leads: only the kernel knows.
    private func rename(_ document: RunDocument) throws(Refusal) -> StagedSource {
        let (folder, request) = (document.folder, document.prepared.request)
        while let staging = document.staging {
            do throws(SyscallError) {
                return try StagedSource.claim(request.name, from: folder, into: staging, document.id)
            } catch {
                document.files.mayBeStaged = mayHaveHappened(error, in: folder)
                let isFolder = error.errno.isDenied && !folder.mayChange
                let place = isFolder ? request.folderPath : document.path
                if error.errno != .crossDevice { throw Refusal(error, at: place) }
            }
            // Another filesystem after all: an overlay's lower folder, a subvolume.
            try enter(document)
            try note([document], isDurable: isDurable)
        }
        throw Refusal(.changed)
    }
}
