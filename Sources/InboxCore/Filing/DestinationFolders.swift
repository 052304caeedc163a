import InboxLinux

/// Why a document cannot go where it belongs.
enum DestinationError: Error {
    /// A folder on the way is an Inbox.
    case loops
    /// Documents lies on another filesystem than when it was first seen.
    case strange(BytePath)
    /// A system call failed on this path.
    case failed(BytePath, SyscallError)
}

/// The folders below Documents, opened from one to the next and made where they are missing: one batch long.
final class DestinationFolders {
    /// An open folder and its path.
    struct Reached {
        let folder: OpenFolder
        let path: BytePath
        /// Which mount it lies on; 0 where the kernel does not say.
        let mount: UInt64
    }

    let documents: BytePath
    private var home: UInt64?
    private var reached: [[FileName]: Reached] = [:]
    /// The folders in which something was made, since their syncs are due.
    private(set) var made: [OpenFolder] = []

    init(documents: BytePath) {
        self.documents = documents
    }

    /// Opens the folder that these names lead to. No link is followed, and no Inbox (one of `inboxes`) is entered.
    ///
    /// Where a name is taken by something that is no folder, the next free numbered one serves in its place.
    func reach(_ names: [FileName], inboxes: Set<FileKey>) throws(DestinationError) -> Reached {
        if let known = reached[names] { return known }
        guard let last = names.last else { return try open() }
        let parent = try reach(names.dropLast(), inboxes: inboxes)
        let found: Reached
        let key: FileKey
        do throws(SyscallError) {
            let (folder, name) = try enter(last, in: parent.folder)
            let status = try folder.directory.status()
            key = status.identity.file
            let path = parent.path.appending(BytePath(bytes: Array(name.bytes)))
            found = Reached(folder: folder, path: path, mount: status.mount)
        } catch {
            throw .failed(parent.path.appending(BytePath(bytes: Array(last.bytes))), error)
        }
        if inboxes.contains(key) { throw .loops }
        reached[names] = found
        return found
    }

    /// The folders on the way to one that was reached, itself included.
    func way(to names: [FileName]) -> [OpenFolder] {
        (0...names.count).compactMap { reached[Array(names[..<$0])]?.folder }
    }

    private func open() throws(DestinationError) -> Reached {
        let folder: OpenFolder
        let status: FileStatus
        do throws(SyscallError) {
            folder = OpenFolder(try Directory.open(path: documents.bytes))
            status = try folder.directory.status()
        } catch {
            throw .failed(documents, error)
        }
        let device = status.identity.file.device
        if let home, home != device { throw .strange(documents) }
        home = device
        let found = Reached(folder: folder, path: documents, mount: status.mount)
        reached[[]] = found
        return found
    }

    private func enter(_ name: FileName, in parent: OpenFolder) throws(SyscallError) -> (OpenFolder, FileName) {
        let row = NumberedName(name)
        var number = 0
        while let candidate = row.numbered(number) {
            number += 1
            do throws(SyscallError) {
                return (OpenFolder(try parent.directory.folder(candidate)), candidate)
            } catch  where error.errno == .noEntry {
                do throws(SyscallError) {
                    try FolderMaking.make(candidate, in: parent.directory)
                    made.append(parent)
                } catch  where error.errno == .exists {
                    // Somebody made it at this moment: it is as good.
                }
                number -= 1
            } catch  where error.errno.isAbsent {
                // A file or a link stands there.
            }
        }
        throw SyscallError(.openat, .nameTooLong)
    }

    /// Ends the batch: nothing stays open.
    func close() {
        reached = [:]
        made = []
    }
}
