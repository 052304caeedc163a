import Glibc

/// The error number of a failed system call; see errno(3).
public struct Errno: RawRepresentable, Hashable, Sendable {
    /// The number as the kernel gives it.
    public let rawValue: Int32

    /// Takes any number; unknown ones are described as such.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Whether a retry after a while may succeed though nothing about the document changes.
    ///
    /// Resources that come back (space, quota, descriptors, memory), a busy or stale filesystem, and an I/O error.
    public var isTransient: Bool {
        switch rawValue {
        case ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM, EBUSY, EAGAIN, ESTALE, EIO, ETXTBSY, ENOLCK, ETIMEDOUT, EINTR:
            true
        default: false
        }
    }

    /// Whether this process, or the whole system, has too many files open.
    public var isWantOfDescriptors: Bool { rawValue == EMFILE || rawValue == ENFILE }

    /// Whether descriptors, memory or threads are short for a while, which says nothing of the file at hand.
    public var isWantOfResources: Bool { isWantOfDescriptors || [ENOMEM, EAGAIN, EINTR].contains(rawValue) }

    /// Whether the call, or the flag it was given, is not supported here: the caller's fallback is due.
    public var isUnsupported: Bool {
        rawValue == ENOSYS || rawValue == EINVAL || rawValue == EOPNOTSUPP
    }

    /// Whether a quicker way of copying cannot be had for these two files, so that the next one is due.
    ///
    /// EPERM is what ioctl_ficlone(2) and copy_file_range(2) say of a file that the quick way does not suit.
    public var hasCopyFallback: Bool {
        isUnsupported || [EXDEV, ENOTTY, EPERM, ETXTBSY, EBADF].contains(rawValue)
    }

    /// Whether files without a name cannot be had here: open(2), `O_TMPFILE`.
    public var lacksUnnamedFiles: Bool { isUnsupported || rawValue == EISDIR || rawValue == ENOENT }

    /// Whether an ioctl(2) is not known for this file, or a filter such as a container's forbids it.
    var lacksRequest: Bool { isUnsupported || [ENOTTY, EPERM, EACCES].contains(rawValue) }

    /// Whether the process may not do what it asked for.
    public var isDenied: Bool {
        rawValue == EACCES || rawValue == EPERM || rawValue == EROFS
    }

    /// Whether the name did not stand where it was looked for (any more).
    public var isAbsent: Bool {
        rawValue == ENOENT || rawValue == ENOTDIR || rawValue == ELOOP
    }

    /// Whether the other end of a socket or pipe is gone.
    public var isHangUp: Bool { rawValue == EPIPE || rawValue == ECONNRESET }

    /// A name that a filesystem cannot hold.
    public var isUnfitName: Bool {
        rawValue == ENAMETOOLONG || rawValue == EILSEQ || rawValue == EINVAL
    }

    /// ENOENT
    public static let noEntry = Errno(rawValue: ENOENT)
    /// EEXIST
    public static let exists = Errno(rawValue: EEXIST)
    /// ENOTEMPTY
    public static let notEmpty = Errno(rawValue: ENOTEMPTY)
    /// EAGAIN, which is EWOULDBLOCK on Linux
    public static let again = Errno(rawValue: EAGAIN)
    /// EXDEV
    public static let crossDevice = Errno(rawValue: EXDEV)
    /// EINVAL
    public static let invalid = Errno(rawValue: EINVAL)
    /// ENOTDIR
    public static let notDirectory = Errno(rawValue: ENOTDIR)
    /// ENOSPC
    public static let noSpace = Errno(rawValue: ENOSPC)
    /// ECONNREFUSED
    public static let connectionRefused = Errno(rawValue: ECONNREFUSED)
    /// EACCES
    public static let denied = Errno(rawValue: EACCES)
    /// EPERM
    public static let notPermitted = Errno(rawValue: EPERM)
    /// EADDRINUSE
    public static let addressInUse = Errno(rawValue: EADDRINUSE)
    /// ENOTSOCK
    public static let notSocket = Errno(rawValue: ENOTSOCK)
    /// ENOSYS
    public static let noSystemCall = Errno(rawValue: ENOSYS)
    /// EIO
    public static let inputOutput = Errno(rawValue: EIO)
    /// EINPROGRESS
    public static let inProgress = Errno(rawValue: EINPROGRESS)
    /// ENAMETOOLONG
    public static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
}

extension Errno: CustomStringConvertible {
    /// The sentence of strerror(3), in English whatever the locale: the process never calls setlocale(3).
    public var description: String {
        var text = [CChar](repeating: 0, count: 128)
        guard strerror_r(rawValue, &text, text.count) == 0 else { return "error \(rawValue)" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
