import CInboxLinux
import Glibc

/// The proof that nobody on this machine has a file open for writing, for as long as it is held: fcntl(2), `F_SETLEASE`.
///
/// A writer that comes meanwhile blocks in open(2) until the lease goes, so it is held for one document only. It goes
/// with its descriptor at the latest.
public enum ReadLease {
    /// What came of asking for a lease.
    public enum Answer: Hashable, Sendable {
        /// Nobody writes, and nobody can begin to.
        case held
        /// A process has the file open for writing.
        case writer
        /// This file can have no lease, for this reason: another's file without CAP_LEASE, or a filesystem without.
        case unavailable(Errno)
    }

    /// The signal that tells of a lease break. It must be blocked: unhandled it would end the process.
    public static var breakSignal: Int32 { inbox_first_realtime_signal() }

    /// Asks for a read lease of a file that is open for reading only.
    public static func take(_ file: borrowing FileDescriptor) -> Answer {
        let number = file.number
        do throws(SyscallError) {
            // The signal first: a break between the two calls would otherwise send SIGIO.
            _ = try systemCall(.lease, .descriptor(number)) { inbox_lease_signal(number, breakSignal) }
            _ = try systemCall(.lease, .descriptor(number)) { inbox_lease_take(number) }
            return .held
        } catch {
            return error.errno == .again ? .writer : .unavailable(error.errno)
        }
    }

    /// Gives the lease back, which lets a blocked writer go on.
    public static func release(_ file: borrowing FileDescriptor) throws(SyscallError) {
        let number = file.number
        _ = try systemCall(.lease, .descriptor(number)) { inbox_lease_drop(number) }
    }

    /// Whether nobody has asked to break the lease since it was taken.
    public static func isWhole(_ file: borrowing FileDescriptor) throws(SyscallError) -> Bool {
        let number = file.number
        return try systemCall(.lease, .descriptor(number)) { inbox_lease_held(number) } == 1
    }
}
