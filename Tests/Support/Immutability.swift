import Glibc

/// Files and folders that nobody may change or remove, as chattr(1) makes them.
package enum Immutability {
    /// What keeps a file or folder as it is: the flags of linux/fs.h.
    package enum Flag: Int32, Sendable {
        /// FS_IMMUTABLE_FL
        case immutable = 0x10
        /// FS_APPEND_FL
        case appendOnly = 0x20
    }

    /// Why files in /dev/shm cannot be made so; nil where they can.
    package static let obstacle: String? = {
        guard geteuid() == 0 else { return "only root makes files immutable" }
        guard let folder = try? TestRun.current.makeFolder(in: "/dev/shm") else { return "there is no /dev/shm" }
        let path = "\(folder)/probe"
        close(open(path, O_WRONLY | O_CREAT, 0o600))
        guard set(path, true) else { return "/dev/shm has no immutable files" }
        return set(path, false) ? nil : "an immutable file stays so"
    }()

    /// Makes a file or folder immutable or the like, or mutable again.
    /// - Returns: whether that was possible.
    package static func set(_ path: String, _ isFixed: Bool, _ flag: Flag = .immutable) -> Bool {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var flags = isFixed ? flag.rawValue : 0
        // FS_IOC_SETFLAGS of linux/fs.h.
        return ioctl(file, 0x4008_6602, &flags) == 0
    }
}
