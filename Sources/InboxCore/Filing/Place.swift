import InboxLinux

/// On which filesystem a folder lay when it was first seen, so that a bare mount point is never taken for it.
struct Place: Hashable, Sendable {
    /// The folder itself.
    let folder: FileKey
    /// Which mount it was seen through; 0 where the kernel does not say.
    let mount: UInt64
    let filesystem: FilesystemMark

    /// Looks where an open folder lies.
    init(of folder: borrowing Directory) throws(SyscallError) {
        try self.init(folder.status(), folder.filesystemMark())
    }

    init(_ status: FileStatus, _ filesystem: FilesystemMark) {
        self.init(folder: status.identity.file, mount: status.mount, filesystem: filesystem)
    }

    init(folder: FileKey, mount: UInt64, filesystem: FilesystemMark) {
        self.folder = folder
        self.mount = mount
        self.filesystem = filesystem
    }

    /// Whether what is found there now lies where this lay.
    ///
    /// Through another mount the folder must be the same one, since two trees of one filesystem may be
    /// mounted there in turn; seen through the same mount, somebody may have put another folder in its place.
    func isStill(_ other: Place) -> Bool {
        guard filesystem.isSame(as: other.filesystem) else { return false }
        return mount == other.mount || folder.inode == other.folder.inode
    }
}

/// The places of Documents and of what is mounted in it, each remembered from when it was first seen.
///
/// Only the loop's thread knows of it; all batches and copies of a configuration share one.
final class Places {
    /// More mounts than this in one Documents are not remembered.
    private static let most = 1000

    let documents: BytePath
    private var known: [BytePath: Place] = [:]

    /// Remembers where Documents lies now; where it cannot be opened, that is remembered when it first can.
    init(documents: BytePath) {
        self.documents = documents
        do throws(SyscallError) {
            known[documents] = try Place(of: try Directory.open(path: documents.bytes))
        } catch {
            // Whoever files into it first remembers it, or tells why that cannot be.
        }
    }

    /// Whether a folder that was reached is still the one that is meant: Documents, or one on a mount of its own.
    ///
    /// Which folders are to be looked at follows from the mounts alone, so that most cost nothing.
    func isStill(
        _ path: BytePath, _ status: FileStatus, around: UInt64?, _ folder: borrowing Directory
    ) throws(SyscallError) -> Bool {
        let isMountPoint = around != status.mount
        guard isMountPoint || known[path] != nil else { return true }
        if let place = known[path], place.mount == status.mount, place.folder == status.identity.file { return true }
        let now = Place(
            status, try FilesystemMark(of: folder.descriptor, device: status.identity.file.device))
        guard let place = known[path] else {
            if known.count < Self.most { known[path] = now }
            return true
        }
        // The same disk, mounted anew: from now on it is known by that mount.
        if place.isStill(now) { known[path] = now }
        return place.isStill(now)
    }

    /// What is wrong with each place that is known: another filesystem stands there, or nothing that can be reached.
    func problems() -> [(path: BytePath, error: DestinationError?)] {
        known.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.map { path, place in
            do throws(SyscallError) {
                let now = try Place(of: try Directory.open(path: path.bytes))
                return (path, place.isStill(now) ? nil : .strange(path))
            } catch {
                return (path, .failed(path, error))
            }
        }
    }
}
