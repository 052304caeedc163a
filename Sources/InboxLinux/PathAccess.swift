import CInboxLinux
import Glibc

extension FileStatus {
    /// What stands at a path that somebody typed, statx(2); a link at its end is told as a link.
    ///
    /// Nothing is opened, so that a device or a FIFO is not touched.
    public init(path: [UInt8]) throws(SyscallError) {
        // An embedded NUL would cut the path off and name another file.
        guard !path.contains(0) else { throw SyscallError(.statx, .invalid) }
        var told = inbox_status()
        let terminated = path + [0]
        _ = try systemCall(.statx) {
            terminated.withUnsafeBytes { raw in
                inbox_statx(
                    AT_FDCWD, raw.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), 0, &told)
            }
        }
        self.init(told)
    }
}

extension FileDescriptor {
    /// Opens a file at a path for reading, never through a link at its end (ELOOP) and never waiting for a FIFO's writer.
    public static func readingItself(path: [UInt8]) throws(SyscallError) -> FileDescriptor {
        try open(path: path, flags: O_RDONLY | inbox_o_nofollow | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }
}
