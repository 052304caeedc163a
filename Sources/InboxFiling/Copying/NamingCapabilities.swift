import InboxLinux
import Synchronization

/// The filesystems on which a finished copy could not be given its name, and by which way.
///
/// Some cannot name a file that was created without a name. Others, FAT and its kin, know neither a rename that does
/// not replace nor a second name: there a copy is made under its own name from the start, since creating a file never
/// replaces one.
final class NamingCapabilities: Sendable {
    /// A way to a name that failed.
    enum Method: Hashable, Sendable {
        /// A link to a file without a name.
        case unnamed
        /// A rename, or a link and a removal, of a hidden name.
        case hidden
        /// A rename of the document itself, though it is on the same filesystem: the folder belongs to another project, for
        /// whose quota a copy counts.
        case moved
    }

    /// The devices on which each way failed.
    private let failures = Mutex<[Method: Set<UInt64>]>([:])

    /// Takes note that a copy could get no name in this folder by this way.
    func noteFailure(_ method: Method, in folder: OpenFolder) throws(SyscallError) {
        let device = try folder.directory.status().identity.file.device
        failures.withLock { _ = $0[method, default: []].insert(device) }
    }

    /// Whether the folder lies on a filesystem where that way is known to fail.
    func isKnownToFail(_ method: Method, in folder: OpenFolder) throws(SyscallError) -> Bool {
        if failures.withLock(\.isEmpty) { return false }
        let device = try folder.directory.status().identity.file.device
        return failures.withLock { $0[method]?.contains(device) == true }
    }
}
