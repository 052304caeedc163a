import InboxFiling
import InboxLinux

/// Empties staging folders of what no entry of the journal explains: sources return to the Inbox, and unfinished copies
/// are removed.
struct StagingSweep {
    let journal: Journal
    let staging: StagingFolders
    let documents: BytePath
    let inboxes: [BytePath]
    /// Other folders in which interrupted claims had staging folders.
    let others: Set<BytePath>
    let isAccepting: Bool

    /// Sweeps the staging folders at all roots.
    func perform(_ findings: inout Recovery.Findings) throws(SyscallError) {
        for path in [documents] + inboxes + others.subtracting([documents] + inboxes) {
            let root: OpenFolder
            do throws(SafePathError) { root = OpenFolder(try SafePath.open(path)) } catch {
                // The root is missing or unsafe, which is a problem of its own.
                continue
            }
            if let folders = try staging.existing(in: root, at: path) {
                for folder in folders { try empty(folder, at: path, &findings) }
            } else {
                findings.lockedStaging = path
            }
            for name in try foreign(in: root) { try visit(name, in: root, at: path, &findings) }
        }
    }

    private func foreign(in root: OpenFolder) throws(SyscallError) -> [FileName] {
        var found: [FileName] = []
        var entries = try DirectoryEntries(of: try root.directory.folder(beneath: []))
        while let entry = try entries.next() { if staging.isForeign(entry.name) { found.append(entry.name) } }
        return found
    }

    /// Another daemon's staging folder, or one of this daemon from before it lost its state folder. It is entered only
    /// where its lock shows that nobody uses it, which it does on this machine alone.
    private func visit(
        _ name: FileName, in root: OpenFolder, at path: BytePath, _ findings: inout Recovery.Findings
    ) throws(SyscallError) {
        guard let instance = Instance(named: name) else { return }
        let isLocal = try Filesystem(of: root.directory.descriptor).nameWithoutEvents == nil
        switch isLocal || isAccepting ? try StagingFolder.find(in: root, at: path, instance) : .nothing {
        case .folder(let folder):
            try empty(folder, at: path, &findings)
            try folder.removeIfEmpty()
        case .locked where isLocal:
            // Its daemon runs; what that leaves one day is found at a later try.
            findings.isClean = false
        case .locked, .nothing: findings.open.append((path, "\(name) in it is another daemon's staging folder"))
        }
    }

    private func empty(
        _ folder: StagingFolder, at path: BytePath, _ findings: inout Recovery.Findings
    ) throws(SyscallError) {
        var names: [FileName] = []
        var entries = try DirectoryEntries(of: try folder.folder.directory.folder(beneath: []))
        while let entry = try entries.next() { names.append(entry.name) }
        for name in names {
            if let id = StagedSource.id(of: name), !journal.isOpen(id) {
                try returnSource(id, in: folder, at: path, &findings)
            } else if let id = CopyTarget.id(of: name), !journal.isOpen(id) {
                try FolderRemoval.remove(name, in: folder.folder)
            }
        }
    }

    private func returnSource(
        _ id: RecordID, in folder: StagingFolder, at path: BytePath, _ findings: inout Recovery.Findings
    ) throws(SyscallError) {
        while let staged = try StagedSource.find(id, in: folder) {
            guard let inbox = inboxes.first(where: { $0 == path || $0.isInside(path) }) ?? inboxes.first else { return }
            if let obstacle = try SourceReturn.perform(staged, toFolder: [], in: inbox, as: staged.name) {
                findings.open.append((path, "\(staged.name) in a staging folder cannot return: \(obstacle)"))
                return
            }
            findings.notices.append("put \(staged.name) back into \(inbox): a claim of it was interrupted")
        }
        try StagedSource.end(id, in: folder)
    }
}
