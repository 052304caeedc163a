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

    /// Whether there is none.
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
    private var numbers: Set<UInt64> = []

    /// Takes those of these mounts that do not answer now, beside others that are closed.
    mutating func update(_ asked: [ForeignMount], besides closed: Set<BytePath>) {
        let silent = asked.filter(\.isSilent)
        let now = Set(silent.lazy.map(\.number))
        guard now != numbers || closed != self.closed else { return }
        (numbers, self.closed) = (now, closed)
        paths = FolderSet(closed.union(silent.lazy.map(\.path)))
    }
}
