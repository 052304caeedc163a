import InboxFiling
import InboxLinux

/// Folders that would be walked, and that the daemon may not read, as private ones of other users.
///
/// Such a folder is an arrival, held until it can be read: so its owner's share bounds what many of them cost, and the log has
/// one line for each.
extension NameInspection {
    /// A walked folder may not be read: it is an arrival that is held from now on.
    /// - Returns: false where that is no matter of one arrival: of the Inbox itself, or of a folder whose status cannot be had
    ///   either.
    func hold(unreadable folder: Folder, _ error: SyscallError, at moment: Moment) -> Bool {
        guard let (parent, name) = folder.parent else { return false }
        let status: FileStatus
        do throws(FolderError) { status = try tree.status(of: name, in: parent) } catch { return false }
        guard folder.isFolder(status.identity.file) else {
            inspect(name, in: parent, because: .scan, at: moment)
            return true
        }
        course.absorb(folder)
        let content = ArrivalFacts.Package(hasFiles: true, hasPartial: false)
        discovery.found(name, in: parent, status, content, because: .scan, at: moment)
        if let id = book.id(of: name, in: parent), book[id]?.isInFlight == false {
            course.hold(id, .permission, error.words(at: parent.path(of: name)), at: moment)
        }
        return true
    }

    /// Returns true if the file or folder with a name is held because a permission is missing, as a folder that may
    /// not be read is.
    func isHeldForPermission(_ name: FileName, in parent: Folder) -> Bool {
        book.id(of: name, in: parent).map { book.state(of: $0) == .held(.permission) } ?? false
    }

    /// Returns true if the last try of the file or folder with a name has failed, so that it is held for a permission
    /// or waits for its next try.
    func hasFailed(_ name: FileName, in parent: Folder) -> Bool {
        switch book.id(of: name, in: parent).flatMap({ book.state(of: $0) }) {
        case .held(.permission)?, .waiting(.retrying)?: true
        case .held?, .waiting?, .ignored?, nil: false
        }
    }

    /// Returns true if the folder of a held arrival may still not be read, and then holds the arrival again for the
    /// present reason.
    func isDenied(_ id: ArrivalID, _ name: FileName, in parent: Folder, at moment: Moment) -> Bool {
        guard let error = tree.denial(of: name, in: parent) else { return false }
        course.hold(id, .permission, error.words(at: parent.path(of: name)), at: moment)
        return true
    }
}
