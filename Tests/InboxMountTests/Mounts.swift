import Glibc
import InboxTestSupport

/// The mounts of one test, undone in the opposite order when it ends, however it ends.
final class Mounts {
    /// Where images and the like are.
    private let folder: TestPath
    private var points: [TestPath] = []
    private var devices: [TestPath] = []
    private var servers: [Program] = []
    private var images = 0

    init(in folder: TestPath) throws {
        self.folder = folder
        try Disk.makeFolders(folder)
    }

    /// A filesystem in memory.
    func memory(at point: TestPath, _ options: String = "size=4m") throws {
        try Disk.makeFolders(point)
        let code = point.withCString { mount("tmpfs", $0, "tmpfs", 0, options) }
        try Disk.check("mount tmpfs", point, code)
        points.append(point)
    }

    /// The same tree at a second place.
    func bind(_ source: TestPath, at point: TestPath) throws {
        if !Disk.exists(point) { try Disk.makeFolders(point) }
        let code = source.withCString { from in
            point.withCString { mount(from, $0, nil, UInt(MS_BIND), nil) }
        }
        try Disk.check("mount --bind", point, code)
        points.append(point)
    }

    /// Layers: what is written goes to the upper one.
    func overlay(lower: TestPath, upper: TestPath, work: TestPath, at point: TestPath) throws {
        for folder in [upper, work, point] { try Disk.makeFolders(folder) }
        let options = "lowerdir=\(lower),upperdir=\(upper),workdir=\(work)"
        try Disk.check("mount overlay", point, point.withCString { mount("overlay", $0, "overlay", 0, options) })
        points.append(point)
    }

    /// A device whose content lies in a file of this size, made into a filesystem by `mkfs.KIND`.
    func device(_ kind: String, size: String, options: [TestPath] = [], in place: TestPath? = nil) throws -> TestPath {
        images += 1
        let image = (place ?? folder) / TestPath("image-\(images)")
        try Tool.run("truncate", "--size", TestPath(size), image)
        try Tool.run("mkfs.\(kind)", options + [image])
        return try attach(image)
    }

    /// A device whose content lies in this file.
    func attach(_ image: TestPath) throws -> TestPath {
        let reported = try Tool.run("losetup", "--find", "--show", image)
        let device = TestPath(String(reported.prefix { !$0.isNewline }))
        devices.append(device)
        return device
    }

    /// The file is no device any more.
    func detach(_ device: TestPath) throws {
        try Tool.run("losetup", "--detach", device)
        devices.removeAll { $0 == device }
    }

    /// Mounts a device.
    func mountDevice(_ device: TestPath, _ kind: String, at point: TestPath, _ options: String = "rw") throws {
        try Disk.makeFolders(point)
        try Tool.run("mount", "-t", TestPath(kind), "-o", TestPath(options), device, point)
        points.append(point)
    }

    /// A filesystem of this kind on a loop device of its own.
    func loop(
        _ kind: String, at point: TestPath, size: String = "64M", make: [TestPath] = [], _ options: String = "rw"
    ) throws {
        let quiet: [TestPath] = kind == "ext4" ? ["-q", "-F"] : ["-q"]
        try mountDevice(try device(kind, size: size, options: quiet + make), kind, at: point, options)
    }

    /// A program that serves a filesystem in the foreground; it is waited for until it is mounted.
    @discardableResult
    func serve(_ name: String, _ arguments: [TestPath], at point: TestPath) throws -> Program {
        // Some refuse to hide anything: the stage's own Inbox, for one.
        if Disk.exists(point) { try Disk.removeTree(point) }
        try Disk.makeFolders(point)
        let log = folder / TestPath("\(name).log")
        let server = try Tool.start(name, arguments, log: log)
        servers.append(server)
        let end = ContinuousClock().now + Deadline.usual
        while !Self.table().contains(point) {
            guard server.exit == nil else { throw Failure("\(name) has ended: \(Disk.text(log))") }
            guard ContinuousClock().now < end else { throw Failure("\(name) mounts nothing: \(Disk.text(log))") }
            pause(.milliseconds(20))
        }
        points.append(point)
        return server
    }

    /// A FUSE filesystem of a user whose server never says a word, on a file that is there or else on a new folder; the
    /// descriptor ends it.
    func silentServer(of user: uid_t, at point: TestPath) throws -> Int32 {
        let isFile = Disk.exists(point)
        if !isFile { try Disk.makeFolders(point) }
        let server = try Disk.open("/dev/fuse", O_RDWR | O_CLOEXEC)
        let options =
            "fd=\(server),rootmode=\(isFile ? "100644" : "40000"),user_id=\(user),group_id=\(user),allow_other"
        let code = point.withCString { mount("silent", $0, "fuse", UInt(MS_NOSUID | MS_NODEV), options) }
        try Disk.check("mount fuse", point, code)
        points.append(point)
        return server
    }

    /// Unmounts a place as a person would who wants to take the disk away: EBUSY where anybody has something open.
    func unmount(_ point: TestPath, lazily: Bool = false) throws {
        let flags = lazily ? Int32(MNT_DETACH) : 0
        var code = point.withCString { umount2($0, flags) }
        if code != 0, errno == EBUSY {
            // What this process had open there a moment ago, a child has until it becomes its program.
            Program.waitForStarts()
            code = point.withCString { umount2($0, flags) }
        }
        try Disk.check("umount", point, code)
        if let index = points.lastIndex(of: point) { points.remove(at: index) }
    }

    /// The same, as soon as nobody has anything open there: a turn of the daemon's loop may be under way.
    func unmountWhenIdle(_ point: TestPath) async throws {
        try await eventually {
            do {
                try unmount(point)
                return nil
            } catch let error as DiskError where error.code == EBUSY {
                return "\(error)"
            }
        }
    }

    /// Undoes everything.
    func close() {
        for point in points.reversed() where point.withCString({ umount2($0, 0) }) != 0 {
            _ = point.withCString { umount2($0, Int32(MNT_DETACH)) }
        }
        points = []
        servers = []
        // A device that is still in use is detached with its last user.
        for device in devices { _ = try? Tool.run("losetup", "--detach", device) }
        devices = []
    }

    deinit { close() }

    /// The places where something is mounted, as this thread sees them.
    static func table() -> [TestPath] {
        Disk.text("/proc/thread-self/mountinfo").split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            return fields.count > 4 ? TestPath(String(fields[4])) : nil
        }
    }
}
