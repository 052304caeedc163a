import InboxLinux

/// The known mounts in the roots when a batch or a question begins, by their paths.
package struct KnownMounts: Sendable {
    /// Nothing is touched there: they do not answer, or are closed.
    package var silent: FolderSet = []
    /// Those of users who are not trusted, which nobody enters.
    package var closed: Set<BytePath> = []
    /// Those of servers and programs.
    package var foreign: FolderSet = []
    /// All that are not closed, of whatever kind: whatever else is mounted has come since. Nil where the table of mounts
    /// is not known.
    package var all: Set<BytePath>?
    /// The roots, by their paths with and without links.
    package var roots: [BytePath] = []
    /// The owners of the roots, whose links are followed.
    package var owners: Set<UInt32> = []

    /// Returns whether a mount at a path may be entered, if there is one.
    package func mayCross(_ path: BytePath) -> Bool {
        guard let all, roots.contains(where: path.isInside) else { return true }
        return all.contains(path)
    }

    /// The rules by which paths into the roots are followed.
    package var way: GuardedPath {
        GuardedPath(followingLinksOf: owners.union([0, Process.user])) { mayCross($0) }
    }

    /// Returns whether only the daemon's own threads for that mount may touch a path.
    package func isSilent(_ path: BytePath) -> Bool { silent.innermost(around: path) != nil }
}

/// The table of mounts as it concerns the roots.
struct RootedMounts {
    /// The mounts and their paths.
    private var table = MountTable()
    /// The paths of the roots.
    private var roots: [BytePath] = []
    /// The owners of the roots, as far as they are known.
    private var owners: [BytePath: UInt32] = [:]
    /// Where the roots lie whose paths lead through links.
    private var links: [BytePath: BytePath] = [:]
    /// The mounts of servers and programs, by their numbers.
    private(set) var foreign: [UInt64: MountTable.Mount] = [:]
    /// The known mounts, without the silent ones.
    private(set) var known = KnownMounts()

    /// A table of mounts, with the paths of the roots as they are configured.
    func naming(_ table: MountTable) -> MountTable { table.following(links) }

    /// Takes the mounts and the roots of now.
    mutating func follow(_ table: MountTable, _ roots: [BytePath]) {
        guard table != self.table || roots != self.roots else { return }
        (self.table, self.roots) = (table, roots)
        draw()
    }

    /// Takes the owner of a root and its path without links; whether that is new.
    mutating func note(_ root: BytePath, owner: UInt32, at real: BytePath?) -> Bool {
        let link = real == root ? nil : real
        guard owners[root] != owner || links[root] != link else { return false }
        owners[root] = owner
        links[root] = link
        draw()
        return true
    }

    /// Returns whether a mount inside a root belongs to somebody who is not trusted.
    func isClosed(_ mount: MountTable.Mount) -> Bool {
        guard let user = mount.user, user != 0, user != Process.user else { return false }
        let around = roots.filter(mount.path.isInside)
        return !around.isEmpty && !around.contains { owners[$0] == user }
    }

    /// Draws the conclusions, of which every batch and many a name of an Inbox ask.
    private mutating func draw() {
        let named = naming(table)
        foreign = named.foreign(concerning: roots)
        let closed = foreign.filter { isClosed($0.value) }
        known = KnownMounts(
            closed: Set(closed.values.map(\.path)), foreign: FolderSet(foreign.values.lazy.map(\.path)),
            roots: roots + links.values, owners: Set(owners.values))
        guard !table.isEmpty else { return }
        let all = roots.flatMap(named.mounts(beneath:)) + known.roots.flatMap(table.mounts(beneath:))
        known.all = Set(all.lazy.filter { closed[$0.identifier] == nil }.map(\.path))
    }
}
