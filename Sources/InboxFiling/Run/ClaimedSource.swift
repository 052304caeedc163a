import InboxLinux

/// The source of a document after it was claimed, opened anew in its staging folder.
struct ClaimedSource: Sendable {
    /// The content to copy.
    enum Content: Sendable {
        /// A file; nil where it may not be read, so that it can only move.
        case file(OpenFile?)
        /// A folder that is one document.
        case package(OpenFolder)
        /// A symbolic link, by what it says.
        case link(BytePath)
    }

    /// Where it lies.
    let staged: StagedSource
    let content: Content
    /// The status after the claim: what is copied and removed must still have it. The claim itself changes the change
    /// time.
    let status: FileStatus

    /// Opens what was claimed.
    /// - Returns: nil where it is not what was prepared: somebody put something else under the name just before.
    init?(_ staged: StagedSource, of document: PreparedDocument) throws(SyscallError) {
        self.staged = staged
        let folder = staged.folder
        let found = try folder.directory.status(of: staged.name)
        guard found.kind == document.status.kind else { return nil }
        switch found.kind {
        case .regular:
            guard let known = document.file else {
                (content, status) = (.file(nil), found)
                break
            }
            let file = OpenFile(try folder.directory.file(staged.name))
            status = try file.descriptor.status()
            content = .file(file)
            guard try CopyUp.isSame(status.identity, as: document.status.identity, known.descriptor) else { return nil }
            return
        case .directory:
            let package = OpenFolder(try folder.directory.folder(staged.name))
            content = .package(package)
            // What is in it shows itself entry by entry while it is copied, and all of it before the copy gets its name.
            guard try document.known.isSame(as: found.identity) else { return nil }
            var status = document.status
            status.takeRename(of: found)
            self.status = status
            return
        case .symlink: (content, status) = (.link(try folder.directory.target(of: staged.name)), found)
        case .special: return nil
        }
        if found.identity != document.status.identity {
            guard try CopyUp.mayBe(found.identity, document.status.identity, in: folder.directory) else { return nil }
        }
    }

    /// Shows that it is what it was after the claim and that nobody writes; the lease of a file is held from here on.
    /// - Parameter manifest: what was copied of a package; nil where it moves itself.
    func prove(
        _ manifest: PackageManifest?, isLeased: Bool, _ abandonment: Abandonment
    ) throws(SyscallError) -> Refusal? {
        let now: FileStatus
        switch content {
        case .file(let file?):
            if isLeased, let refusal = Self.refusal(ReadLease.take(file.descriptor)) { return refusal }
            now = try file.descriptor.status()
        case .package:
            if let manifest { return try prove(manifest, isLeased: isLeased, abandonment) }
            guard let proof = try PackageProof(of: staged.name, in: staged.folder, abandonment) else {
                return Refusal(.changed)
            }
            if isLeased, let refusal = Self.refusal(proof.answer) { return refusal }
            now = proof.status
        case .file(nil), .link: now = try staged.folder.directory.status(of: staged.name)
        }
        return isUnchanged(now) ? nil : Refusal(.changed)
    }

    /// Shows the same of a package entry by entry, by what was copied.
    private func prove(
        _ manifest: PackageManifest, isLeased: Bool, _ abandonment: Abandonment
    ) throws(SyscallError) -> Refusal? {
        var refusal: Refusal?
        let survey = try FolderWalk.whole { () throws(FolderWalk.Failure) in
            try PackageSurvey(of: try PackageProof.folder(staged.name, in: staged.folder), abandonment) {
                (entry) throws(SyscallError) in
                guard entry.kind == .regular else { return try entry.status() }
                let (_, answer, found) = try manifest.kept.open(entry, isLeased: isLeased)
                refusal = refusal ?? Self.refusal(answer)
                if let found, manifest.copied.has(found) { return found }
                refusal = refusal ?? Refusal(.changed)
                return try entry.status()
            }
        }
        let isSame = survey.map { !$0.isAbandoned && isUnchanged($0.status) } ?? false
        return refusal ?? (isSame ? nil : Refusal(.changed))
    }

    func isUnchanged(_ now: FileStatus) -> Bool {
        now.identity == status.identity && now.changed == status.changed
    }

    /// Returns the reason to stop copying if somebody wants to write to the source; otherwise nil.
    func leaseBreak(isLeased: Bool) throws(SyscallError) -> Refusal? {
        guard isLeased, case .file(let file?) = content else { return nil }
        return try ReadLease.isWhole(file.descriptor) ? nil : Refusal(.writer)
    }

    static func refusal(_ answer: ReadLease.Answer) -> Refusal? {
        switch answer {
        case .held: nil
        case .writer: Refusal(.writer)
        case .unavailable: Refusal(.changed)
        }
    }

    /// Lets writers go on.
    func releaseLease() { if case .file(let file?) = content { ReadLease.releaseAny(file.descriptor) } }
}
