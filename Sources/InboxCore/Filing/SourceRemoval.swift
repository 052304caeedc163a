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

    /// What came of removing a source.
    enum Removal {
        /// It is gone.
        case done
        /// It is another document now, or becomes one: it must stay, and is looked at anew.
        case refused(Refusal)
        /// It could not be removed, though nothing speaks against it.
        case failed(SyscallError)
    }

    /// Removes the name if it is still the document that was copied and nobody wants to write.
    ///
    /// The copy is recorded by now, so that a passing failure must not make a second one: it is tried again at once.
    static func remove(_ document: CopyDocument) -> Removal {
        var failure = SyscallError(.unlinkat, .inputOutput)
        for _ in 0..<3 {
            do throws(SyscallError) {
                if let refusal = try document.change() { return .refused(refusal) }
                try document.folder.directory.removeFile(document.name)
                return .done
            } catch {
                if error.errno.isAbsent { return .done }
                failure = error
            }
        }
        return .failed(failure)
    }
}
