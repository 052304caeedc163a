import CInboxLinux
import Glibc

/// The report of statx(2) on a file at one moment.
package struct FileStatus: Sendable {
    /// The kind of a file.
    package enum Kind: String, Sendable {
        /// A regular file.
        case regular
        /// A folder.
        case directory
        /// A symbolic link.
        case symlink
        /// A FIFO, socket or device: never opened.
        case special
    }

    /// The kind of the file.
    package let kind: Kind
    /// The identity that distinguishes this file from every other and from its own later states.
    package private(set) var identity: FileIdentity
    /// The time of the last change of content or status: chmod, rename and link count.
    package private(set) var changed: Timestamp
    /// When its content was last read.
    package let accessed: Timestamp
    /// Bytes: the space that the file takes on the disk: less than its size if it has holes.
    package let allocated: UInt64
    /// The file can be neither changed nor removed by anyone: immutable or for appending only (chattr(1)).
    package let isFixed: Bool
    /// Something is mounted here: it is the top of what is seen through that mount.
    package let isMountTop: Bool
    /// The number of names of the file.
    package let links: UInt32
    /// The owner's number.
    package let owner: UInt32
    /// The group's number.
    package let group: UInt32
    /// The permission bits, with set-user-ID and the like: the lower 12 bits of the mode.
    package let permissions: UInt32
    /// Which mount it was seen through; 0 where the kernel does not say.
    package let mount: UInt64

    /// The file is a socket of unix(7).
    package let isSocket: Bool

    /// The size in bytes.
    package var size: UInt64 { identity.size }

    init(_ found: inbox_status) {
        switch found.mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): kind = .regular
        case UInt32(S_IFDIR): kind = .directory
        case UInt32(S_IFLNK): kind = .symlink
        default: kind = .special
        }
        isSocket = found.mode & UInt32(S_IFMT) == UInt32(S_IFSOCK)
        let hasBirth = found.mask & inbox_statx_birth != 0
        identity = FileIdentity(
            file: FileKey(
                device: UInt64(found.device_major) << 32 | UInt64(found.device_minor), inode: found.inode,
                birth: hasBirth ? Timestamp(seconds: found.birth_seconds, nanoseconds: found.birth_nanoseconds) : nil),
            size: found.size,
            modified: Timestamp(seconds: found.modified_seconds, nanoseconds: found.modified_nanoseconds))
        changed = Timestamp(seconds: found.changed_seconds, nanoseconds: found.changed_nanoseconds)
        accessed = Timestamp(seconds: found.accessed_seconds, nanoseconds: found.accessed_nanoseconds)
        allocated = found.blocks &* 512
        isFixed = found.attributes & (inbox_statx_immutable | inbox_statx_append) != 0
        isMountTop = found.attributes & inbox_statx_mount_root != 0
        links = found.links
        owner = found.owner
        group = found.group
        permissions = found.mode & 0o7777
        mount = found.mount
    }
}

extension FileStatus {
    /// A placeholder for the status of a mount that must not be touched: a folder that belongs to whoever mounted it.
    /// - Parameter number: the mount's number, which no other folder has.
    package init(untouchedMount number: UInt64, of owner: UInt32) {
        var status = inbox_status()
        status.mode = UInt32(S_IFDIR)
        (status.inode, status.mount, status.owner) = (number, number, owner)
        self.init(status)
    }

    /// Takes over what a rename has changed from a later status of the same file: the change time, and the number of a folder
    /// where that follows from its path.
    package mutating func takeRename(of later: FileStatus) {
        identity = FileIdentity(file: later.identity.file, size: size, modified: identity.modified)
        changed = max(changed, later.changed)
    }

    /// Leaves out the size that a folder has of itself, which says how long its list of names is.
    package mutating func emptySize() {
        identity = FileIdentity(file: identity.file, size: 0, modified: identity.modified)
    }

    /// Takes the status of something inside a folder into the folder's own: the sizes of files add up, and the latest
    /// times count.
    package mutating func absorb(_ inner: FileStatus) {
        identity = FileIdentity(
            file: identity.file, size: inner.kind == .regular ? size &+ inner.size : size,
            modified: max(identity.modified, inner.identity.modified))
        changed = max(changed, inner.changed)
    }
}

/// The marks of a file that stay while it is renamed and written: device, inode and birth time.
///
/// The birth time is one of them because ext4 gives a new file the inode number of one that was just deleted.
package struct FileKey: Hashable, Sendable {
    /// The device's major number in the upper half, its minor number in the lower.
    package let device: UInt64
    /// The inode number.
    package let inode: UInt64
    /// When the inode was made; nil where the filesystem does not keep it.
    package let birth: Timestamp?

    /// A key of these marks.
    package init(device: UInt64, inode: UInt64, birth: Timestamp?) {
        self.device = device
        self.inode = inode
        self.birth = birth
    }
}

/// All five marks of an arrival: which file, and which state of it.
package struct FileIdentity: Hashable, Sendable {
    /// Which file.
    package let file: FileKey
    /// Its size in bytes.
    package let size: UInt64
    /// When its content was last changed.
    package let modified: Timestamp

    /// An identity of these marks.
    package init(file: FileKey, size: UInt64, modified: Timestamp) {
        self.file = file
        self.size = size
        self.modified = modified
    }
}
