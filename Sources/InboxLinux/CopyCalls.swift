import CInboxLinux
import Glibc

/// The calls that move content from one open file into another.
extension FileDescriptor {
    /// Where the next bytes that are no hole begin, at or after an offset; nil where only a hole follows.
    ///
    /// lseek(2), `SEEK_DATA`: EINVAL on a filesystem that knows no holes. It moves the offset of read(2).
    package func nextData(from offset: Int64) throws(SyscallError) -> Int64? {
        let number = number
        do throws(SyscallError) {
            return try systemCall(.lseek, .descriptor(number)) { inbox_next_data(number, offset) }
        } catch  where error.errno.rawValue == ENXIO {
            return nil
        }
    }

    /// Where the next hole begins, at or after an offset that lies in the file; its end is one.
    package func nextHole(from offset: Int64) throws(SyscallError) -> Int64 {
        let number = number
        return try systemCall(.lseek, .descriptor(number)) { inbox_next_hole(number, offset) }
    }

    /// Returns how many bytes of its blocks, up to this size, were only reserved, as by fallocate(2), and never written; once
    /// somebody has read them, lseek(2) calls them data.
    ///
    /// ioctl(2), `FS_IOC_FIEMAP`: EOPNOTSUPP or ENOTTY on a filesystem that does not tell.
    /// - Parameter isSynced: what was written reaches the disk first, without which it may count as unwritten.
    package func unwritten(of size: UInt64, isSynced: Bool) throws(SyscallError) -> UInt64 {
        let number = number
        let count = try systemCall(.ioctl, .descriptor(number)) { inbox_unwritten(number, size, isSynced ? 1 : 0) }
        return UInt64(clamping: count)
    }

    /// Returns the length of the file: lseek(2), `SEEK_END`. It moves the offset of read(2).
    package func end() throws(SyscallError) -> Int64 {
        let number = number
        return try systemCall(.seekEnd, .descriptor(number)) { Int64(lseek(number, 0, SEEK_END)) }
    }

    /// Lets this file share the content of another of the same filesystem, as ioctl_ficlone(2).
    ///
    /// EXDEV, EOPNOTSUPP, EINVAL or ENOTTY where that cannot be.
    package func clone(_ other: borrowing FileDescriptor) throws(SyscallError) {
        let (from, to) = (other.number, number)
        _ = try systemCall(.clone, .descriptor(to)) { inbox_clone(from, to) }
    }

    /// Copies bytes of another file to the same offset here, inside the kernel; returns how many, 0 at its end.
    ///
    /// copy_file_range(2): EXDEV, EINVAL, ENOSYS or EOPNOTSUPP where the kernel cannot do it for these two.
    package func copyRange(
        of other: borrowing FileDescriptor, at offset: Int64, count: Int
    ) throws(SyscallError) -> Int {
        let (from, to) = (other.number, number)
        return try systemCall(.copyFileRange, .descriptor(to)) { inbox_copy_range(from, offset, to, offset, count) }
    }

    /// Writes all of the bytes at an offset, as pwrite(2).
    package func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(SyscallError) {
        var rest = bytes
        var offset = offset
        while !rest.isEmpty {
            let written = try systemCall(.pwrite, .descriptor(number)) {
                rest.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, off_t(offset)) }
            }
            rest = rest.dropFirst(written)
            offset += Int64(written)
        }
    }

    /// Takes the room for a part, and makes the file so long, as fallocate(2).
    package func reserve(from offset: Int64, count: Int64) throws(SyscallError) {
        let number = number
        _ = try systemCall(.fallocate, .descriptor(number)) { inbox_reserve(number, offset, count) }
    }

    /// Begins to write a part to the disk without waiting for it, as sync_file_range(2); no proof of anything.
    package func startWriting(from offset: Int64, count: Int64) throws(SyscallError) {
        let number = number
        _ = try systemCall(.syncFileRange, .descriptor(number)) { inbox_start_writing(number, offset, count) }
    }

    /// Writes a part to the disk and waits until it is written, as sync_file_range(2): not proof, since the disk may have
    /// kept it in its own memory. A failure that this reports is not reported again by fsync(2).
    package func finishWriting(from offset: Int64, count: Int64) throws(SyscallError) {
        let number = number
        _ = try systemCall(.syncFileRange, .descriptor(number)) { inbox_finish_writing(number, offset, count) }
    }

    /// Sets the times of the last access and the last change of the content, as futimens(3).
    package func setTimes(accessed: Timestamp, modified: Timestamp) throws(SyscallError) {
        let number = number
        _ = try systemCall(.futimens, .descriptor(number)) {
            inbox_set_times(
                number, accessed.seconds, Int64(accessed.nanoseconds), modified.seconds, Int64(modified.nanoseconds))
        }
    }

    /// Returns whether set-user-ID bits have no effect on the filesystem of this file: `ST_NOSUID` of statvfs(3).
    package func ignoresSetUserID() throws(SyscallError) -> Bool {
        let number = number
        return try systemCall(.fstatvfs, .descriptor(number)) { inbox_is_without_setuid(number) } == 1
    }
}
