import InboxLinux

/// The foreign mounts, by their numbers and by their paths.
struct MountIndex {
    /// All of them, by their numbers.
    let mounts: [UInt64: ForeignMount]
    /// Those that are not closed, which are asked whether they answer.
    let asked: [ForeignMount]
    /// Those whose filesystem is seen at their paths: of several at one path, one with the highest number.
    private let seen: [BytePath: ForeignMount]
    private let paths: FolderSet

    /// An index of these mounts.
    init(_ mounts: [UInt64: ForeignMount] = [:]) {
        self.mounts = mounts
        let all = mounts.values.sorted { $0.number < $1.number }
        asked = all.filter { !$0.isClosed }
        seen = Dictionary(all.map { ($0.path, $0) }) { _, last in last }
        paths = FolderSet(seen.keys)
    }

    /// There are no mounts.
    var isEmpty: Bool { mounts.isEmpty }

    /// The mount at this path; nil where none is.
    subscript(path: BytePath) -> ForeignMount? { seen[path] }

    /// The mount that a path lies on; nil where it lies on no foreign one.
    func mount(of path: BytePath) -> ForeignMount? { paths.innermost(around: path).flatMap { seen[$0] } }
}

/// The foreign mounts that are not to be touched.
struct SilentMounts {
    /// All of them.
    private(set) var paths: FolderSet = []
    private var closed: Set<BytePath> = []
    private var silent: Set<BytePath> = []

    /// Takes those of these mounts that do not answer now, beside others that are closed.
    mutating func update(_ asked: [ForeignMount], besides closed: Set<BytePath>) {
        // By their paths: a mount keeps its number where it is moved, or a folder around it is renamed.
        let silent = Set(asked.lazy.filter(\.isSilent).map(\.path))
        guard silent != self.silent || closed != self.closed else { return }
        (self.silent, self.closed) = (silent, closed)
        paths = FolderSet(closed.union(silent))
    }
}
