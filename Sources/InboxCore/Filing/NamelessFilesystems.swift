import InboxLinux
import Synchronization

/// The filesystems that can give a finished copy no name without the danger of replacing another's: they know neither a
/// rename that does not replace nor a second name. FAT and its kin are such.
///
/// There a copy is made under its own name from the start, since to make a file is what never replaces one.
final class NamelessFilesystems: Sendable {
    private let devices = Mutex<Set<UInt64>>([])

    /// Takes note that a copy could get no name in this folder.
    func note(_ folder: OpenFolder) throws(SyscallError) {
        let device = try folder.directory.status().identity.file.device
        devices.withLock { _ = $0.insert(device) }
    }

    /// Whether the folder lies on one that is known.
    func holds(_ folder: OpenFolder) throws(SyscallError) -> Bool {
        if devices.withLock(\.isEmpty) { return false }
        let device = try folder.directory.status().identity.file.device
        return devices.withLock { $0.contains(device) }
    }
}
