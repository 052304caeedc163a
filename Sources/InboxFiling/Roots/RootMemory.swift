import InboxLinux

/// The remembered roots, here and in the state folder.
final class RootMemory {
    private var roots: [BytePath: RememberedRoot] = [:]
    private var state: OpenFolder?
    /// The file in the state folder is out of date.
    var isUnsaved = false

    subscript(path: BytePath) -> RememberedRoot? {
        get { roots[path] }
        set {
            if roots[path] == newValue { return }
            roots[path] = newValue
            isUnsaved = true
        }
    }

    /// The number of remembered roots.
    var count: Int { roots.count }

    /// The roots that are remembered.
    var paths: [BytePath] { Array(roots.keys) }

    /// Loads what an earlier run has written, without marks that are outdated; returns whether all of it could be read.
    func load(from state: OpenFolder) throws(SyscallError) -> Bool {
        let found = try PlacesFile.read(in: state)
        let boot = Boot.identifier()
        let past = found.roots.filter { !$0.value.isOutdated(in: boot) }
        isUnsaved = found.roots != past || !roots.isEmpty
        roots.merge(past) { _, past in past }
        self.state = state
        return !found.isDamaged
    }

    /// Forgets the roots at these paths.
    func forget(where isMeant: (BytePath) -> Bool) {
        let rest = roots.filter { !isMeant($0.key) }
        if rest.count < roots.count {
            roots = rest
            isUnsaved = true
        }
    }

    /// Returns the file to write, and counts it as written; nil if nothing is new.
    func takeUnsaved() -> PlacesWriting? {
        guard isUnsaved, let state else { return nil }
        isUnsaved = false
        return PlacesWriting(state: state, text: PlacesFile.text(roots))
    }
}
