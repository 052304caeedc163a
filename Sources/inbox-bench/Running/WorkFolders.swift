import Glibc
import InboxLinux
import Synchronization

/// Where work folders are made.
enum Medium: String, CaseIterable {
    case tmpfs, disk
}

/// The folders in which this run works: one on each medium, and numbered ones in these.
///
/// They go at the end, and when a signal comes.
final class WorkFolders: Sendable {
    private struct State {
        var roots: [Medium: String] = [:]
        var count = 0
        var isClosed = false
    }

    static let shared = WorkFolders()

    private let state = Mutex(State())

    /// Makes an empty folder.
    ///
    /// - Parameters:
    ///   - room: the bytes that will be written into it at most.
    ///   - files: the files that will be made in it at most.
    func make(on medium: Medium, room: Int = 0, files: Int = 0) throws -> String {
        let path = try state.withLock { state in
            guard !state.isClosed else { throw BenchmarkFailure("the program is about to end") }
            if state.roots[medium] == nil {
                let root = try Self.place(of: medium) + "/inbox-bench.\(ownProcess)"
                try makeFolder(root)
                state.roots[medium] = root
            }
            state.count += 1
            return "\(state.roots[medium] ?? "")/\(state.count)"
        }
        try Self.checkRoom(path, room, files)
        try makeFolder(path)
        return path
    }

    /// Removes a folder that was made here, or one in it.
    func remove(_ path: String) throws {
        try Child.run(["rm", "-rf", path])
    }

    /// No folder is made from now on.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Removes everything; what `keeping` says is named instead.
    func removeAll(keeping: Bool) {
        for root in state.withLock({ $0.roots.values.sorted() }) {
            if keeping {
                complain("kept: \(root)")
                continue
            }
            // The first try may fail where something is still being made in it.
            let isGone = (0..<5).contains { _ in
                (try? Child.run(["rm", "-rf", root])) != nil && access(root, F_OK) != 0
            }
            if !isGone { complain("cannot remove \(root)") }
        }
    }

    /// A folder on the medium in which everybody may write: the first of the usual ones.
    private static func place(of medium: Medium) throws -> String {
        let own = Programs.ownFolder
        let usual = ["/dev/shm", variable("TMPDIR"), "/tmp", "/var/tmp", own].compactMap { $0 }
        // Names of sockets in it have to fit into 107 bytes.
        let place = usual.first { path in
            path.utf8.count < 60 && access(path, W_OK) == 0 && isMemory(path) == (medium == .tmpfs)
        }
        guard let place else { throw BenchmarkFailure("no folder on \(medium): looked in \(usual)") }
        return place
    }

    private static func isMemory(_ path: String) -> Bool {
        do {
            let folder = try Directory.open(path: BytePath(path))
            // TMPFS_MAGIC, statfs(2).
            return try Filesystem(of: folder.descriptor).magic == 0x0102_1994
        } catch {
            return false
        }
    }

    private static func checkRoom(_ path: String, _ room: Int, _ files: Int) throws {
        let root = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        var found = statvfs()
        try check("statvfs", root, statvfs(root, &found))
        // A tenth more, for what a filesystem keeps for itself.
        let needed = room + room / 10
        guard Double(found.f_bavail) * Double(found.f_frsize) > Double(needed) else {
            throw BenchmarkFailure("\(root) has not \(needed >> 20) MiB free")
        }
        // A filesystem that makes its inodes as it needs them reports none.
        guard found.f_files == 0 || found.f_favail > files else {
            throw BenchmarkFailure("\(root) has no room for \(files) files")
        }
    }
}
