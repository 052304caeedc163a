import InboxLinux

/// The source of a copy that was published before an interruption: it goes if it is still what was copied.
enum CopiedSource {
    /// Whether its disk is not there: what cannot be removed now would come back with it.
    static func isAway(_ found: CopyRecovery.Published) throws(SyscallError) -> Bool {
        guard let parent = found.source.parent else { return false }
        let home = FilesystemMark(device: found.wanted.file.device, identifier: nil)
        do throws(SyscallError) {
            _ = try Directory.open(path: parent.bytes)
            return false
        } catch  where error.errno.isAbsent {
            return try !IntentVerdict.isOn(home, around: parent)
        }
    }

    /// Gives a source its name back that was taken aside, and whose copy is not to be found: its owner has moved or
    /// removed the copy since.
    static func putBack(_ intent: CopyIntent) throws(SyscallError) {
        guard let id = RecordID(intent.intent.id),
            let source = EscapedBytes.bytes(intent.intent.source).map(BytePath.init(bytes:)),
            let parent = source.parent, let name = FileName(source.lastComponent)
        else { return }
        do throws(SyscallError) {
            let folder = OpenFolder(try Directory.open(path: parent.bytes))
            try SourceRemoval.putBack(SourceRemoval.asideName(id), as: name, in: folder)
            try folder.directory.sync()
        } catch  where error.errno.isAbsent {
            // It has its name.
        }
    }

    /// Removes it, also where it was taken aside already; tells where it has to stay.
    static func remove(_ found: CopyRecovery.Published) throws(SyscallError) -> String? {
        guard let parent = found.source.parent, let name = FileName(found.source.lastComponent),
            let id = RecordID(found.intent.intent.id)
        else { return nil }
        do throws(SyscallError) {
            let folder = OpenFolder(try Directory.open(path: parent.bytes))
            let aside = SourceRemoval.asideName(id)
            _ = try remove(aside, of: found, in: folder, isAside: true)
            do throws(SyscallError) {
                try SourceRemoval.putBack(aside, as: name, in: folder)
            } catch  where error.errno.isAbsent {
                // Nothing has the other name, or nothing any more.
            }
            let isGone = try remove(name, of: found, in: folder, isAside: false)
            // The interrupted run may have removed it already, and no more than that.
            try folder.directory.sync()
            if !isGone {
                return "\(found.source) was copied, and has changed since or is being written: it stays"
            }
            return nil
        } catch {
            if error.errno.isAbsent { return nil }
            guard error.errno.isDenied else { throw error }
            return "\(found.source) was copied, but cannot be removed: \(error)"
        }
    }

    /// Removes a name of the source; false where it is the source, but not what was copied. Whoever has it open for
    /// writing now, or has changed it since, makes another document of it.
    private static func remove(
        _ name: FileName, of found: CopyRecovery.Published, in folder: OpenFolder, isAside: Bool
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            let status = try folder.directory.status(of: name)
            // Another stands there: it is none of this.
            var isMeant = status.identity.file == found.wanted.file
            if !isMeant, isAside {
                isMeant = try CopyUp.mayBe(status.identity, found.wanted, in: folder.directory)
            }
            guard isMeant else { return true }
            switch status.kind {
            case .regular: return try removeFile(name, of: found, in: folder, isAside: isAside)
            case .directory: return try removePackage(name, of: found, in: folder)
            case .symlink, .special: return try removeOther(name, of: found, in: folder, isAside: isAside)
            }
        } catch  where error.errno.isAbsent {
            return true
        }
    }

    private static func removeFile(
        _ name: FileName, of found: CopyRecovery.Published, in folder: OpenFolder, isAside: Bool
    ) throws(SyscallError) -> Bool {
        let file = try folder.directory.file(name)
        if ReadLease.take(file) == .writer { return false }
        guard isStill(try file.status(), found, isAside: isAside) else { return false }
        return try removeOther(name, of: found, in: folder, isAside: isAside)
    }

    private static func removeOther(
        _ name: FileName, of found: CopyRecovery.Published, in folder: OpenFolder, isAside: Bool
    ) throws(SyscallError) -> Bool {
        guard isStill(try folder.directory.status(of: name), found, isAside: isAside) else { return false }
        try folder.directory.removeFile(name)
        return true
    }

    /// Where it was taken aside, the change time tells of the rename alone, and on an overlay the file may be another.
    private static func isStill(_ now: FileStatus, _ found: CopyRecovery.Published, isAside: Bool) -> Bool {
        if isAside { return now.size == found.wanted.size && now.identity.modified == found.wanted.modified }
        return now.identity == found.wanted && now.changed == found.intent.changed
    }

    /// Some of a package may be gone already: what is left of it goes as far as it is what was copied.
    private static func removePackage(
        _ name: FileName, of found: CopyRecovery.Published, in folder: OpenFolder
    ) throws(SyscallError) -> Bool {
        let copy = OpenFolder(try found.folder.directory.folder(found.name))
        var removal = PackageRemoval(comparedTo: copy, unchangedSince: found.intent.changed)
        guard try removal.wouldRemoveAll(of: name, in: folder) else { return false }
        return try removal.remove(name, in: folder)
    }
}
