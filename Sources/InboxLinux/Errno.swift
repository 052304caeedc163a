import Glibc

/// The error number of a failed system call; see errno(3).
package struct Errno: RawRepresentable, Hashable, Sendable {
    /// The number as the kernel gives it.
    package let rawValue: Int32

    /// Takes any number; unknown ones are described as such.
    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The failure may be temporary: a retry may succeed although nothing about the document changes.
    ///
    /// Exhausted resources (space, quota, descriptors, memory), a busy or stale filesystem, and an I/O error.
    package var isTransient: Bool {
        switch rawValue {
        case ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM, EBUSY, EAGAIN, ESTALE, EIO, ETXTBSY, ENOLCK, ETIMEDOUT, EINTR:
            true
        default: false
        }
    }

    /// The server of a filesystem could not be reached: the call may have been carried out or not, and its failure
    /// says nothing about the disk.
    package var isServerAway: Bool {
        [ENOTCONN, EBADFD, ECONNRESET, ECONNABORTED, ESHUTDOWN, EHOSTDOWN, ETIMEDOUT].contains(rawValue)
    }

    /// This process, or the whole system, has too many files open.
    package var isWantOfDescriptors: Bool { rawValue == EMFILE || rawValue == ENFILE }

    /// Descriptors or memory are short for a while, which says nothing about the file itself. EAGAIN is no such
    /// error: open(2) returns it for a file on which somebody has a write lease.
    package var isWantOfResources: Bool { isWantOfDescriptors || [ENOMEM, EINTR].contains(rawValue) }

    /// A program or a thread could not be started for want of resources: EAGAIN is what fork(2) returns at a limit.
    package var isWantOfProcesses: Bool { isWantOfResources || rawValue == EAGAIN }

    /// The call, or the flag it was given, is not supported here: the caller's fallback is due.
    package var isUnsupported: Bool {
        rawValue == ENOSYS || rawValue == EINVAL || rawValue == EOPNOTSUPP
    }

    /// A quicker way of copying is not available for these two files, so that the next one is due.
    ///
    /// ioctl_ficlone(2) and copy_file_range(2) return EPERM for a file that the quick way does not suit.
    package var hasCopyFallback: Bool {
        isUnsupported || [EXDEV, ENOTTY, EPERM, ETXTBSY, EBADF].contains(rawValue)
    }

    /// Files without a name are not available here: open(2), `O_TMPFILE`.
    package var lacksUnnamedFiles: Bool { isUnsupported || rawValue == EISDIR || rawValue == ENOENT }

    /// An ioctl(2) is not known for this file, or is forbidden by a filter such as a container's.
    var lacksRequest: Bool { isUnsupported || [ENOTTY, EPERM, EACCES].contains(rawValue) }

    /// The process lacks the permission for its request.
    package var isDenied: Bool {
        rawValue == EACCES || rawValue == EPERM || rawValue == EROFS
    }

    /// Something cannot be opened: for want of rights, or since something is mounted there.
    package var isClosed: Bool { isDenied || rawValue == EXDEV }

    /// An owner has no number in the user namespace or on the idmapped mount through which it is seen, so that no
    /// file of that user can be made or moved there: mount_setattr(2).
    package var isUnmappedOwner: Bool { rawValue == EOVERFLOW }

    /// Nothing more can be written to a filesystem for a while: it is full, its quota is used up, or it is read-only.
    package var isObstruction: Bool { rawValue == ENOSPC || isQuota || isReadOnly }

    /// A folder was found where a file was expected.
    package var isFolder: Bool { rawValue == EISDIR }

    /// A quota is used up.
    package var isQuota: Bool { rawValue == EDQUOT }

    /// A disk does not work, or its filesystem is damaged or was shut down after such a failure.
    package var isDiskFailure: Bool { [EIO, EUCLEAN, ESHUTDOWN].contains(rawValue) }

    /// The filesystem, or the mount of it that this process sees, is read-only.
    package var isReadOnly: Bool { rawValue == EROFS }

    /// The name does not exist (any more) where it was looked up.
    package var isAbsent: Bool {
        rawValue == ENOENT || rawValue == ENOTDIR || rawValue == ELOOP
    }

    /// The other end of a socket or pipe is gone.
    package var isHangUp: Bool { rawValue == EPIPE || rawValue == ECONNRESET }

    /// A name that a filesystem cannot hold.
    package var isUnfitName: Bool {
        rawValue == ENAMETOOLONG || rawValue == EILSEQ || rawValue == EINVAL
    }

    /// A file that is larger than its filesystem, or a limit of the process, allows.
    package var isTooLargeFile: Bool { rawValue == EFBIG }

    /// An extended attribute that its filesystem does not take for its size. One that keeps them in a block of the file's own,
    /// as ext4 does, says that there is no space, however much there is.
    package var isTooLargeAttribute: Bool { rawValue == ENOSPC || rawValue == E2BIG || rawValue == ERANGE }

    /// ENOENT
    package static let noEntry = Errno(rawValue: ENOENT)
    /// EEXIST
    package static let exists = Errno(rawValue: EEXIST)
    /// ENOTEMPTY
    package static let notEmpty = Errno(rawValue: ENOTEMPTY)
    /// EAGAIN, which is EWOULDBLOCK on Linux
    package static let again = Errno(rawValue: EAGAIN)
    /// EXDEV
    package static let crossDevice = Errno(rawValue: EXDEV)
    /// EINVAL
    package static let invalid = Errno(rawValue: EINVAL)
    /// ELOOP
    package static let loop = Errno(rawValue: ELOOP)
    /// ENOTDIR
    package static let notDirectory = Errno(rawValue: ENOTDIR)
    /// ENOSPC
    package static let noSpace = Errno(rawValue: ENOSPC)
    /// ECONNREFUSED
    package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
    /// EACCES
    package static let denied = Errno(rawValue: EACCES)
    /// EPERM
    package static let notPermitted = Errno(rawValue: EPERM)
    /// EADDRINUSE
    package static let addressInUse = Errno(rawValue: EADDRINUSE)
    /// ENOTSOCK
    package static let notSocket = Errno(rawValue: ENOTSOCK)
    /// ENOSYS
    package static let noSystemCall = Errno(rawValue: ENOSYS)
    /// EIO
    package static let inputOutput = Errno(rawValue: EIO)
}

extension Errno: CustomStringConvertible {
    /// The sentence of strerror(3), in English whatever the locale: the process never calls setlocale(3).
    package var description: String {
        var text = [CChar](repeating: 0, count: 128)
        guard strerror_r(rawValue, &text, text.count) == 0 else { return "error \(rawValue)" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
