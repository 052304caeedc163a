import InboxLinux

/// The roots: Documents, the Inboxes, destinations of their own, and what is mounted in Documents.
///
/// Each is opened by a path that nobody who is not trusted could have led astray, and is compared with what is remembered
/// of it, across restarts too. What differs is not used until the first one is back or somebody accepts the other.
package final class Roots {
    /// The use of a root.
    package enum Kind: Hashable, Sendable {
        /// Documents itself.
        case documents
        /// An Inbox: no link, except in a person's own home; another one is accepted where it is harmless.
        case inbox
        /// A destination outside Documents.
        case destination
    }

    /// The mark by which a root is recognized while the machine runs: the fields of statx(2) for its path that stay
    /// the same as long as nothing has changed.
    private struct Mark: Equatable, Sendable {
        let key: FileKey
        let mount: UInt64
        let owner: UInt32

        init(_ status: FileStatus) {
            (key, mount, owner) = (status.identity.file, status.mount, status.owner)
        }
    }

    private struct Root {
        let kind: Kind
        /// Set while the root is known to be the one that is meant, by a path that is safe.
        var mark: Mark?
        /// The mount that it was on when it was last the one that is meant.
        let mount: UInt64
        var open: OpenRoot?
        var lastUse = Instant(nanoseconds: 0)
    }

    /// The time for which a root stays open after its last use.
    private static let linger = Duration.seconds(5)
    /// More mounts in Documents are not remembered.
    private static let mostMounts = 1000

    /// The path of Documents; `/` until the configuration is known.
    package var documents = BytePath("/")
    /// The paths outside Documents at which destinations begin.
    package var outer: Set<BytePath> = []
    /// The mounts that may cease to answer, and whose threads make the calls there; nil where each counts as local.
    package let mounts: ForeignMounts?
    private let home: BytePath?
    private let watch: RootWatch?
    private let memory: RootMemory
    private var roots: [BytePath: Root] = [:]
    /// The devices of the root filesystem and of the state folder's, which nobody wants to unmount.
    private var lasting: Set<UInt64> = []

    /// Roots of which nothing is known yet.
    /// - Parameters:
    ///   - home: the person's own home, in which an Inbox may be a link; nil for the daemon of a machine.
    ///   - watch: watches the paths; nil where inotify(7) is not available.
    ///   - mounts: those of servers and programs.
    package init(home: BytePath? = nil, watch: RootWatch? = nil, mounts: ForeignMounts? = nil) {
        self.home = home
        self.watch = watch
        self.mounts = mounts
        memory = RootMemory()
        do throws(SyscallError) { lasting = [try FileStatus(target: BytePath("/")).identity.file.device] } catch {
            // Then roots on it are closed as well when nobody uses them.
        }
    }

    /// The mounts that do not answer, on which nothing is touched.
    package var silent: FolderSet { mounts?.heeded ?? [] }

    /// The table of mounts, with the paths of the roots as they are configured.
    package func naming(_ table: MountTable) -> MountTable { mounts?.rooted.naming(table) ?? table }

    /// The known mounts in the roots.
    package var known: KnownMounts { mounts?.known ?? KnownMounts() }

    // MARK: Memory

    /// Takes what earlier runs have remembered from the state folder, and writes there from now on.
    /// - Returns: whether some of it could not be understood.
    package func load(from state: OpenFolder) throws(SyscallError) -> Bool {
        let isWhole = try memory.load(from: state)
        lasting.insert(try state.directory.status().identity.file.device)
        // What was taken as it was found, while nothing was known, has to prove itself.
        for path in roots.keys { distrust(path) }
        return !isWhole
    }

    /// Returns the file to write into the state folder, and counts it as written; nil if nothing is new. The writing
    /// waits for the disk.
    package func takeUnsaved() -> PlacesWriting? { memory.takeUnsaved() }

    /// Notes that the file could not be written, so that it is written again.
    package func writingFailed() { memory.isUnsaved = true }

    /// Whatever is at a root's path when it is opened next is the one that is meant; of Documents, with all that is
    /// mounted in it.
    package func accept(_ path: BytePath) {
        memory.forget { $0 == path || ($0.isInside(path) && !self.isRoot($0)) }
        distrust(path)
    }

    /// These are the roots that documents go to from now on. What is at those that are new is what is meant; the others are
    /// what they were: a reload comes at any time, and also when a disk is away.
    package func adopt(documents: BytePath, outer: Set<BytePath>) {
        let past = self.outer.union([self.documents])
        for path in past.symmetricDifference(outer.union([documents])) { accept(path) }
        self.documents = documents
        self.outer = outer
    }

    /// Whatever is at the roots that documents go to is what is meant.
    package func acceptDestinations() { for path in outer.union([documents]) { accept(path) } }

    /// The same for everything that is, or ever was, a root.
    package func acceptAll() {
        memory.forget { _ in true }
        for path in roots.keys { watch?.forget(path) }
        roots = [:]
    }

    private func isRoot(_ path: BytePath) -> Bool { roots[path] != nil }

    private func distrust(_ path: BytePath) {
        roots[path]?.mark = nil
        roots[path]?.open = nil
    }

    // MARK: Opening

    /// Opens a root, or gives the one that is open, as long as it is the one that is meant.
    /// - Parameter carefully: follows the path component by component though it still leads to the same folder.
    package func open(
        _ path: BytePath, as kind: Kind, carefully: Bool = false
    ) throws(RootError) -> OpenRoot {
        try refuseSilence(around: path)
        if !carefully, let found = try known(path) { return found }
        distrust(path)
        let (found, marks) = try follow(path, kind)
        if let remembered = memory[path],
            let difference = difference(of: marks, found.status, from: remembered, at: path),
            !accepts(found.status, differing: difference, kind)
        {
            throw .strange(path, difference)
        }
        keep(found, marks, at: path, kind)
        return found
    }

    private func refuseSilence(around path: BytePath) throws(RootError) {
        guard let mount = silent.innermost(around: path) else { return }
        distrust(path)
        throw .silent(mount)
    }

    /// The root, where its path still leads to the folder that it led to when it was followed with care.
    private func known(_ path: BytePath) throws(RootError) -> OpenRoot? {
        guard let root = roots[path], let mark = root.mark else { return nil }
        let open = root.open
        do throws(MountError<SyscallError>) {
            let found = try call(at: path) { () throws(SyscallError) -> OpenRoot? in
                guard Mark(try FileStatus(target: path)) == mark else { return nil }
                if let open { return open }
                let found = try OpenRoot(OpenFolder(try Directory.open(path: path)))
                return Mark(found.status) == mark ? found : nil
            }
            guard let found else { return nil }
            roots[path]?.lastUse = .now()
            if root.kind != .inbox { roots[path]?.open = found }
            return found
        } catch {
            if case .silent(let mount) = error { throw .silent(mount) }
            // The careful way shows at which component it fails.
            return nil
        }
    }

    /// Makes a call on what is at a path: on the thread of its mount where that is a foreign one.
    package func call<Value: Sendable, Failure: Error>(
        at path: BytePath, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) throws(MountError<Failure>) -> Value {
        guard let mounts else {
            do throws(Failure) { return try body() } catch { throw .failed(error) }
        }
        return try mounts.call(at: path, body)
    }

    private func follow(_ path: BytePath, _ kind: Kind) throws(RootError) -> (OpenRoot, RememberedRoot) {
        let last: SafePath.LastComponent =
            switch (kind, home) {
            case (.documents, _), (.destination, _): .folderOrLink
            case (.inbox, let home?): .folderOrOwnLink(below: home)
            case (.inbox, nil): .folder
            }
        let chain = watch?.chain()
        let way: FollowedRoot
        do throws(MountError<Never>) { way = try call(at: path) { FollowedRoot(path, last, chain) } } catch {
            switch error {
            case .silent(let mount): throw .silent(mount)
            }
        }
        if let chain = way.chain { watch?.put(chain, for: path) }
        do throws(SafePathError) { return try way.found.get() } catch { throw .path(error) }
    }

    /// A bind mount that has gone leaves a bare mount point on what may be the same filesystem.
    private func difference(
        of marks: RememberedRoot, _ status: FileStatus, from remembered: RememberedRoot, at path: BytePath
    ) -> RememberedRoot.Difference? {
        let difference = marks.difference(from: remembered)
        guard difference == .folder, let mount = roots[path]?.mount, mount != status.mount else { return difference }
        return .mount
    }

    /// Another Inbox on the same filesystem is harmless where root or the daemon's user owns it.
    private func accepts(_ status: FileStatus, differing difference: RememberedRoot.Difference, _ kind: Kind) -> Bool {
        kind == .inbox && difference != .filesystem && difference != .mount
            && (status.owner == 0 || status.owner == Process.user)
    }

    private func keep(_ found: OpenRoot, _ marks: RememberedRoot, at path: BytePath, _ kind: Kind) {
        // An Inbox is read by descriptors of the intake's own; one that is held here would suppress the event of its removal.
        let open = kind == .inbox ? nil : found
        roots[path] = Root(kind: kind, mark: Mark(found.status), mount: found.status.mount, open: open, lastUse: .now())
        memory[path] = marks
        mounts?.note(path, owner: found.status.owner, at: found.path)
    }

    // MARK: Making

    /// Makes a root that is missing, in a folder whose path is safe: never on a bare mount point.
    /// - Parameters:
    ///   - make: makes the folder; EEXIST where the name is taken.
    package func make(
        _ path: BytePath, as kind: Kind,
        by make: @escaping Make
    ) throws(RootError) {
        guard let parent = path.parent, let name = FileName(path.lastComponent) else {
            throw .unmakeable(path)
        }
        try refuseSilence(around: path)
        // What lies in Documents is made only in the Documents that is meant.
        if kind != .documents, path.isInside(documents) { _ = try open(documents, as: .documents) }
        let past = memory[path]
        do throws(MountError<RootError>) {
            try call(at: path) { () throws(RootError) in
                try Self.make(path, name, in: parent, on: past?.filesystem, by: make)
            }
        } catch {
            switch error {
            case .silent(let mount): throw .silent(mount)
            case .failed(let error): throw error
            }
        }
        // Only trusted users could have exchanged it since, or its path is not safe, which is found here.
        memory[path] = nil
        do throws(RootError) { _ = try open(path, as: kind, carefully: true) } catch {
            memory[path] = past
            throw error
        }
    }

    private static func make(
        _ path: BytePath, _ name: FileName, in parent: BytePath, on filesystem: FilesystemMark?, by make: Make
    ) throws(RootError) {
        let folder = try open(parent, toMake: name, at: path, on: filesystem)
        do throws(FolderMakingError) { try make(name, folder, parent) } catch {
            switch error {
            case .folder(let error): throw .path(.failed(path, error))
            case .journal(let error): throw .journal(error)
            }
        }
    }

    /// Opens the folder in which a root that is missing is to be made.
    /// - Parameter filesystem: the one that the root was on; nil where nothing is known of it.
    private static func open(
        _ parent: BytePath, toMake name: FileName, at path: BytePath, on filesystem: FilesystemMark?
    ) throws(RootError) -> Directory {
        let folder: Directory
        do throws(SafePathError) { folder = try SafePath.open(parent, toMake: name) } catch { throw .path(error) }
        var isBare = false
        do throws(SyscallError) {
            if let filesystem { isBare = try !folder.filesystemMark().isSame(as: filesystem) }
        } catch {
            throw .path(.failed(path, error))
        }
        if isBare { throw .bareMountPoint(path) }
        return folder
    }

    /// Returns why a missing root cannot be made when a document goes there; nil if it can.
    private func obstacle(toMaking path: BytePath) -> RootError? {
        guard let parent = path.parent, let name = FileName(path.lastComponent) else { return .unmakeable(path) }
        let filesystem = memory[path]?.filesystem
        do throws(MountError<RootError>) {
            try call(at: path) { () throws(RootError) in
                _ = try Self.open(parent, toMake: name, at: path, on: filesystem)
            }
            return nil
        } catch {
            switch error {
            case .silent(let mount): return .silent(mount)
            case .failed(let error): return error
            }
        }
    }

    // MARK: Mounts in Documents

    /// Returns the remembered mounts in a root, by their paths.
    package func mounts(in root: BytePath) -> [BytePath: RememberedRoot] {
        var found: [BytePath: RememberedRoot] = [:]
        for path in memory.paths where path.isInside(root) && !isRoot(path) { found[path] = memory[path] }
        return found
    }

    /// Returns the remembered folders that a path leads through, the outermost first.
    package func remembered(around path: BytePath) -> [(path: BytePath, folder: RememberedRoot)] {
        memory.paths.filter(path.isInside).sorted { $0.bytes.count < $1.bytes.count }.compactMap { path in
            memory[path].map { (path, $0) }
        }
    }

    /// Remembers mounts in Documents that were found for the first time.
    package func remember(mounts: [BytePath: RememberedRoot]) {
        for (path, mount) in mounts where memory[path] == nil && memory.count < Self.mostMounts { memory[path] = mount }
    }

    /// Inspects Documents and every mount in it that is remembered, with care, and the roots outside.
    package func inspect() -> [(path: BytePath, error: RootError?)] {
        let outside = outer.map { (path: $0, error: outerError($0)) }
        let root: OpenRoot
        do throws(RootError) { root = try open(documents, as: .documents, carefully: true) } catch {
            return [(documents, error)] + outside
        }
        return [(documents, nil)] + outside
            + memory.paths.filter { $0.isInside(documents) && !isRoot($0) }.map { path in
                (path, inspect(mount: path, in: root))
            }
    }

    /// Returns why a root outside Documents cannot be used; nil if it can, or is made when a document goes there.
    private func outerError(_ path: BytePath) -> RootError? {
        do throws(RootError) {
            _ = try open(path, as: .destination, carefully: true)
            return nil
        } catch {
            return error.errno == .noEntry ? obstacle(toMaking: path) : error
        }
    }

    private func inspect(mount path: BytePath, in root: OpenRoot) -> RootError? {
        do throws(RootError) { try refuseSilence(around: path) } catch { return error }
        let names = Array(path.names.dropFirst(documents.names.count))
        do throws(MountError<SyscallError>) {
            let now = try call(at: path) { () throws(SyscallError) in
                let folder = try root.folder.directory.folder(beneath: names)
                return try RememberedRoot(of: folder, try folder.status())
            }
            return memory[path].flatMap { now.difference(from: $0) }.map { .strange(path, $0) }
        } catch {
            switch error {
            case .silent(let mount): return .silent(mount)
            case .failed(let error): return .path(.failed(path, error))
            }
        }
    }

    // MARK: Time

    /// Part of a path sends no events, so that the roots are to be inspected from time to time.
    package var isUnwatched: Bool { watch?.isIncomplete ?? true }

    /// When a root that nobody uses is to be closed: one on a filesystem that somebody may want to unmount. Others are
    /// closed when there is something else to do.
    package var nextDeadline: Instant {
        var next = Instant.never
        for root in roots.values {
            guard let open = root.open, !lasting.contains(open.status.identity.file.device) else { continue }
            next = min(next, root.lastUse + Self.linger)
        }
        return next
    }

    /// Closes what nobody has used for a while, so that an idle daemon keeps no disk busy.
    package func rest(at now: Instant) {
        for (path, root) in roots where root.open != nil && root.lastUse + Self.linger <= now {
            roots[path]?.open = nil
        }
    }
}
