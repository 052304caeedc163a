import CInboxLinux
import Glibc

extension FileStatus {
    /// The status of what is at a path that somebody typed, statx(2); a link at its end is reported as a link.
    ///
    /// Nothing is opened, so that a device or a FIFO is not touched.
    package init(path: BytePath) throws(SyscallError) {
        var found = inbox_status()
        _ = try systemCall(.statx) { path.withPointer { inbox_statx(AT_FDCWD, $0, 0, &found) } }
        self.init(found)
    }

    /// Inspects the file that a path leads to through every link, by statx(2); nothing is opened.
    ///
    /// - Parameter isRemembered: whether the attributes that the kernel has cached will do; the server of a network
    ///   filesystem is not asked then: `AT_STATX_DONT_SYNC`.
    package init(target path: BytePath, isRemembered: Bool = false) throws(SyscallError) {
        var found = inbox_status()
        let flags = isRemembered ? inbox_statx_remembered : 0
        _ = try systemCall(.statx) { path.withPointer { inbox_statx_target($0, flags, &found) } }
        self.init(found)
    }

    /// Returns whether a path leads to anything that can be seen from here.
    package static func exists(_ path: BytePath) -> Bool {
        do throws(SyscallError) {
            _ = try FileStatus(target: path)
            return true
        } catch {
            return false
        }
    }
}

extension FileDescriptor {
    /// Opens a file at a path for reading, never through a link at its end (ELOOP) and never waiting for a FIFO's writer.
    package static func readingItself(path: BytePath) throws(SyscallError) -> FileDescriptor {
        try open(path: path, flags: O_RDONLY | inbox_o_nofollow | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }

    /// The path by which this process reaches what it has open, even without a name: proc_pid_fd(5).
    var ownPath: String { "/proc/self/fd/\(number)" }

    /// Opens the same file once more, read-only.
    package func reopenedForReading() throws(SyscallError) -> FileDescriptor { try .reading(path: BytePath(ownPath)) }
}
