import CInboxLinux
import Glibc

extension FileStatus {
    /// The status of what is at a path that somebody typed, statx(2); a link at its end is reported as a link.
    ///
    /// Nothing is opened, so that a device or a FIFO is not touched.
    package init(path: [UInt8]) throws(SyscallError) {
        // An embedded NUL would cut the path off and name another file.
        guard !path.contains(0) else { throw SyscallError(.statx, .invalid) }
        var found = inbox_status()
        let terminated = path + [0]
        _ = try systemCall(.statx) {
            terminated.withUnsafeBytes { raw in
                inbox_statx(
                    AT_FDCWD, raw.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), 0, &found)
            }
        }
        self.init(found)
    }

    /// What a path leads to, statx(2), through every link; nothing is opened.
    package init(target path: BytePath) throws(SyscallError) {
        guard !path.bytes.contains(0) else { throw SyscallError(.statx, .invalid) }
        var found = inbox_status()
        let terminated = path.bytes + [0]
        _ = try systemCall(.statx) {
            terminated.withUnsafeBytes { raw in
                inbox_statx_target(raw.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), &found)
            }
        }
        self.init(found)
    }
}

extension FileDescriptor {
    /// Opens a file at a path for reading, never through a link at its end (ELOOP) and never waiting for a FIFO's writer.
    package static func readingItself(path: [UInt8]) throws(SyscallError) -> FileDescriptor {
        try open(path: path, flags: O_RDONLY | inbox_o_nofollow | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }
}
