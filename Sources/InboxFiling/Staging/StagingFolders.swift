import InboxLinux
import Synchronization

/// The staging folders that are in use, one a root: shared by the workers that claim and copy, and removed when none of
/// them needs one any more.
///
/// A root may lie on a server that does not answer: whoever waits there keeps nobody waiting who works elsewhere.
package final class StagingFolders: Sendable {
    private struct State {
        /// The daemon's identifiers, oldest first; the last one names new folders.
        var instances: [Instance]
        /// Those that are open or borrowed: roots come and go for as long as the daemon runs.
        var slots: [Key: (slot: Slot, borrowers: Int)] = [:]
        var users = 0
        /// The last notes in a staging folder could not be written.
        var lacksNotes = false
        /// Sources that may have a second name in an Inbox.
        var returns: [FileKey: StagedSource.Return] = [:]

        mutating func borrow(_ key: Key) -> Slot {
            let slot = slots[key]?.slot ?? Slot()
            slots[key, default: (slot, 0)].borrowers += 1
            return slot
        }

        mutating func giveBack(_ slot: Slot, _ key: Key) {
            let borrowers = slots[key].map { $0.borrowers - 1 } ?? 0
            // Where nobody else has borrowed it, nobody has its lock.
            slots[key] = borrowers > 0 || slot.folder.withLock { $0 != nil } ? (slot, borrowers) : nil
        }
    }

    private struct Key: Hashable {
        let root: FileKey
        let mount: UInt64
        let instance: Instance

        init(_ root: FileStatus, _ instance: Instance) {
            self.root = root.identity.file
            mount = root.mount
            self.instance = instance
        }
    }

    /// Where one folder is kept while it is open. Calls in its root are made under its lock alone.
    private final class Slot: Sendable {
        let folder = Mutex<StagingFolder?>(nil)

        /// The folder that is open, else what a search finds.
        func find(_ search: () throws(SyscallError) -> StagingFolder.Found) throws(SyscallError) -> StagingFolder.Found
        {
            try folder.withLock { (folder) throws(SyscallError) in
                if let folder { return .folder(folder) }
                let found = try search()
                folder = found.folder
                return found
            }
        }
    }

    /// Identifiers. Whoever can make folders in a root can take their names; all of them are searched for in each root.
    static let mostInstances = 64

    private let stateFolder: OpenFolder
    private let identifiers: BytePath
    /// Where the state folder is that the identifiers are in.
    package let place: StatePlace
    private let state: Mutex<State>
    /// Held by whoever draws an identifier, which waits for the disk: nobody else does.
    private let drawing = Mutex(())

    /// The staging folders of the daemon that owns this state folder.
    package init(state folder: OpenFolder, at path: BytePath) throws(StateFileError) {
        stateFolder = folder
        identifiers = path.appending(Instance.file)
        place = StatePlace(path)
        state = Mutex(State(instances: try Instance.load(from: folder)))
    }

    /// Notes in a staging folder were written, or could not be.
    /// - Returns: whether the last ones could.
    func noteClaimNotes(areWritten: Bool) -> Bool {
        state.withLock { state in
            defer { state.lacksNotes = !areWritten }
            return !state.lacksNotes
        }
    }

    /// Notes the progress of a source's return; nil if it has only one name.
    func noteReturn(of file: FileKey, _ progress: StagedSource.Return?) {
        state.withLock { $0.returns[file] = progress }
    }

    /// Returns whether a file in an Inbox may still have its name in a staging folder, and why: filed now, it would
    /// return and be filed again.
    func sourceReturn(of file: FileKey) -> StagedSource.Return? { state.withLock { $0.returns[file] } }

    /// The number of folders that are open, or are being opened or removed.
    var count: Int { state.withLock { $0.slots.count } }

    /// No worker has one.
    package var isUnused: Bool { count == 0 }

    /// A worker begins: what it opens stays open until the last one ends.
    package func begin() { state.withLock { $0.users += 1 } }

    /// A worker ends; the last one removes the folders that are empty.
    /// - Returns: whether nothing is left of any of them.
    @discardableResult
    package func end() throws(SyscallError) -> Bool {
        let keys = state.withLock { state in
            state.users -= 1
            return state.users == 0 ? Array(state.slots.keys) : []
        }
        var first: SyscallError?
        var isClean = true
        for key in keys {
            do throws(SyscallError) { if try !borrow(key, remove) { isClean = false } } catch { first = first ?? error }
        }
        if let first { throw first }
        return isClean
    }

    /// Removes what a slot has, unless a worker has begun meanwhile, who does it at its end.
    /// - Returns: whether nothing is left.
    private func remove(_ slot: Slot) throws(SyscallError) -> Bool {
        // Where another worker waits for the root's server, the folder is still needed.
        try slot.folder.withLockIfAvailable { (folder) throws(SyscallError) -> Bool in
            guard let open = folder, state.withLock({ $0.users == 0 }) else { return true }
            folder = nil
            return try open.removeIfEmpty()
        } ?? false
    }

    /// The staging folder in a root, created where it is missing.
    ///
    /// Where somebody has taken its name, another identifier is drawn, unless that is taken as well.
    package func folder(in root: OpenFolder, at path: BytePath) throws(StagingError) -> StagingFolder.Found {
        let status = try StagingError.ofRoot(root.directory.status())
        var refused: Instance?
        var found = StagingFolder.Found.nothing
        for _ in 0..<2 {
            let instance = try instance(insteadOf: refused)
            found = try StagingError.ofRoot(
                find(Key(status, instance)) { () throws(SyscallError) in
                    try StagingFolder.open(in: root, at: path, instance)
                })
            switch found {
            case .folder, .locked: return found
            case .nothing, .taken: refused = instance
            }
        }
        return found
    }

    /// Lends a slot: it stays the one of its folder for as long as somebody has it.
    private func borrow<Value>(
        _ key: Key, _ body: (Slot) throws(SyscallError) -> Value
    ) throws(SyscallError) -> Value {
        let slot = state.withLock { $0.borrow(key) }
        defer { state.withLock { $0.giveBack(slot, key) } }
        return try body(slot)
    }

    private func find(
        _ key: Key, _ search: () throws(SyscallError) -> StagingFolder.Found
    ) throws(SyscallError) -> StagingFolder.Found {
        try borrow(key) { (slot) throws(SyscallError) in try slot.find(search) }
    }

    /// The identifier for a new folder in a root.
    /// - Parameter refused: the one whose name is taken there: another one is drawn, unless that has happened.
    private func instance(insteadOf refused: Instance?) throws(StagingError) -> Instance {
        try drawing.withLock { (_) throws(StagingError) in
            let isDue = state.withLock { $0.instances.last == refused && $0.instances.count < Self.mostInstances }
            guard isDue else { return }
            let drawn: Instance
            do throws(SyscallError) { drawn = try Instance.draw(in: stateFolder) } catch {
                throw .identifier(in: identifiers, error)
            }
            state.withLock { $0.instances.append(drawn) }
        }
        return state.withLock { $0.instances[$0.instances.count - 1] }
    }

    /// The daemon's staging folders that exist in a root.
    package struct Existing {
        /// Those that can be used.
        package fileprivate(set) var folders: [StagingFolder] = []
        /// One is locked: a server may release the lock of a run that was killed a moment later. What is in the
        /// folder is not known until then, and must not count as gone.
        package fileprivate(set) var isLocked = false
        /// The objects with the name of a staging folder: what may be in there must not count as gone either.
        package fileprivate(set) var occupants: [StagingFolder.Occupant] = []
    }

    /// Searches for the daemon's staging folders in a root.
    package func existing(in root: OpenFolder, at path: BytePath) throws(SyscallError) -> Existing {
        let status = try root.directory.status()
        var found = Existing()
        for instance in state.withLock({ $0.instances }) {
            let here = try find(Key(status, instance)) { () throws(SyscallError) in
                try StagingFolder.find(in: root, at: path, instance)
            }
            switch here {
            case .folder(let folder): found.folders.append(folder)
            case .locked: found.isLocked = true
            case .taken(let occupant): found.occupants.append(occupant)
            case .nothing: break
            }
        }
        return found
    }

    /// Returns whether a name is that of a staging folder of another daemon, or of this one before it lost its state
    /// folder.
    package func isForeign(_ name: FileName) -> Bool {
        guard let instance = Instance(named: name) else { return false }
        return state.withLock { !$0.instances.contains(instance) }
    }
}
