import CInboxLinux
import Glibc

/// Files that have no name yet, or one that nobody should inspect.
extension Directory {
    /// Opens a new file without a name for reading and writing, with mode 0600: `O_TMPFILE` of open(2).
    ///
    /// It is gone with its descriptor unless it is linked. EOPNOTSUPP, EISDIR, ENOENT or EINVAL where the filesystem or
    /// the kernel knows none.
    package func unnamedFile() throws(SyscallError) -> FileDescriptor {
        let folder = descriptor.number
        return FileDescriptor(
            owning: try systemCall(.openUnnamed, .descriptor(folder)) {
                inbox_openat(folder, ".", O_RDWR | inbox_o_tmpfile | O_CLOEXEC, 0o600)
            })
    }

    /// Makes a file under a name that must be free, for reading and writing; else EEXIST.
    package func newFile(_ name: FileName, mode: UInt32 = 0o600) throws(SyscallError) -> FileDescriptor {
        let folder = descriptor.number
        let flags = O_RDWR | O_CREAT | O_EXCL | inbox_o_nofollow | O_NOCTTY | O_CLOEXEC
        return FileDescriptor(
            owning: try systemCall(.openat, .name(folder, name)) {
                name.withPointer { inbox_openat(folder, $0, flags, mode_t(mode)) }
            })
    }

    /// Gives an open file a name in this folder; the name must be free, else EEXIST.
    ///
    /// linkat(2), `AT_EMPTY_PATH`; kernels before 6.10 ask CAP_DAC_READ_SEARCH for that and say ENOENT, so that the
    /// way by /proc/self/fd is taken.
    package func link(_ file: borrowing FileDescriptor, as name: FileName) throws(SyscallError) {
        let (folder, number) = (descriptor.number, file.number)
        do throws(SyscallError) {
            _ = try systemCall(.linkat, .name(folder, name)) {
                name.withPointer { inbox_link_descriptor(number, folder, $0) }
            }
        } catch  where error.errno == .noEntry || error.errno == .invalid {
            _ = try systemCall(.linkat, .name(folder, name)) {
                name.withPointer { inbox_link_by_proc(number, folder, $0) }
            }
        }
    }

    /// Throws unless the process may add and remove names here: faccessat(2).
    package func mayChange() throws(SyscallError) {
        let folder = descriptor.number
        _ = try systemCall(.faccessat, .descriptor(folder)) { inbox_may_change(folder) }
    }
}

extension FileDescriptor {
    /// Returns a file in memory with this content, open for reading: memfd_create(2).
    package static func anonymous(_ content: [UInt8]) throws(SyscallError) -> FileDescriptor {
        let file = FileDescriptor(owning: try systemCall(.memfdCreate) { inbox_anonymous_file() })
        try file.write(content)
        return try file.reopenedForReading()
    }
}

extension Process {
    /// Returns whether the process may act as the owner of others' files: CAP_FOWNER of capabilities(7).
    package static func actsAsOwner() throws(SyscallError) -> Bool {
        // The number is part of the kernel's interface: linux/capability.h.
        try systemCall(.capget) { inbox_has_capability(3) } == 1
    }

    /// The process may enter and change what the mode of a folder forbids: CAP_DAC_OVERRIDE of capabilities(7).
    package static let overridesModes = inbox_has_capability(1) == 1
}
