import InboxLinux

/// The reason why a document cannot go to its destination.
package enum DestinationError: Error {
    /// A folder on the way is an Inbox.
    case loops
    /// The filesystem mounted on this folder is not the one that is remembered.
    case strange(BytePath, RootError)
    /// The root cannot be used now.
    case unreachable(RootError)
    /// It lies on a mount of a server or a program, which was not to be touched.
    case foreign
    /// The folder at this path does not exist, and was not to be created; this is the mount of the one around it.
    case missing(BytePath, mount: UInt64)
    /// A folder on the way is private to somebody else.
    case denied(BytePath)
    /// Every name that the folder at this path could have is taken.
    case noName(BytePath)
    /// A system call failed on this path.
    case failed(BytePath, SyscallError)
    /// A folder could not be written down in the journal.
    case journal(SyscallError)
}

/// An open destination folder, which all documents that go there have in common.
package final class ReachedFolder: Sendable {
    /// The folder.
    package let folder: OpenFolder
    /// Its path.
    package let path: BytePath
    /// Which mount it lies on; 0 where the kernel does not say.
    package let mount: UInt64
    /// Which filesystem it lies on.
    package let filesystem: FilesystemMark
    /// The private folders of others on the way to it, itself included.
    package let restrictions: FolderRestrictions
    /// The folders on the way to it from its root, itself included.
    package let way: [OpenFolder]
    /// A link leads to it, so that it lies elsewhere than its path says.
    let isLinked: Bool

    init(
        folder: OpenFolder, path: BytePath, mount: UInt64, filesystem: FilesystemMark,
        restrictions: FolderRestrictions, way: [OpenFolder], isLinked: Bool = false
    ) {
        self.isLinked = isLinked
        self.folder = folder
        self.path = path
        self.mount = mount
        self.filesystem = filesystem
        self.restrictions = restrictions
        self.way = way
    }
}

