import InboxLinux

/// The first steps of a claim: the journal has it, and the source is renamed into a staging folder.
extension ClaimRun {
    /// The time to wait before a document that is returning to the Inbox is inspected again.
    private static let returnTime = Duration.milliseconds(100)

    /// Chooses the next root in which a staging folder is available.
    func enter(_ claim: Claim) throws(Refusal) {
        let document = claim.document
        var refusal = Refusal(.hold(.permission, "no rename leads out of \(document.prepared.request.folderPath)"))
        for root in document.stagingRoots.dropFirst(claim.triedRoots) {
            claim.triedRoots += 1
            do throws(Refusal) {
                let staging = try staging(in: root)
                claim.staging = staging
                claim.entry = try Refusal.at(root.path, document.entry(staged: staging, means.log.mark))
                return
            } catch {
                refusal = error
            }
        }
        throw refusal
    }

    /// The staging folder in a root, created where it is missing.
    func staging(in root: ClaimDocument.StagingRoot) throws(Refusal) -> StagingFolder {
        let found: StagingFolder.Found
        do throws(StagingError) { found = try means.staging.folder(in: root.folder, at: root.path) } catch {
            throw error.refusal(at: root.path)
        }
        return try found.folder(at: root.path)
    }

    /// Claims a source under its lease.
    func take(_ claim: Claim) throws(Refusal) {
        if means.abandonment.isRequested { throw Refusal(.changed) }
        let (prepared, folder) = (claim.document.prepared, claim.document.folder)
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
        let staged = try rename(claim)
        claim.files.staged = staged
        let source = try Refusal.at(prepared.source, ClaimedSource(staged, of: prepared))
        // A document that is identical to another was read before its claim: nobody may have written since.
        if prepared.isLeased, let file = prepared.file {
            guard try Refusal.at(prepared.source, ReadLease.isWhole(file.descriptor)) else { throw Refusal(.changed) }
        }
        guard let source else { throw Refusal(.changed) }
        claim.files.source = source
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
    private func rename(_ claim: Claim) throws(Refusal) -> StagedSource {
        let (folder, request) = (claim.document.folder, claim.document.prepared.request)
        while let staging = claim.staging {
            do throws(SyscallError) {
                return try StagedSource.claim(request.name, from: folder, into: staging, claim.id)
            } catch {
                claim.files.mayBeStaged = mayHaveHappened(error, in: folder)
                let isFolder = error.errno.isDenied && !folder.mayChange
                if error.errno != .crossDevice { throw Refusal(error, at: isFolder ? request.folderPath : claim.path) }
            }
            // Another filesystem after all: an overlay's lower folder, a subvolume.
            try enter(claim)
            try note([claim], isDurable: isDurable)
        }
        throw Refusal(.changed)
    }
}
