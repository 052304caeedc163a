import CInboxLinux
import Glibc

extension FileDescriptor {
    /// Returns whether the file can be read through this descriptor: not if it was opened only for writing, or by
    /// `O_PATH`. fcntl(2), `F_GETFL`.
    package func isOpenForReading() throws(SyscallError) -> Bool {
        let number = number
        let flags = try systemCall(.fcntl, .descriptor(number)) { fcntl(number, F_GETFL) }
        return flags & inbox_o_path == 0 && flags & O_ACCMODE != O_WRONLY
    }

    /// Reads what comes next, at most as many bytes as the array has; 0 at the end.
    package func read(into buffer: inout [UInt8]) throws(SyscallError) -> Int {
        let number = number
        return try systemCall(.read, .descriptor(number)) {
            buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) }
        }
    }

    /// A descriptor of its own for what standard input is now.
    package static func standardInput() throws(SyscallError) -> FileDescriptor {
        FileDescriptor(owning: try systemCall(.dup) { fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) })
    }
}

extension Process {
    /// Keeps the numbers of standard input, output and error for these, where whoever started the process has closed some:
    /// the next file that it opens would have the number, and would be read or written in their place. What is there
    /// instead can be neither read nor written. To be called first of all.
    package static func keepStandardNumbers() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = Glibc.open("/dev/null", (number == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC)
        }
    }

    /// The bits that new files do not get, umask(2). Not for a process with several threads that make files.
    package static var creationMask: UInt32 {
        let mask = umask(0o077)
        umask(mask)
        return UInt32(mask)
    }

    /// Restricts everything that this process makes from now on to its own user, with that user's full rights,
    /// whatever umask(2) it was started with. Programs that it starts get that umask back. To be called before there
    /// is a second thread.
    package static func keepOthersOut() { inbox_keep_others_out() }
}
