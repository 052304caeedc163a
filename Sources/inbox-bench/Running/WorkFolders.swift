import Glibc
import InboxLinux
import Synchronization

/// Where work folders are made.
enum Medium: String, CaseIterable {
    case tmpfs, disk
    /// A filesystem of its own in a file on the disk, which root alone can mount: the disk itself may have no journal.
    case journal = "ext4 with a journal"
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
                if medium == .journal {
                    state.roots[medium] = try Self.mountJournal(at: root + ".ext4")
                } else {
                    try makeFolder(root)
                    state.roots[medium] = root
                }
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
        for (medium, root) in state.withLock({ $0.roots.sorted { $0.value < $1.value } }) {
            if keeping {
                complain("kept: \(root)")
                continue
            }
            if medium == .journal { _ = try? Child.run(["umount", "--lazy", root]) }
            // The first try may fail where something is still being made in it.
            let isGone = (0..<5).contains { _ in
                (try? Child.run(["rm", "-rf", root])) != nil && access(root, F_OK) != 0
            }
            if !isGone { complain("cannot remove \(root)") }
        }
    }

    /// Mounts a new filesystem on a new folder, and returns that; what it lies in has no name, and is gone with it.
    private static func mountJournal(at folder: String) throws -> String {
        let image = folder + ".image"
        defer { unlink(image) }
        try Child.run(["truncate", "--size=4G", image])
        try Child.run(["mkfs.ext4", "-q", "-F", "-i", "8192", image])
        try makeFolder(folder)
        do { try Child.run(["mount", "-o", "loop", image, folder]) } catch {
            rmdir(folder)
            throw error
        }
        return folder
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
