import InboxLinux

/// A claimed source: it lies under its own name in `source-ID`, in a staging folder that only the daemon's user can
/// enter, and another daemon of that user only when its lock is free.
package struct StagedSource: Sendable {
    /// The staging folder.
    package let staging: StagingFolder
    /// The folder `source-ID`.
    package let folder: OpenFolder
    /// Its name, the same as in the Inbox.
    package let name: FileName
    private let id: RecordID

    /// The reason why a source may have a second name in an Inbox, if no rename spares what exists.
    enum Return {
        /// It is about to lose its first name.
        case underWay
        /// Its first name could not be removed.
        case failed
    }

    /// The name of the folder for a document's source.
    package static func folderName(_ id: RecordID) -> FileName { FileName("source-\(id.text)").unsafelyUnwrapped }

    /// The id of the document whose source lies in the folder of this name; nil for every other name.
    package static func id(of folder: FileName) -> RecordID? {
        RecordID(in: folder, after: "source-")
    }

    /// Claims a name by one rename, which only one of several daemons can win.
    ///
    /// Nothing is known of what was renamed: somebody may have put something else under the name just before. EXDEV where
    /// the staging folder is on another filesystem after all, ENOENT where somebody took it; nothing has changed then.
    package static func claim(
        _ name: FileName, from source: OpenFolder, into staging: StagingFolder, _ id: RecordID
    ) throws(SyscallError) -> StagedSource {
        let folder = try staging.subfolder(folderName(id))
        do throws(SyscallError) {
            try source.directory.claim(name, into: folder.directory, as: name)
        } catch {
            do throws(SyscallError) { try staging.removeIfEmpty(folderName(id)) } catch {
                // The failure that counts is the one of the claim; the sweep of staging folders removes what is left.
            }
            throw error
        }
        return StagedSource(staging: staging, folder: folder, name: name, id: id)
    }

    /// The source that an interrupted run has claimed; nil where there is none.
    package static func find(_ id: RecordID, in staging: StagingFolder) throws(SyscallError) -> StagedSource? {
        do throws(SyscallError) {
            let folder = OpenFolder(try staging.folder.directory.folder(folderName(id)))
            var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
            guard let name = try entries.next()?.name else { return nil }
            return StagedSource(staging: staging, folder: folder, name: name, id: id)
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// Returns the current status of the source, for a package with everything in it; nil for a package that has
    /// grown beyond the limit of a survey.
    package func status() throws(SyscallError) -> FileStatus? {
        let status = try folder.directory.status(of: name)
        guard status.kind == .directory else { return status }
        return try OpenedSource.status(of: name, .directory, in: folder)
    }

    /// Puts it back under its name, or the next free one.
    /// - Parameter folders: learns whether it has two names meanwhile.
    /// - Returns: its name; nil where no name fits.
    func putBack(
        to target: OpenFolder, as wanted: FileName, _ folders: StagingFolders
    ) throws(SyscallError) -> FileName? {
        var names = FreeNames()
        let status = try folder.directory.status(of: name)
        // Whatever fails now, it has two names if it had two before.
        var state = folders.sourceReturn(of: status.identity.file)
        defer { folders.noteReturn(of: status.identity.file, state) }
        // A folder never has two.
        if status.kind != .directory { folders.noteReturn(of: status.identity.file, .underWay) }
        do throws(SyscallError) {
            let moved = try Moving.move(name, status, from: folder, to: target, as: wanted, &names, isAgain: true)
            // The next try finds the name that it has got.
            if let failure = moved?.failure {
                state = .failed
                throw failure
            }
            state = nil
            return moved?.name
        } catch  where error.lacksSecondNames {
            let moved = try Moving.moveOverPlaceholder(name, from: folder, to: target, as: wanted, &names)
            state = nil
            return moved?.name
        }
    }

    /// Removes the folder that it was in.
    package func end() throws(SyscallError) { try Self.end(id, in: staging) }

    /// Removes the folder of a source that has left it.
    package static func end(_ id: RecordID, in staging: StagingFolder) throws(SyscallError) {
        try staging.removeIfEmpty(folderName(id))
    }
}
