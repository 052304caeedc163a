import InboxLinux

/// Why a document cannot go where it belongs.
enum DestinationError: Error {
    /// A folder on the way is an Inbox.
    case loops
    /// Documents, or a folder in it that was a mount, lies on another filesystem than when it was first seen.
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
        /// Which filesystem it lies on.
        let filesystem: FilesystemMark
    }

    private let places: Places
    private var reached: [[FileName]: Reached] = [:]
    /// The folders in which something was made, since their syncs are due.
    private(set) var made: [OpenFolder] = []

    private let making: FolderMaking

    init(_ places: Places, making: FolderMaking = FolderMaking()) {
        self.places = places
        self.making = making
    }

    /// Opens the folder that these names lead to. No link is followed, and no folder of an Inbox is entered.
    ///
    /// Where a name is taken by something that is no folder, the next free numbered one serves in its place.
    func reach(_ names: [FileName], isInInbox: (FileKey) -> Bool) throws(DestinationError) -> Reached {
        if let known = reached[names] { return known }
        guard let last = names.last else {
            let (found, key) = try open()
            if isInInbox(key) { throw .loops }
            reached[[]] = found
            return found
        }
        let parent = try reach(names.dropLast(), isInInbox: isInInbox)
        let found: Reached
        let key: FileKey
        let isStill: Bool
        do throws(SyscallError) {
            let (folder, name) = try enter(last, in: parent)
            let status = try folder.directory.status()
            key = status.identity.file
            let path = parent.path.appending(BytePath(bytes: Array(name.bytes)))
            isStill = try places.isStill(path, status, around: parent.mount, folder.directory)
            found = Reached(
                folder: folder, path: path, mount: status.mount,
                filesystem: try mark(of: folder, status, like: parent.filesystem))
        } catch {
            throw .failed(parent.path.appending(BytePath(bytes: Array(last.bytes))), error)
        }
        guard isStill else { throw .strange(found.path) }
        if isInInbox(key) { throw .loops }
        reached[names] = found
        return found
    }

    /// The folders on the way to one that was reached, itself included.
    func way(to names: [FileName]) -> [OpenFolder] {
        (0...names.count).compactMap { reached[Array(names[..<$0])]?.folder }
    }

    private func open() throws(DestinationError) -> (Reached, FileKey) {
        let documents = places.documents
        do throws(SyscallError) {
            let folder = OpenFolder(try Directory.open(path: documents.bytes))
            let status = try folder.directory.status()
            if try places.isStill(documents, status, around: nil, folder.directory) {
                let found = Reached(
                    folder: folder, path: documents, mount: status.mount, filesystem: try mark(of: folder, status))
                return (found, status.identity.file)
            }
        } catch {
            throw .failed(documents, error)
        }
        throw .strange(documents)
    }

    /// The filesystem of a folder: that of the one around it, unless something is mounted there.
    private func mark(
        of folder: OpenFolder, _ status: FileStatus, like known: FilesystemMark? = nil
    ) throws(SyscallError) -> FilesystemMark {
        let device = status.identity.file.device
        if let known, known.device == device { return known }
        return try FilesystemMark(of: folder.directory.descriptor, device: device)
    }

    private func enter(_ name: FileName, in around: Reached) throws(SyscallError) -> (OpenFolder, FileName) {
        let parent = around.folder
        let row = NumberedName(name)
        var number = 0
        while let candidate = row.numbered(number) {
            number += 1
            do throws(SyscallError) {
                return (OpenFolder(try parent.directory.folder(candidate)), candidate)
            } catch  where error.errno == .noEntry {
                do throws(SyscallError) {
                    try making.make(candidate, in: parent.directory, at: around.path)
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
