import CInboxLinux
import Glibc

/// An open file description that this value owns: it is closed when the value ends.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number, for a call that borrows it.
    package let number: Int32

    /// Takes the ownership of an open descriptor.
    package init(owning number: Int32) {
        self.number = number
    }

    deinit {
        // An error path: the result is of no use to anyone. close(2) is never retried.
        _ = Glibc.close(number)
    }

    /// Closes, where the result matters: a delayed write error of the filesystem shows here.
    package consuming func close() throws(SyscallError) {
        let number = number
        discard self
        #if DEBUG
            let observation = CallObserver.begin(.close) { .descriptor(number) }
            if case .fail(let code) = observation.action {
                // The descriptor is closed even where close(2) reports an error.
                _ = Glibc.close(number)
                CallObserver.end(observation, nil)
                throw SyscallError(.close, code)
            }
            defer { CallObserver.end(observation, nil) }
        #endif
        // close(2): after EINTR the descriptor is gone on Linux, so that a retry would close somebody else's.
        if Glibc.close(number) != 0, errno != EINTR { throw SyscallError(.close, Errno(rawValue: errno)) }
    }

    /// Reads at most as many bytes as the buffer holds; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SyscallError) -> Int {
        try systemCall(.read, .descriptor(number)) { Glibc.read(number, buffer.baseAddress, buffer.count) }
    }

    /// Reads at an offset, as pread(2).
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SyscallError) -> Int {
        try systemCall(.pread, .descriptor(number)) { pread(number, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// Writes all of the bytes, in as many calls as the kernel wants.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SyscallError) {
        var rest = bytes
        while !rest.isEmpty {
            let part = rest
            let written = try systemCall(.write, .descriptor(number)) {
                Glibc.write(number, part.baseAddress, part.count)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    /// Writes all of the bytes.
    package func write(_ bytes: [UInt8]) throws(SyscallError) {
        let failure: SyscallError? = bytes.withUnsafeBytes { buffer in
            do throws(SyscallError) {
                try write(buffer)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Reads from the file's beginning to its end; nil where it has more than `limit` bytes.
    ///
    /// - Parameter expected: As many bytes are asked for first. Where that is the file's size, they are copied once.
    package func contents(limit: Int, expected: Int = 16 * 1024) throws(SyscallError) -> [UInt8]? {
        var all = try bytes(at: 0, most: expected)
        while !all.isEmpty {
            if all.count > limit { return nil }
            let part = try bytes(at: Int64(all.count), most: 16 * 1024)
            if part.isEmpty { break }
            all += part
        }
        return all
    }

    /// Returns the bytes of one pread(2).
    private func bytes(at offset: Int64, most: Int) throws(SyscallError) -> [UInt8] {
        var failure: SyscallError?
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            do throws(SyscallError) {
                count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Returns the current status of the file.
    package func status() throws(SyscallError) -> FileStatus {
        var found = inbox_status()
        _ = try systemCall(.statx, .descriptor(number)) { inbox_statx(number, "", inbox_at_empty_path, &found) }
        return FileStatus(found)
    }

    /// Writes the file's content and status to the disk, as fsync(2). A failure is never cured by a second call.
    package func sync() throws(SyscallError) {
        _ = try systemCall(.fsync, .descriptor(number)) { fsync(number) }
    }

    /// Writes the file's content and its size to the disk, as fdatasync(2).
    package func syncData() throws(SyscallError) {
        _ = try systemCall(.fdatasync, .descriptor(number)) { fdatasync(number) }
    }

    /// Cuts the file off, or fills it up with zeros, to this many bytes.
    package func truncate(to size: Int64) throws(SyscallError) {
        _ = try systemCall(.ftruncate, .descriptor(number)) { ftruncate(number, off_t(size)) }
    }

    /// Takes an exclusive lock of the whole file, tied to the open file description; false where another holds it.
    ///
    /// fcntl(2), `F_OFD_SETLK`: it goes with the process, however that ends.
    package func lockExclusively() throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            _ = try systemCall(.lock, .descriptor(number)) { inbox_lock_exclusive(number) }
            return true
        } catch  where error.errno == .again || error.errno.rawValue == EACCES {
            return false
        }
    }

    /// Returns true if another open file description has a lock of the file, which is not taken here: `F_OFD_GETLK`.
    package func isLocked() throws(SyscallError) -> Bool {
        try systemCall(.lock, .descriptor(number)) { inbox_lock_held(number) } != 0
    }
}

extension FileDescriptor {
    /// Gives the file to an owner and a group, as fchown(2).
    package func changeOwner(_ owner: UInt32, group: UInt32) throws(SyscallError) {
        _ = try systemCall(.fchown, .descriptor(number)) { fchown(number, owner, group) }
    }

    /// Sets the lower 12 bits of the mode, as fchmod(2): the umask does not count.
    package func changePermissions(_ permissions: UInt32) throws(SyscallError) {
        _ = try systemCall(.fchmod, .descriptor(number)) { fchmod(number, mode_t(permissions & 0o7777)) }
    }
}

extension FileDescriptor {
    /// Reads at an offset into an array, at most as many bytes as it has.
    package func read(into buffer: inout [UInt8], at offset: Int64) throws(SyscallError) -> Int {
        try systemCall(.pread, .descriptor(number)) {
            buffer.withUnsafeMutableBytes { pread(number, $0.baseAddress, $0.count, off_t(offset)) }
        }
    }

    /// The same into a part of the buffer.
    package func read(
        into buffer: inout [UInt8], _ places: Range<Int>, at offset: Int64
    ) throws(SyscallError) -> Int {
        try systemCall(.pread, .descriptor(number)) {
            buffer.withUnsafeMutableBytes { bytes in
                let part = UnsafeMutableRawBufferPointer(rebasing: bytes[places])
                return pread(number, part.baseAddress, part.count, off_t(offset))
            }
        }
    }
}

extension FileDescriptor {
    /// A descriptor of its own for what standard output is now.
    package static func standardOutput() throws(SyscallError) -> FileDescriptor { try duplicate(of: STDOUT_FILENO) }

    /// A descriptor of its own for what standard error is now.
    package static func standardError() throws(SyscallError) -> FileDescriptor { try duplicate(of: STDERR_FILENO) }

    static func duplicate(of number: Int32) throws(SyscallError) -> FileDescriptor {
        FileDescriptor(owning: try systemCall(.dup) { fcntl(number, F_DUPFD_CLOEXEC, 3) })
    }

    /// `DEVICE:INODE` in decimal, as systemd.exec(5) writes it into `JOURNAL_STREAM`.
    package func journalStreamName() throws(SyscallError) -> String {
        var found = stat()
        _ = try systemCall(.fstat) { fstat(number, &found) }
        return "\(found.st_dev):\(found.st_ino)"
    }
}
