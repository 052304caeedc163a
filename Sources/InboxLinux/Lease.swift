import CInboxLinux
import Glibc

/// The proof that nobody on this machine has a file open for writing, for as long as it is held: fcntl(2), `F_SETLEASE`.
///
/// A writer that comes meanwhile blocks in open(2) until the lease goes, so it is held for one document only.
public struct ReadLease: ~Copyable {
    /// What came of asking for a lease.
    public enum Answer: ~Copyable {
        /// Nobody writes, and nobody can begin to.
        case held(ReadLease)
        /// A process has the file open for writing.
        case writer(FileDescriptor)
        /// This file can have no lease, for this reason: another's file without CAP_LEASE, or a filesystem without.
        case unavailable(FileDescriptor, Errno)
    }

    /// The signal that tells of a lease break. It must be blocked: unhandled it would end the process.
    public static var breakSignal: Int32 { inbox_first_realtime_signal() }

    /// The file, open for reading.
    public let file: FileDescriptor

    private init(_ file: consuming FileDescriptor) {
        self.file = file
    }

    /// Asks for a read lease of a file that is open for reading only.
    public static func take(_ file: consuming FileDescriptor) -> Answer {
        do throws(SyscallError) {
            let number = file.number
            // The signal first: a break between the two calls would otherwise send SIGIO.
            _ = try systemCall(.lease) { inbox_lease_signal(number, breakSignal) }
            _ = try systemCall(.lease) { inbox_lease_take(number) }
            return .held(ReadLease(file))
        } catch {
            return error.errno == .again ? .writer(file) : .unavailable(file, error.errno)
        }
    }

    /// Whether nobody has asked to break the lease since it was taken.
    public func isWhole() throws(SyscallError) -> Bool {
        try systemCall(.lease) { inbox_lease_held(file.number) } == 1
    }
}
