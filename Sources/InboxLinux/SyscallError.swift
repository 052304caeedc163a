import Glibc

/// A system call that failed.
package struct SyscallError: Error, Hashable {
    /// Which call.
    package let call: SystemCall
    /// The error number that the kernel set.
    package let errno: Errno
    /// The server has shown that it does not support this call, and answers all such calls so: some servers of FUSE
    /// return EIO, which a broken disk returns too.
    private var isUnknownToServer = false

    /// A failure of `call` for the reason `errno`.
    package init(_ call: SystemCall, _ errno: Errno) {
        self.call = call
        self.errno = errno
    }
}

extension SyscallError {
    /// The same error, of a call that the server does not know.
    package var unknownToServer: SyscallError {
        var error = self
        error.isUnknownToServer = true
        return error
    }

    /// The call, or the flag it was given, is not supported here: the caller's fallback is due.
    package var isUnsupported: Bool { isUnknownToServer || errno.isUnsupported }

    /// A file could get no second name because its filesystem has none: link(2) returns EPERM for that.
    package var lacksSecondNames: Bool { call == .linkat && (errno == .notPermitted || isUnsupported) }

    /// The filesystem has no rename that never replaces: renameat2(2) returns EINVAL for that, on GlusterFS too.
    package var isWithoutNoReplace: Bool { call == .renameat2 && errno.isUnsupported }
}

extension SyscallError {
    /// The kernel may have dropped data that it could not write, so that until the next restart of the machine it
    /// shows its memory and not the disk: fsync(2). The failure of another call says nothing of that, nor does a
    /// server that could not be reached or has forgotten the file.
    package var mayHaveDropped: Bool {
        (call == .fsync || call == .fdatasync) && !errno.isServerAway && errno.rawValue != ESTALE
    }
}

extension SyscallError {
    /// Returns a description for a person who knows no system calls: what failed, on what, why, and what to do.
    package func words(at place: BytePath) -> String {
        let remedy = remedy(at: place).map { ": \($0)" } ?? ""
        return "cannot \(call.deed) \(place): \(errno)\(remedy)"
    }

    private func remedy(at place: BytePath) -> String? {
        if errno.isUnmappedOwner { return "the owner has no number there, see idmapped mounts in mount_setattr(2)" }
        guard errno == .denied || errno == .notPermitted else { return nil }
        // Only after a call that has just changed something there, or tried to, and so will not wait for a server now.
        if errno == .notPermitted, call.isChange, let fixation = Fixation(at: place) { return fixation.words }
        return "give the daemon's user the right to do that"
    }
}

extension SystemCall {
    /// The call changes a name, an owner, a mode or an attribute, or tries to.
    fileprivate var isChange: Bool {
        switch self {
        case .linkat, .mkdirat, .renameat, .renameat2, .symlinkat, .unlinkat, .openUnnamed, .fchmod, .fchmodat, .fchown,
            .fchownat, .fremovexattr, .fsetxattr, .futimens, .utimensat:
            true
        default: false
        }
    }

    /// The verb for what the call does with a path, to precede the path.
    fileprivate var deed: String {
        switch self {
        case .fstat, .fstatfs, .fstatvfs, .statx, .faccessat: "inspect"
        case .fdatasync, .fsync, .syncFileRange: "bring to the disk what is in"
        case .fgetxattr, .flistxattr, .getdents64, .lseek, .openat, .openat2, .pread, .read, .readlinkat, .seekEnd:
            "read"
        case .clone, .copyFileRange, .fallocate, .ftruncate, .openUnnamed, .pwrite, .write: "write to"
        case .linkat, .mkdirat, .renameat, .renameat2, .symlinkat, .unlinkat: "change the names in, or move,"
        case .fchmod, .fchmodat, .fchown, .fchownat, .fremovexattr, .fsetxattr, .futimens, .utimensat:
            "set the owner, mode, times or attributes of"
        case .fork: "start"
        default: "use"
        }
    }
}

extension SyscallError: CustomStringConvertible {
    /// `renameat2: No space left on device`.
    package var description: String { "\(call.rawValue): \(errno)" }
}

/// The choke point: every system call that can fail goes through here.
///
/// `errno` is read at once, EINTR is retried, and in debug builds the fault plans may fail or kill instead. What the
/// call is about is asked for only then.
@inline(__always)
func systemCall<Result: SignedInteger & FixedWidthInteger>(
    _ call: SystemCall, _ about: @autoclosure () -> CallSubject = .nothing, _ body: () -> Result
) throws(SyscallError) -> Result {
    while true {
        #if DEBUG
            let observation = CallObserver.begin(call, about)
            if case .fail(let code) = observation.action {
                CallObserver.end(observation, nil)
                throw SyscallError(call, code)
            }
            if observation.action == .skip {
                CallObserver.end(observation, nil)
                return 0
            }
        #endif
        let result = body()
        let code = result == -1 ? errno : 0
        #if DEBUG
            CallObserver.end(observation, result == -1 ? code : nil)
            if result != -1, case .failLate(let code) = observation.action { throw SyscallError(call, code) }
        #endif
        if result != -1 { return result }
        if code != EINTR { throw SyscallError(call, Errno(rawValue: code)) }
    }
}
