import InboxLinux

/// The outcome of putting a claimed source back into its folder.
package enum SourceReturn {
    /// It is back under this name; another than its own where that was taken meanwhile.
    case back(FileName)
    /// It cannot be put back now, for this reason.
    case stays(String)

    /// Puts a source back into the folder that it came from, or where that is gone, into one of its path.
    static func perform(
        _ staged: StagedSource, of folders: StagingFolders, to folder: OpenFolder, as name: FileName,
        at request: FilingRequest, isDurable: Bool
    ) throws(SyscallError) -> SourceReturn {
        do throws(SyscallError) {
            // A folder that was removed has no links; some filesystems say so by an error at the rename alone.
            if try folder.directory.status().links > 0 {
                return try finish(staged, of: folders, to: folder, as: name, isDurable: isDurable)
            }
        } catch  where error.errno.isAbsent {
            // It has been removed.
        }
        return try perform(
            staged, of: folders, toFolder: request.folder?.names ?? [], in: request.inbox, as: name,
            isDurable: isDurable)
    }

    /// Puts a source back into the folder at these names in an Inbox, which is created where it is missing.
    package static func perform(
        _ staged: StagedSource, of folders: StagingFolders, toFolder names: [FileName], in inbox: BytePath,
        as name: FileName, isDurable: Bool = true
    ) throws(SyscallError) -> SourceReturn {
        let root: OpenFolder
        do throws(SafePathError) { root = OpenFolder(try SafePath.open(inbox)) } catch {
            if case .failed(_, let error) = error { throw error }
            return .stays("\(error)")
        }
        let way: InboxWay
        do throws(FolderMakingError) { way = try InboxWay(names, in: root, at: inbox, FolderMaking()) } catch {
            throw error.failure
        }
        return try finish(staged, of: folders, to: way.last, as: name, isDurable: isDurable)
    }

    private static func finish(
        _ staged: StagedSource, of folders: StagingFolders, to folder: OpenFolder, as name: FileName, isDurable: Bool
    ) throws(SyscallError) -> SourceReturn {
        guard let found = try staged.putBack(to: folder, as: name, folders) else { return .stays("no free name fits") }
        if isDurable {
            try folder.directory.sync()
            // Else a power cut may leave both names, as on btrfs, when nobody knows of the claim any more.
            try staged.folder.directory.sync()
        }
        try staged.end()
        return .back(found)
    }
}
