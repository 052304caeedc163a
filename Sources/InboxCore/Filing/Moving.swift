import InboxLinux

/// Moves a name inside one filesystem, never over another.
enum Moving {
    /// Moves `name` under the first free name of its row; what is moved must still be the file of `status`, which `file`
    /// has open unless it may not be read.
    ///
    /// Nil where no name fits. EXDEV where the folders lie on different filesystems.
    static func move(
        _ name: FileName, _ status: FileStatus, _ file: OpenFile? = nil, from folder: OpenFolder,
        to target: OpenFolder, as wanted: FileName, _ names: inout FreeNames
    ) throws(SyscallError) -> (name: FileName, number: Int)? {
        try names.take(wanted, in: target) { (candidate) throws(SyscallError) in
            do throws(SyscallError) {
                try folder.directory.rename(name, to: target.directory, as: candidate)
            } catch  where error.errno == .exists {
                return false
            } catch  where error.errno.isUnsupported {
                if status.kind == .directory {
                    return try replaceOwn(name, from: folder, to: target, as: candidate)
                }
                return try link(name, status.identity, from: folder, to: target, as: candidate)
            }
            if isAnother(candidate, than: status.identity, file, in: target) {
                try takeBack(candidate, from: target, to: folder, as: name)
                throw SyscallError(.renameat2, .noEntry)
            }
            return true
        }
    }

    /// Whether another file was put under the name between the last look and the rename, which takes what it finds:
    /// nobody has looked whether that one is complete, or a document at all.
    private static func isAnother(
        _ name: FileName, than identity: FileIdentity, _ file: OpenFile?, in folder: OpenFolder
    ) -> Bool {
        do throws(SyscallError) {
            let found = try folder.directory.status(of: name).identity
            if found.file == identity.file { return false }
            guard let file else { return true }
            return try !CopyUp.isSame(found, as: identity, file.descriptor)
        } catch {
            // It has moved, whatever became of it since; the record is due.
            return false
        }
    }

    /// Puts a name back where it was taken from, beside whatever came there meanwhile.
    private static func takeBack(
        _ name: FileName, from folder: OpenFolder, to origin: OpenFolder, as former: FileName
    ) throws(SyscallError) {
        let row = NumberedName(former)
        var number = 0
        while let candidate = row.numbered(number) {
            do throws(SyscallError) {
                return try folder.directory.rename(name, to: origin.directory, as: candidate)
            } catch  where error.errno == .exists {
                number += 1
            }
        }
    }

    /// The same for a folder, which cannot have two names: a rename over the empty folder that was made for it. rename(2)
    /// replaces an empty folder only, so that nothing can be lost.
    static func replaceOwn(
        _ name: FileName, from folder: OpenFolder, to target: OpenFolder, as candidate: FileName
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            try target.directory.makeFolder(candidate, mode: 0o700)
        } catch  where error.errno == .exists {
            return false
        }
        do throws(SyscallError) {
            try folder.directory.renameOverEmptyFolder(name, to: target.directory, as: candidate)
            return true
        } catch  where error.errno == .notEmpty || error.errno == .exists {
            // Somebody put something in at that moment: the folder is theirs now.
            return false
        } catch {
            try target.directory.removeFolder(candidate)
            throw error
        }
    }

    /// Where the filesystem knows no rename that does not replace (EINVAL): a second name, then the first one goes.
    private static func link(
        _ name: FileName, _ identity: FileIdentity, from folder: OpenFolder, to target: OpenFolder,
        as candidate: FileName
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            try folder.directory.link(name, to: target.directory, as: candidate)
        } catch  where error.errno == .exists {
            return false
        }
        do throws(SyscallError) {
            guard try target.directory.status(of: candidate).identity.file == identity.file else {
                // Another file was put under the name meanwhile: what was linked is not what was looked at.
                throw SyscallError(.linkat, .noEntry)
            }
            // The second name must be on the disk before the first one goes: no rename keeps them together here.
            try target.directory.sync()
            // Looked at behind the sync, which may take long: whatever has the name by now must not go.
            guard try folder.directory.status(of: name).identity.file == identity.file else {
                throw SyscallError(.linkat, .noEntry)
            }
            try folder.directory.removeFile(name)
        } catch {
            if try endLink(candidate, identity, in: target, beside: name, in: folder) { return true }
            throw error
        }
        return true
    }

    /// Takes a second name back that cannot replace the first one; true where it is the only one by now, since somebody
    /// took the first one away, so that the document has moved.
    ///
    /// A name goes only as long as its file has another. Whatever else came under it is somebody else's.
    private static func endLink(
        _ candidate: FileName, _ identity: FileIdentity, in target: OpenFolder, beside name: FileName,
        in folder: OpenFolder
    ) throws(SyscallError) -> Bool {
        guard let second = try status(of: candidate, in: target) else { return false }
        if second.identity.file == identity.file {
            if second.links == 1 { return true }
        } else {
            // Another file stood under the first name already when it was linked.
            guard let first = try status(of: name, in: folder), second.links > 1,
                second.identity.file == first.identity.file
            else { return false }
        }
        try target.directory.removeFile(candidate)
        return false
    }

    private static func status(of name: FileName, in folder: OpenFolder) throws(SyscallError) -> FileStatus? {
        do throws(SyscallError) {
            return try folder.directory.status(of: name)
        } catch  where error.errno.isAbsent {
            return nil
        }
    }
}