/// The folders below a destination, opened one beneath the other and created where they are missing: one batch long.
package final class DestinationFolders {
    private struct Key: Hashable {
        let root: BytePath
        let names: [FileName]
    }

    private let root: DestinationRoot
    private let making: FolderMaking
    /// The folders of the Inboxes, none of which is entered.
    private let inboxFolders: Set<FileKey>
    /// Nothing is touched on a mount of a server or a program, which may keep the whole batch waiting.
    var isLocal = false
    private var reached: [Key: ReachedFolder] = [:]
    /// The one that was reached last: most documents of a batch go to one folder.
    private var last: (key: Key, folder: ReachedFolder)?
    /// The folders in which one was created, since their syncs are due.
    package private(set) var made: [OpenFolder] = []
    /// The mounts that were found for the first time.
    package private(set) var newMounts: [BytePath: RememberedRoot] = [:]

    /// The number of open folders.
    var count: Int { reached.count }

    /// The root that a path lies in; nil where it lies in none.
    func root(around path: BytePath) -> BytePath? {
        ([root.path] + root.outer.keys).filter(path.isInside).max { $0.bytes.count < $1.bytes.count }
    }

    /// Nothing opened yet.
    package init(_ root: DestinationRoot, making: FolderMaking = FolderMaking(), inboxFolders: Set<FileKey> = []) {
        self.root = root
        self.making = making
        self.inboxFolders = inboxFolders
    }

    /// Opens the folder that these names lead to. Only links of trusted users are followed (``FollowedLink``), and no
    /// folder of an Inbox is entered.
    ///
    /// Where a name is taken by something that is no folder, a free numbered one is used in its place.
    /// - Parameters:
    ///   - path: the root; nil for Documents.
    ///   - mayMake: whether a missing folder is created; else it is a failure.
    ///   - owner: the document's, for which no folder is created where it may not enter; nil where that does not matter.
    ///   - modes: those of the folders that these stand for, by their places among the names.
    package func reach(
        _ names: [FileName], from path: BytePath? = nil, mayMake: Bool = true, for owner: UInt32? = nil,
        allowing modes: [Int: UInt32] = [:]
    ) throws(DestinationError) -> ReachedFolder {
        let key = Key(root: path ?? root.path, names: names)
        if let last, last.key == key { return last.folder }
        if let known = reached[key] {
            last = (key, known)
            return known
        }
        let root = try root(at: key.root)
        let found: ReachedFolder
        if let last = names.last {
            let parent = try reach(
                names.dropLast(), from: key.root, mayMake: mayMake, for: owner, allowing: modes)
            let denying = owner.flatMap(parent.restrictions.denying)
            do throws(DestinationError) {
                found = try enter(
                    last, in: parent, of: root, mayMake: mayMake && denying == nil, allowing: modes[names.count - 1])
            } catch {
                if mayMake, let denying, case .missing = error { throw .denied(denying) }
                throw error
            }
        } else {
            if isLocal, root.known.foreign.innermost(around: root.path) != nil { throw .foreign }
            found = try admit(root.opened.folder, at: root.path, in: nil, of: root)
        }
        reached[key] = found
        last = (key, found)
        return found
    }

    /// The root that a path lies beneath, or is, and the names that lead there; nil where it is elsewhere.
    func place(of path: BytePath) -> (root: BytePath, names: [FileName])? {
        ([root.path] + root.outer.keys).filter { path == $0 || path.isInside($0) }
            .max { $0.names.count < $1.names.count }
            .map { ($0, Array(path.names.dropFirst($0.names.count))) }
    }

    private func root(at path: BytePath) throws(DestinationError) -> DestinationRoot {
        if path == root.path { return root }
        if let outer = root.outer[path] { return outer }
        throw .unreachable(root.unreachable[path] ?? .notOpened(path))
    }

    private func enter(
        _ name: FileName, in parent: ReachedFolder, of root: DestinationRoot, mayMake: Bool, allowing mode: UInt32?
    ) throws(DestinationError) -> ReachedFolder {
        let wanted = parent.path.appending(name)
        if root.known.closed.contains(wanted) { throw .denied(wanted) }
        if root.known.silent.contains(wanted) { throw .unreachable(.silent(wanted)) }
        if isLocal, root.known.foreign.contains(wanted) { throw .foreign }
        let opening: Opening
        do throws(FolderMakingError) {
            opening = try openOrMake(name, in: parent, of: root, mayMake: mayMake, allowing: mode)
        } catch {
            switch error {
            // A folder that there was no room for does not exist.
            case .folder(let error): throw .failed(error.errno.isObstruction ? parent.path : wanted, error)
            case .journal(let error): throw .journal(error)
            }
        }
        switch opening {
        case .opened(let folder, let name, let isFollowed):
            return try admit(folder, at: parent.path.appending(name), in: parent, of: root, isFollowed: isFollowed)
        case .missing: throw .missing(wanted, mount: parent.mount)
        case .noName: throw .noName(wanted)
        }
    }

    /// Judges an opened folder: whether it is the one that is meant, and who may put documents there.
    private func admit(
        _ folder: OpenFolder, at path: BytePath, in parent: ReachedFolder?, of root: DestinationRoot,
        isFollowed: Bool = false
    ) throws(DestinationError) -> ReachedFolder {
        let status: FileStatus
        let difference: RememberedRoot.Difference?
        let filesystem: FilesystemMark
        do throws(SyscallError) {
            status = try folder.directory.status()
            // What a link leads to is on whichever mount its maker meant.
            difference = isFollowed ? nil : try mountDifference(path, status, in: parent, of: root, folder)
            filesystem = try mark(of: folder, status, like: parent?.filesystem ?? root.opened.filesystem)
        } catch {
            throw .failed(path, error)
        }
        if let difference { throw .strange(path, .strange(path, difference)) }
        if inboxFolders.contains(status.identity.file) { throw .loops }
        let restrictions =
            parent?.restrictions.entering(path, status) { folder.directory.accessList }
            ?? FolderRestrictions(ofDestination: status)
        return ReachedFolder(
            folder: folder, path: path, mount: status.mount, filesystem: filesystem, restrictions: restrictions,
            way: (parent?.way ?? []) + [folder], isLinked: isFollowed || parent?.isLinked == true)
    }

    /// Returns how the filesystem mounted on a folder differs from the remembered one; nil if it does not. Which
    /// folders matter follows from the mounts alone, so that most cost nothing.
    private func mountDifference(
        _ path: BytePath, _ status: FileStatus, in parent: ReachedFolder?, of root: DestinationRoot,
        _ folder: OpenFolder
    ) throws(SyscallError) -> RememberedRoot.Difference? {
        guard let parent else { return nil }
        let past = root.mounts[path] ?? newMounts[path]
        guard past != nil || parent.mount != status.mount else { return nil }
        let now = try RememberedRoot(of: folder.directory, status)
        if let past { return now.difference(from: past) }
        newMounts[path] = now
        return nil
    }

    /// The filesystem of a folder: that of the one around it, unless something is mounted there.
    private func mark(
        of folder: OpenFolder, _ status: FileStatus, like known: FilesystemMark
    ) throws(SyscallError) -> FilesystemMark {
        let device = status.identity.file.device
        if known.device == device { return known }
        return try FilesystemMark(of: folder.directory.descriptor, device: device)
    }

    /// The result of opening a folder in another one.
    private enum Opening {
        /// It is open; this is its name, which may be that of a link to it.
        case opened(OpenFolder, FileName, isFollowed: Bool)
        /// It does not exist, and was not to be created.
        case missing
        /// Every name is taken.
        case noName
    }

    /// Opens the folder of this name, or of the first number that is a folder or free.
    private func openOrMake(
        _ name: FileName, in around: ReachedFolder, of root: DestinationRoot, mayMake: Bool, allowing mode: UInt32?
    ) throws(FolderMakingError) -> Opening {
        let row = NumberedName(name)
        var number = 0
        while let candidate = row.numbered(number) {
            switch try FolderMakingError.ofFolder(Self.occupant(of: candidate, in: around, root.known)) {
            case .folder(let folder): return .opened(folder, candidate, isFollowed: false)
            case .nothing:
                guard mayMake else { return .missing }
                do throws(FolderMakingError) {
                    try making.make(candidate, in: around.folder.directory, at: around.path, allowing: mode)
                    made.append(around.folder)
                } catch {
                    // Some filesystems say of a name that they cannot hold that it does not exist.
                    if error.isAbsent, try FolderMakingError.ofFolder(around.folder.directory.status()).links > 0 {
                        return .noName
                    }
                    // Else somebody created it at this moment: it is opened, or passed over.
                    guard error.isTaken else { throw error }
                }
            case .other:
                if number == 0,
                    let folder = try FolderMakingError.ofFolder(FollowedLink.open(name, in: around, of: root))
                {
                    return .opened(folder, name, isFollowed: true)
                }
                let free = try row.firstFree(after: number) { (name) throws(FolderMakingError) in
                    let occupant = try FolderMakingError.ofFolder(Self.occupant(of: name, in: around, root.known))
                    return if case .other = occupant { true } else { false }
                }
                guard let free else { return .noName }
                number = free
            }
        }
        return .noName
    }

    /// The occupant of a name.
    private enum Occupant {
        case folder(OpenFolder)
        case nothing
        /// A file or a link.
        case other
    }

    private static func occupant(
        of name: FileName, in parent: ReachedFolder, _ known: KnownMounts
    ) throws(SyscallError) -> Occupant {
        // A mount that is not known may hang: it fails with EXDEV until the table has it.
        let isKnown = parent.isLinked || known.all?.contains(parent.path.appending(name)) ?? true
        do throws(SyscallError) {
            return .folder(OpenFolder(try parent.folder.directory.folder(name, mayCross: isKnown)))
        } catch {
            if error.errno == .noEntry { return .nothing }
            if error.errno.isAbsent { return .other }
            throw error
        }
    }
}
