import Glibc
import InboxTestSupport

/// Files that nobody may change or remove, as chattr(1) makes them.
enum Immutability {
    /// Why the sources of a ``CopyStage`` cannot be made so; nil where they can.
    static let obstacle: String? = {
        guard geteuid() == 0 else { return "only root makes files immutable" }
        guard let folder = try? TestRun.current.makeFolder(in: "/dev/shm") else { return "there is no /dev/shm" }
        let path = "\(folder)/probe"
        close(open(path, O_WRONLY | O_CREAT, 0o600))
        guard set(path, true) else { return "/dev/shm has no immutable files" }
        return set(path, false) ? nil : "an immutable file stays so"
    }()

    /// Makes a file immutable, or mutable again.
    /// - Returns: whether that was possible.
    static func set(_ path: String, _ isImmutable: Bool) -> Bool {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        // FS_IOC_SETFLAGS and FS_IMMUTABLE_FL of linux/fs.h.
        var flags = isImmutable ? 0x10 : 0
        return ioctl(file, 0x4008_6602, &flags) == 0
    }
}
