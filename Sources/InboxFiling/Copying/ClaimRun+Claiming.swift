import InboxLinux

/// The first steps of a claim: the journal has it, and the source is renamed into a staging folder.
extension ClaimRun {
    /// Finds a staging folder for each document, and writes the claims down, all with one sync.
    mutating func enter() {
        for index in under {
            do throws(Refusal) { try enter(index) } catch { refuse(index, error) }
        }
        announce()
    }

    /// Chooses the next root in which a staging folder is available.
    private mutating func enter(_ index: Int) throws(Refusal) {
        let document = ways[index].document
        var refusal = Refusal(.hold(.permission, "no rename leads out of \(document.prepared.request.folderPath)"))
        for root in document.stagingRoots.dropFirst(ways[index].triedRoots) {
            ways[index].triedRoots += 1
            do throws(Refusal) {
                let found = try Refusal.at(root.path) { () throws(SyscallError) in
                    try means.staging.folder(in: root.folder, at: root.path)
                }
                let staging = try found.folder(at: root.path)
                ways[index].staging = staging
                ways[index].entry = try Refusal.at(root.path) { () throws(SyscallError) in
                    try document.entry(staged: staging, means.log.mark)
                }
                return
            } catch {
                refusal = error
            }
        }
        throw refusal
    }

    /// Claims a source under its lease.
    mutating func claim(_ index: Int) {
        do throws(Refusal) { try take(index) } catch { refuse(index, error) }
    }

    private mutating func take(_ index: Int) throws(Refusal) {
        if means.abandonment.isRequested { throw Refusal(.changed) }
        let prepared = ways[index].document.prepared
        try prepared.takeLease()
        defer { prepared.releaseLease() }
        let folder = ways[index].document.folder
        if prepared.package == nil {
            try prepared.showUnchanged(in: folder)
        } else {
            try showFoldersUnchanged(prepared, in: folder)
        }
        let staged = try rename(index)
        ways[index].staged = staged
        do throws(SyscallError) {
            ways[index].source = try ClaimedSource(staged, of: prepared)
            // A document that is identical to another was read before its claim: nobody may have written since.
            if prepared.isLeased, let file = prepared.file, try !ReadLease.isWhole(file.descriptor) {
                ways[index].source = nil
            }
        } catch {
            throw Refusal(error, at: prepared.source)
        }
        if ways[index].source == nil { throw Refusal(.changed) }
    }

    /// Nothing has come into a package since it was proved, or gone from it. What somebody writes in its files meanwhile
    /// shows after the claim, while they are copied.
    private func showFoldersUnchanged(_ prepared: PreparedDocument, in folder: OpenFolder) throws(Refusal) {
        let status = prepared.status
        let isUnchanged: Bool?
        do throws(SyscallError) {
            isUnchanged = try FolderWalk.unlessTooLarge { () throws(FolderWalk.Failure) in
                var walk = try FolderWalk(of: try PackageProof.folder(prepared.request.name, in: folder))
                var isSame = walk.top.identity.file == status.identity.file && walk.top.changed <= status.changed
                while isSame, let step = try walk.next() {
                    if case .entered(let level, _) = step { isSame = level.status.changed <= status.changed }
                }
                return isSame
            }
        } catch {
            throw Refusal(error, at: prepared.source)
        }
        guard isUnchanged == true else { throw Refusal(.changed) }
    }

    /// Renames the source into the staging folder of the first root to which a rename leads: only the kernel knows.
    private mutating func rename(_ index: Int) throws(Refusal) -> StagedSource {
        let document = ways[index].document
        while let staging = ways[index].staging {
            do throws(SyscallError) {
                return try StagedSource.claim(
                    document.prepared.request.name, from: document.folder, into: staging, document.prepared.id)
            } catch  where error.errno != .crossDevice {
                throw Refusal(error, at: denier(of: document, error))
            } catch {
                // Another filesystem after all: an overlay's lower folder, a subvolume.
                try enter(index)
                try note([index], isDurable: isDurable)
            }
        }
        throw Refusal(.changed)
    }

    /// The path that a failed claim is about.
    private func denier(of document: ClaimDocument, _ error: SyscallError) -> BytePath {
        guard error.errno.isDenied else { return document.prepared.source }
        do throws(SyscallError) {
            try document.folder.directory.mayChange()
            return document.prepared.source
        } catch {
            return document.prepared.request.folderPath
        }
    }
}
