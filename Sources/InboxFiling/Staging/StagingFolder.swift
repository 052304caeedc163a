import InboxLinux
import Synchronization

/// A folder `.inboxd-INSTANCE` at a root, which only the daemon's user can enter: claimed sources and unfinished copies
/// lie in it.
///
/// It is created in place and shown to be the daemon's own before anything is put into it: somebody may have exchanged
/// it between two calls. A file `lock` in it is locked as long as the daemon uses it.
package final class StagingFolder: Sendable {
    /// The folder itself.
    package let folder: OpenFolder
    /// The folder that it lies in.
    package let root: OpenFolder
    /// The path of the folder that it lies in.
    package let rootPath: BytePath
    /// Whose it is.
    package let instance: Instance
    /// The seal with which the notes in the folder begin, so that they can be believed: the inode number and the
    /// change time of its lock, which nobody can set, and which nothing that was unpacked or copied from elsewhere
    /// can name. Nil if they are not believed: the filesystem shows the owner that its mount names, so that anybody
    /// may have written them.
    let seal: [String]?
    private let lock: Mutex<OpenFile?>

    static var lockName: FileName { FileName("lock").unsafelyUnwrapped }

    private init(
        folder: OpenFolder, root: OpenFolder, rootPath: BytePath, instance: Instance, lock: OpenFile,
        _ locked: FileStatus
    ) throws(SyscallError) {
        self.folder = folder
        self.root = root
        self.rootPath = rootPath
        self.instance = instance
        self.lock = Mutex(lock)
        let isWithoutOwners = try Filesystem(of: folder.directory.descriptor).isWithoutOwners
        seal = isWithoutOwners ? nil : ["\(locked.identity.file.inode)"] + locked.changed.numbers
    }

    /// Opens the staging folder of an instance in this root, and creates it where it is missing: what is found instead is
    /// not shown to be the daemon's own.
    package static func open(
        in root: OpenFolder, at path: BytePath, _ instance: Instance
    ) throws(SyscallError) -> Found {
        let before = try root.directory.status()
        do throws(SyscallError) {
            try root.directory.makeFolder(instance.folderName, mode: 0o700)
        } catch  where error.errno == .exists {
            return try find(in: root, at: path, instance)
        }
        do throws(SyscallError) { return try find(in: root, at: path, instance, createdAfter: before.changed) } catch {
            // Where the default ACL of the root denies the daemon's user to enter what he makes, it is of no use to anybody.
            if error.errno.isDenied { try removeMade(instance.folderName, in: root, after: before.changed) }
            throw error
        }
    }

    private static func removeMade(
        _ name: FileName, in root: OpenFolder, after change: Timestamp
    ) throws(SyscallError) {
        let status = try root.directory.status(of: name)
        guard status.kind == .directory, status.owner == Process.user,
            try status.isBorn(after: change, in: root.directory)
        else { return }
        _ = try root.directory.removeEmptyFolder(name)
    }

    /// The result of a search for a staging folder.
    package enum Found {
        /// It, open and locked.
        case folder(StagingFolder)
        /// None.
        case nothing
        /// Something that is not shown to be the daemon's own, and what it is.
        case taken(Occupant)
        /// One whose lock somebody has.
        case locked

        /// The folder; nil where there is none that can be used.
        package var folder: StagingFolder? {
            if case .folder(let folder) = self { folder } else { nil }
        }

        /// The folder that was searched for in the root of this path.
        func folder(at root: BytePath) throws(Refusal) -> StagingFolder {
            switch self {
            case .folder(let folder): return folder
            case .locked: throw Refusal(.retry("an interrupted run still has the staging folder in \(root) locked"))
            case .nothing, .taken:
                throw Refusal(.hold(.permission, "the name of the staging folder in \(root) is taken"))
            }
        }
    }

    /// Opens the staging folder that an instance has in this root.
    package static func find(
        in root: OpenFolder, at path: BytePath, _ instance: Instance, createdAfter: Timestamp? = nil
    ) throws(SyscallError) -> Found {
        do throws(SyscallError) {
            let folder = OpenFolder(try root.directory.folder(instance.folderName))
            if let other = try occupant(folder, instance.folderName, in: root, createdAfter: createdAfter) {
                return .taken(other)
            }
            let lock = OpenFile(try folder.directory.appendingFile(lockName))
            guard try lock.descriptor.lockExclusively() else { return .locked }
            let locked = try lock.descriptor.status()
            // Whoever had it may have removed it meanwhile: another one would be free for everybody.
            if locked.links == 0, try !isNamed(locked, in: folder) { return .locked }
            return .folder(
                try StagingFolder(folder: folder, root: root, rootPath: path, instance: instance, lock: lock, locked))
        } catch  where error.errno == .noEntry {
            return .nothing
        } catch  where error.errno.isAbsent {
            // A link or a file has the name.
            return .taken(.namesake(instance.folderName))
        }
    }

    private static func isNamed(_ lock: FileStatus, in folder: OpenFolder) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            return try folder.directory.status(of: lockName).identity.file == lock.identity.file
        } catch  where error.errno == .noEntry {
            return false
        }
    }

    /// Creates a folder of its own in it, or opens the one that an earlier run left.
    func subfolder(_ name: FileName) throws(SyscallError) -> OpenFolder {
        do throws(SyscallError) {
            try folder.directory.makeFolder(name, mode: 0o700)
        } catch  where error.errno == .exists {
            // Nobody else can enter: an earlier run created it.
        }
        return OpenFolder(try folder.directory.folder(name))
    }

    /// Returns whether its filesystem knows no rename that does not replace, so that a folder is renamed over an empty
    /// one: tried where nobody else sees it.
    package func needsPlaceholder(_ id: RecordID) throws(SyscallError) -> Bool {
        let names = ["probe-\(id.text)", "probed-\(id.text)"].map { FileName($0).unsafelyUnwrapped }
        _ = try subfolder(names[0])
        var isNeeded = false
        do throws(SyscallError) {
            try folder.directory.rename(names[0], to: folder.directory, as: names[1])
        } catch  where error.errno == .exists {
            // An interrupted probe has left the other one: it was not replaced.
        } catch  where error.isWithoutNoReplace {
            isNeeded = true
        }
        for name in names { try removeIfEmpty(name) }
        return isNeeded
    }

    /// Removes a folder that was made by ``subfolder(_:)``, if it is empty.
    func removeIfEmpty(_ name: FileName) throws(SyscallError) {
        // Where it is not, something in it waits for recovery.
        _ = try folder.directory.removeEmptyFolder(name)
    }

    /// Removes the staging folder where nothing is left in it but its lock.
    /// - Returns: whether nothing of it is left.
    @discardableResult
    package func removeIfEmpty() throws(SyscallError) -> Bool {
        var names: [FileName] = []
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        while let entry = try entries.next() { if entry.name != Self.lockName { names.append(entry.name) } }
        // On FUSE a file that was removed while it was open may have kept its folder from being removed.
        for name in names { try removeIfEmpty(name) }
        for name in names { if try folder.directory.has(name) { return false } }
        do throws(SyscallError) {
            // Another daemon that gets the lock before it has gone would have one that nobody else asks for. On NFS and FUSE
            // a file that is open keeps another name when it is removed.
            let isLocal = try Filesystem(of: folder.directory.descriptor).nameWithoutEvents == nil
            if !isLocal { lock.withLock { $0 = nil } }
            try folder.directory.removeFile(Self.lockName)
            // Another folder under the name is not empty, or nobody misses it.
            let (named, opened) = (try root.directory.status(of: instance.folderName), try folder.directory.status())
            if named.identity.file == opened.identity.file { try root.directory.removeFolder(instance.folderName) }
            lock.withLock { $0 = nil }
            return true
        } catch  where error.errno == .notEmpty || error.errno == .exists {
            return false
        } catch  where error.errno.isAbsent {
            return true
        }
    }
}
