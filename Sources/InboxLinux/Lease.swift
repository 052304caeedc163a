import CInboxLinux
import Glibc

/// The proof that nobody on this machine has a file open for writing, for as long as it is held: fcntl(2), `F_SETLEASE`.
///
/// Meanwhile a writer blocks in open(2) until the lease is released, so it is held for one document only. Closing the
/// descriptor releases it.
package enum ReadLease {
    /// The result of a request for a lease.
    package enum Answer: Hashable, Sendable {
        /// Nobody writes, and nobody can begin to.
        case held
        /// A process has the file open for writing.
        case writer
        /// This file can have no lease, for this reason: another's file without CAP_LEASE, or a filesystem without. Nil
        /// where it was not asked for one.
        case unavailable(SyscallError?)

        /// The lease is held, so that nobody writes; an error that prevented it is thrown.
        package var isHeld: Bool {
            get throws(SyscallError) {
                if case .unavailable(let error?) = self { throw error }
                return self == .held
            }
        }
    }

    /// Nobody waits for the signal that reports a lease break, and unhandled it would end the process: SIGIO, unless
    /// F_SETSIG names another one, which would be a call for each file.
    private static let ignoresBreaks: Void = { _ = signal(SIGIO, SIG_IGN) }()

    /// Asks for a read lease of a file that is open for reading only.
    package static func take(_ file: borrowing FileDescriptor) -> Answer {
        ignoresBreaks
        let number = file.number
        do throws(SyscallError) {
            _ = try systemCall(.lease, .descriptor(number)) { inbox_lease_take(number) }
            return .held
        } catch {
            return error.errno == .again ? .writer : .unavailable(error)
        }
    }

    /// The same for a file that may be on NFS or SMB: no lease is requested there.
    ///
    /// Without a delegation or oplock from the server, their clients refuse a lease with EAGAIN, which looks like a writer.
    /// With one, a rename breaks the lease first and waits for its holder, who may be the one that renames, for up to
    /// /proc/sys/fs/lease-break-time. Read in Linux, not measured: `nfs4_proc_setlease` and
    /// `nfs4_inode_return_delegation` in fs/nfs, `cifs_setlease` in fs/smb/client.
    package static func takeUnlessRemote(_ file: borrowing FileDescriptor) -> Answer {
        do throws(SyscallError) {
            return try Filesystem(of: file).hasLeases ? take(file) : .unavailable(nil)
        } catch {
            return .unavailable(error)
        }
    }

    /// Gives the lease back, which lets a blocked writer go on.
    package static func release(_ file: borrowing FileDescriptor) throws(SyscallError) {
        let number = file.number
        _ = try systemCall(.lease, .descriptor(number)) { inbox_lease_drop(number) }
    }

    /// The same where it does not matter whether there is one: closing the descriptor releases it as well.
    package static func releaseAny(_ file: borrowing FileDescriptor) {
        do throws(SyscallError) { try release(file) } catch {
            // There is none, or none any more.
        }
    }

    /// Returns whether nobody has asked to break the lease since it was taken.
    package static func isWhole(_ file: borrowing FileDescriptor) throws(SyscallError) -> Bool {
        let number = file.number
        return try systemCall(.lease, .descriptor(number)) { inbox_lease_held(number) } == 1
    }
}
