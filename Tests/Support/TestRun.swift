import Glibc
import Synchronization

/// This run of the tests. Whatever it makes on a disk lies in one folder on each filesystem, and every program that it
/// starts has the run's identifier in its environment: so both can be found when the run was interrupted.
///
/// A reaper waits for the end of the run, however it comes, then kills those programs and removes those folders. Where
/// the reaper was killed as well, the next run finds folders that nobody has locked, and removes them.
package final class TestRun: Sendable {
    package static let current = TestRun()

    /// The variable that marks the programs of a run.
    static let variable = "INBOX_TEST_RUN"
    private static let prefix = "inboxd-tests."
    /// Of folders that are not locked yet. Only the reaper removes them.
    private static let unlockedPrefix = "inboxd-tests-unlocked."

    let identifier: String
    private let reaper: Reaper?
    /// The run's folders, by the place that each is in. Their locks are held as long as the run lasts.
    private let folders = Mutex<[TestPath: TestPath]>([:])

    private init() {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        identifier = String((0..<6).map { _ in letters.randomElement() ?? "a" })
        reaper = try? Reaper(of: identifier)
        OrphanWatch.begin()
    }

    /// Makes a folder that goes with the run at the latest.
    ///
    /// - Parameter place: a folder on the wanted filesystem; nil for `TMPDIR`.
    package func makeFolder(in place: TestPath? = nil) throws -> TestPath {
        let parent = try folder(in: place ?? TestRun.temporary)
        var template = (parent / "XXXXXX").bytes.map { CChar(bitPattern: $0) } + [0]
        guard mkdtemp(&template) != nil else { throw DiskError(call: "mkdtemp", path: parent, code: errno) }
        return TestPath(template.dropLast().map { UInt8(bitPattern: $0) })
    }

    /// `TMPDIR`, unless sockets below it would have names that are too long: they may have 107 bytes.
    package static let temporary: TestPath = {
        let wanted = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        return TestPath(wanted.utf8.count < 50 ? wanted : "/tmp")
    }()

    /// The run's folder in that place.
    private func folder(in place: TestPath) throws -> TestPath {
        try folders.withLock { folders in
            if let known = folders[place] { return known }
            try removeLeftOvers(in: place)
            let folder = place / TestPath(TestRun.prefix + identifier)
            // Another run that begins at this moment removes whatever has the prefix and no lock.
            let unlocked = place / TestPath(TestRun.unlockedPrefix + identifier)
            reaper?.remove(unlocked)
            reaper?.remove(folder)
            try Disk.check("mkdir", unlocked, unlocked.withCString { mkdir($0, 0o700) })
            // Others may enter, since some tests play several users, whatever the umask.
            try Disk.check("chmod", unlocked, unlocked.withCString { chmod($0, 0o711) })
            _ = try TestRun.lock(unlocked)
            try Disk.check(
                "rename", unlocked, unlocked.withCString { from in folder.withCString { rename(from, $0) } })
            folders[place] = folder
            return folder
        }
    }

    /// Removes what interrupted runs of this user have left behind.
    private func removeLeftOvers(in place: TestPath) throws {
        for name in try Disk.names(in: place) where name.description.hasPrefix(TestRun.prefix) {
            let folder = place / name
            guard Disk.owner(folder) == geteuid(), let lock = try? TestRun.lock(folder) else { continue }
            defer { close(lock) }
            try? Reaper(of: String(name.description.dropFirst(TestRun.prefix.count))).end(removing: folder)
        }
    }

    /// Locks a folder, which nobody else may have locked.
    private static func lock(_ folder: TestPath) throws -> Int32 {
        let descriptor = try Disk.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            defer { close(descriptor) }
            throw DiskError(call: "flock", path: folder, code: errno)
        }
        return descriptor
    }
}

/// Ends this process when `swift test`, which started it, has been killed: nobody wants its results any more.
private enum OrphanWatch {
    static func begin() {
        let parent = getppid()
        guard Disk.text(TestPath("/proc/\(parent)/comm")).hasPrefix("swift") else { return }
        var thread = pthread_t()
        let watch: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { parent in
            while Int(getppid()) == Int(bitPattern: parent) { pause(.milliseconds(200)) }
            _exit(1)
        }
        guard pthread_create(&thread, nil, watch, UnsafeMutableRawPointer(bitPattern: Int(parent))) == 0 else { return }
        pthread_detach(thread)
    }
}
