import InboxLinux
import Synchronization

/// The staging folders that are in use, one a root: shared by the workers that claim and copy, and removed when none of
/// them needs one any more.
package final class StagingFolders: Sendable {
    private struct State {
        /// The daemon's identifiers, oldest first; the last one names new folders.
        var instances: [Instance]
        var open: [Key: StagingFolder] = [:]
        var users = 0
    }

    private struct Key: Hashable {
        let root: FileKey
        let mount: UInt64
        let instance: Instance
    }

    private let stateFolder: OpenFolder
    private let state: Mutex<State>

    /// The staging folders of the daemon that owns this state folder.
    package init(state folder: OpenFolder) throws(StateFileError) {
        stateFolder = folder
        state = Mutex(State(instances: try Instance.load(from: folder)))
    }

    /// A worker begins: what it opens stays open until the last one ends.
    package func begin() { state.withLock { $0.users += 1 } }

    /// A worker ends; the last one removes the folders that are empty.
    /// - Returns: whether nothing is left of any of them.
    @discardableResult
    package func end() throws(SyscallError) -> Bool {
        let (failure, isClean): (SyscallError?, Bool) = state.withLock { state in
            state.users -= 1
            guard state.users == 0 else { return (nil, true) }
            var first: SyscallError?
            var isClean = true
            for folder in state.open.values {
                do throws(SyscallError) {
                    if try !folder.removeIfEmpty() { isClean = false }
                } catch {
                    first = first ?? error
                }
            }
            state.open = [:]
            return (first, isClean)
        }
        if let failure { throw failure }
        return isClean
    }

    /// The staging folder in a root, created where it is missing.
    ///
    /// Where somebody has taken its name, another identifier is drawn; nil where that is taken as well.
    package func folder(in root: OpenFolder, at path: BytePath) throws(SyscallError) -> StagingFolder? {
        let status = try root.directory.status()
        return try state.withLock { (state) throws(SyscallError) -> StagingFolder? in
            for _ in 0..<2 {
                if state.instances.isEmpty { state.instances = [try Instance.draw(in: stateFolder)] }
                let instance = state.instances[state.instances.count - 1]
                let key = Key(root: status.identity.file, mount: status.mount, instance: instance)
                if let known = state.open[key] { return known }
                if let found = try StagingFolder.open(in: root, at: path, instance) {
                    state.open[key] = found
                    return found
                }
                state.instances.append(try Instance.draw(in: stateFolder))
            }
            return nil
        }
    }

    /// The daemon's staging folders that exist in a root.
    ///
    /// Nil where one is locked: a server may release the lock of a run that was killed a moment later. What is in the
    /// folder is not known until then, and must not count as gone.
    package func existing(in root: OpenFolder, at path: BytePath) throws(SyscallError) -> [StagingFolder]? {
        let status = try root.directory.status()
        return try state.withLock { (state) throws(SyscallError) -> [StagingFolder]? in
            var found: [StagingFolder] = []
            for instance in state.instances {
                let key = Key(root: status.identity.file, mount: status.mount, instance: instance)
                if let known = state.open[key] {
                    found.append(known)
                    continue
                }
                switch try StagingFolder.find(in: root, at: path, instance) {
                case .folder(let folder):
                    state.open[key] = folder
                    found.append(folder)
                case .locked: return nil
                case .nothing: break
                }
            }
            return found
        }
    }

    /// Whether a name is that of a staging folder of another daemon, or of this one before it lost its state folder.
    package func isForeign(_ name: FileName) -> Bool {
        guard let instance = Instance(named: name) else { return false }
        return state.withLock { !$0.instances.contains(instance) }
    }
}
