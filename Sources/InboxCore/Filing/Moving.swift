import InboxLinux

/// Moves a name inside one filesystem, never over another.
enum Moving {
    /// Moves `name` under the first free name of its row; what is moved must still be the file of `identity`.
    ///
    /// Nil where no name fits. EXDEV where the folders lie on different filesystems.
    static func move(
        _ name: FileName, _ identity: FileIdentity, from folder: OpenFolder, to target: OpenFolder, as wanted: FileName,
        _ names: inout FreeNames
    ) throws(SyscallError) -> (name: FileName, number: Int)? {
        try names.take(wanted, in: target) { (candidate) throws(SyscallError) in
            do throws(SyscallError) {
                try folder.directory.rename(name, to: target.directory, as: candidate)
                return true
            } catch  where error.errno == .exists {
                return false
            } catch  where error.errno.isUnsupported {
                return try link(name, identity, from: folder, to: target, as: candidate)
            }
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
            guard try target.directory.status(of: candidate).identity.file == identity.file,
                try folder.directory.status(of: name).identity.file == identity.file
            else {
                // Another file was put under the name meanwhile: what was linked is not what was looked at.
                throw SyscallError(.linkat, .noEntry)
            }
            // The second name must be on the disk before the first one goes: no rename keeps them together here.
            try target.directory.sync()
            try folder.directory.removeFile(name)
        } catch {
            try target.directory.removeFile(candidate)
            throw error
        }
        return true
    }
}
