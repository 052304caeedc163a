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

    /// The name that a source has for the moment between its last check and its end, by its record's id.
    static func asideName(_ id: RecordID) -> FileName { CopyTarget.temporaryName(id) }

    /// Removes the name if it is still the document that was copied and nobody wants to write.
    ///
    /// Under a name that nobody else uses nothing can come between the last look and the removal: neither another file
    /// that is put under the old name, nor a writer that opens it by that name.
    static func remove(_ document: CopyDocument) -> Removal {
        let (folder, aside) = (document.folder, asideName(document.template.id))
        do throws(SyscallError) {
            if let refusal = try again({ () throws(SyscallError) in try document.change() }) {
                return .refused(refusal)
            }
            let isAside = try again { () throws(SyscallError) in try takeAside(document, as: aside) }
            guard isAside else { return .done }
            let isSame = try again { () throws(SyscallError) in
                try folder.directory.status(of: aside).identity == document.status.identity
            }
            let isQuiet = try again { () throws(SyscallError) in
                document.isLeased ? try ReadLease.isWhole(document.file.descriptor) : true
            }
            if isSame, isQuiet {
                try again { () throws(SyscallError) in try folder.directory.removeFile(aside) }
                return .done
            }
            try again { () throws(SyscallError) in try putBack(aside, as: document.name, in: folder) }
            return .refused(Refusal(isSame ? .writer : .changed))
        } catch {
            if error.errno.isAbsent { return .done }
            do throws(SyscallError) { try putBack(aside, as: document.name, in: folder) } catch {
                // It was not taken aside, or recovery will find it there.
            }
            return .failed(error)
        }
    }

    /// The copy is recorded by now, so that a passing failure must not make a second one: it is tried again at once.
    private static func again<Result>(_ body: () throws(SyscallError) -> Result) throws(SyscallError) -> Result {
        for _ in 0..<2 {
            do throws(SyscallError) { return try body() } catch {
                if error.errno.isAbsent { throw error }
            }
        }
        return try body()
    }

    /// Whether the source has its other name now; false where the filesystem knows no such rename, and it was removed
    /// under its own name: the look before has to do then.
    private static func takeAside(_ document: CopyDocument, as aside: FileName) throws(SyscallError) -> Bool {
        let folder = document.folder
        do throws(SyscallError) {
            try folder.directory.rename(document.name, to: folder.directory, as: aside)
            return true
        } catch  where error.errno.isUnsupported {
            try folder.directory.removeFile(document.name)
            return false
        }
    }

    /// Gives a file that was taken aside its name back, or the next free one where that is taken by now.
    static func putBack(_ aside: FileName, as name: FileName, in folder: OpenFolder) throws(SyscallError) {
        var names = FreeNames()
        _ = try names.take(name, in: folder) { (candidate) throws(SyscallError) in
            do throws(SyscallError) {
                do throws(SyscallError) {
                    try folder.directory.rename(aside, to: folder.directory, as: candidate)
                } catch  where error.errno.isUnsupported {
                    // Nothing was taken aside there, which the second name shows: it is missing.
                    try folder.directory.link(aside, to: folder.directory, as: candidate)
                    try folder.directory.removeFile(aside)
                }
                return true
            } catch  where error.errno == .exists {
                return false
            }
        }
    }
}
