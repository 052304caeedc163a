import CInboxLinux
import Glibc

/// What statx(2) tells of a file at one moment.
public struct FileStatus: Sendable {
    /// The kind of a file.
    public enum Kind: String, Sendable {
        /// A regular file.
        case regular
        /// A folder.
        case directory
        /// A symbolic link.
        case symlink
        /// A FIFO, socket or device: never opened.
        case special
    }

    /// What it is.
    public let kind: Kind
    /// The marks that tell this file from every other and from its own later states.
    public private(set) var identity: FileIdentity
    /// The time of the last change of content or status: chmod, rename and link count.
    public private(set) var changed: Timestamp
    /// When its content was last read.
    public let accessed: Timestamp
    /// How many bytes of the disk it takes: less than its size where it has holes.
    public let allocated: UInt64
    /// Whether it can neither be changed nor removed, whoever asks: immutable or for appending only (chattr(1)).
    public let isFixed: Bool
    /// How many names the file has.
    public let links: UInt32
    /// The owner's number.
    public let owner: UInt32
    /// The group's number.
    public let group: UInt32
    /// The permission bits, with set-user-ID and the like: the lower 12 bits of the mode.
    public let permissions: UInt32
    /// Which mount it was seen through; 0 where the kernel does not say.
    public let mount: UInt64

    /// Whether it is a socket of unix(7).
    public let isSocket: Bool

    /// The size in bytes.
    public var size: UInt64 { identity.size }

    init(_ told: inbox_status) {
        switch told.mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): kind = .regular
        case UInt32(S_IFDIR): kind = .directory
        case UInt32(S_IFLNK): kind = .symlink
        default: kind = .special
        }
        isSocket = told.mode & UInt32(S_IFMT) == UInt32(S_IFSOCK)
        let hasBirth = told.mask & inbox_statx_birth != 0
        identity = FileIdentity(
            file: FileKey(
                device: UInt64(told.device_major) << 32 | UInt64(told.device_minor), inode: told.inode,
                birth: hasBirth ? Timestamp(seconds: told.birth_seconds, nanoseconds: told.birth_nanoseconds) : nil),
            size: told.size,
            modified: Timestamp(seconds: told.modified_seconds, nanoseconds: told.modified_nanoseconds))
        changed = Timestamp(seconds: told.changed_seconds, nanoseconds: told.changed_nanoseconds)
        accessed = Timestamp(seconds: told.accessed_seconds, nanoseconds: told.accessed_nanoseconds)
        allocated = told.blocks &* 512
        isFixed = told.attributes & (inbox_statx_immutable | inbox_statx_append) != 0
        links = told.links
        owner = told.owner
        group = told.group
        permissions = told.mode & 0o7777
        mount = told.mount
    }
}

extension FileStatus {
    /// Leaves out the size that a folder has of itself, which says how long its list of names is.
    public mutating func emptySize() {
        identity = FileIdentity(file: identity.file, size: 0, modified: identity.modified)
    }

    /// Takes the status of something inside a folder into the folder's own: the sizes of files add up, and the latest
    /// times count.
    public mutating func absorb(_ inner: FileStatus) {
        identity = FileIdentity(
            file: identity.file, size: inner.kind == .regular ? size &+ inner.size : size,
            modified: max(identity.modified, inner.identity.modified))
        changed = max(changed, inner.changed)
    }
}

/// The marks of a file that stay while it is renamed and written: device, inode and birth time.
///
/// The birth time is one of them because ext4 gives a new file the inode number of one that was just deleted.
public struct FileKey: Hashable, Sendable {
    /// The device's major number in the upper half, its minor number in the lower.
    public let device: UInt64
    /// The inode number.
    public let inode: UInt64
    /// When the inode was made; nil where the filesystem does not keep it.
    public let birth: Timestamp?

    /// A key of these marks.
    public init(device: UInt64, inode: UInt64, birth: Timestamp?) {
        self.device = device
        self.inode = inode
        self.birth = birth
    }
}

/// All five marks of an arrival: which file, and which state of it.
public struct FileIdentity: Hashable, Sendable {
    /// Which file.
    public let file: FileKey
    /// Its size in bytes.
    public let size: UInt64
    /// When its content was last changed.
    public let modified: Timestamp

    /// An identity of these marks.
    public init(file: FileKey, size: UInt64, modified: Timestamp) {
        self.file = file
        self.size = size
        self.modified = modified
    }
}
