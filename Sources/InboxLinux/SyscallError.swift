import Glibc

/// A system call that failed.
public struct SyscallError: Error, Hashable {
    /// Which call.
    public let call: SystemCall
    /// Why, as the kernel tells it.
    public let errno: Errno

    /// A failure of `call` for the reason `errno`.
    public init(_ call: SystemCall, _ errno: Errno) {
        self.call = call
        self.errno = errno
    }
}

extension SyscallError: CustomStringConvertible {
    /// `renameat2: No space left on device`.
    public var description: String { "\(call.rawValue): \(errno)" }
}

/// The choke point: every system call that can fail goes through here.
///
/// `errno` is read at once, EINTR is retried, and in debug builds the fault plan may fail or kill instead.
@inline(__always)
func systemCall<Result: SignedInteger & FixedWidthInteger>(
    _ call: SystemCall, _ body: () -> Result
) throws(SyscallError) -> Result {
    while true {
        #if DEBUG
            if let code = FaultPlan.strike(call) { throw SyscallError(call, code) }
        #endif
        let result = body()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw SyscallError(call, Errno(rawValue: code)) }
    }
}
