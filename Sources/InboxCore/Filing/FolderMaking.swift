import InboxLinux

/// Makes folders that look like the folder they are made in.
enum FolderMaking {
    /// Makes a folder with the owner, group and mode of the one around it, as far as that is permitted.
    ///
    /// EEXIST where the name is taken. Whoever may not give a folder away keeps it: that is no error.
    static func make(_ name: FileName, in parent: borrowing Directory) throws(SyscallError) {
        let model = try parent.status()
        // The mode at once: a crash before a chmod would leave a folder behind that nobody else may enter.
        try parent.makeFolder(name, exactly: model.permissions & 0o1777)
        let made = try parent.folder(name)
        let now = try made.status()
        if now.owner != model.owner || now.group != model.group {
            do throws(SyscallError) {
                try made.descriptor.changeOwner(model.owner, group: model.group)
            } catch {
                guard error.errno.isDenied || error.errno.isUnsupported else { throw error }
            }
        }
        // A set-group-ID bit comes from the folder around it or not at all, and chown(2) may take it away.
        if try made.status().permissions != model.permissions {
            try made.descriptor.changePermissions(model.permissions)
        }
    }
}
