import InboxLinux

/// Makes folders that look like the folder they are made in.
enum FolderMaking {
    /// Makes a folder with the owner, group and mode of the one around it, as far as that is permitted.
    ///
    /// EEXIST where the name is taken. Whoever may not give a folder away keeps it: that is no error.
    static func make(_ name: FileName, in parent: borrowing Directory) throws(SyscallError) {
        let model = try parent.status()
        // Nobody else can put anything in before it has its final owner.
        try parent.makeFolder(name, mode: 0o700)
        let made = try parent.folder(name)
        let now = try made.status()
        if now.owner != model.owner || now.group != model.group {
            do throws(SyscallError) {
                try made.descriptor.changeOwner(model.owner, group: model.group)
            } catch {
                guard error.errno.isDenied || error.errno.isUnsupported else { throw error }
            }
        }
        // mkdir(2) takes the umask off; a mode is set only by chmod(2).
        try made.descriptor.changePermissions(model.permissions)
    }
}
