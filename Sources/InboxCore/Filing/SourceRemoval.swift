import InboxLinux

/// Takes the source of a copy away, and finds out beforehand whether that may be done.
enum SourceRemoval {
    /// Why the name cannot be removed; nil where nothing speaks against it. Nothing is changed for the answer.
    ///
    /// unlink(2): rights to the folder, the sticky bit, files and folders that are fixed, what something is mounted on.
    static func obstacle(_ status: FileStatus, in folder: borrowing Directory) throws(SyscallError) -> String? {
        if status.isFixed { return "it is immutable or for appending only" }
        do throws(SyscallError) {
            try folder.mayChange()
        } catch  where error.errno.isDenied {
            return "its folder may not be changed: \(error.errno)"
        }
        let around = try folder.status()
        if around.isFixed { return "its folder is immutable or for appending only" }
        if status.mount != around.mount { return "something is mounted there" }
        let isSticky = around.permissions & 0o1000 != 0
        if isSticky, ![status.owner, around.owner].contains(Process.user), try !Process.actsAsOwner() {
            return "its folder is sticky, and neither is the daemon's"
        }
        return nil
    }

    /// Removes the name if it is still the document that was copied and nobody wants to write; else why not.
    static func remove(_ document: CopyDocument) -> Refusal? {
        if let refusal = document.refusal() { return refusal }
        do throws(SyscallError) {
            try document.folder.directory.removeFile(document.name)
            return nil
        } catch  where error.errno.isAbsent {
            return nil
        } catch {
            let words = "it was copied to \(document.targetPath), but cannot be removed: \(error)"
            return Refusal(.hold(.permission, words))
        }
    }
}
