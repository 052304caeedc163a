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

    /// The filesystems on which each way failed.
    private let failures = Mutex<[Method: Set<FilesystemMark>]>([:])

    /// Takes note that a copy could get no name on this filesystem by this way.
    func noteFailure(_ method: Method, on filesystem: FilesystemMark) {
        failures.withLock { _ = $0[method, default: []].insert(filesystem) }
    }

    /// The ways that are known to fail on this filesystem.
    func lacking(on filesystem: FilesystemMark) -> Set<Method> {
        failures.withLock { failures in Set(failures.keys.filter { failures[$0]?.contains(filesystem) == true }) }
    }
}
