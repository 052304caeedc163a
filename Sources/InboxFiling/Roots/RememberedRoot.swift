import InboxLinux

/// The marks by which a root is recognized: which folder of which filesystem it is, and whose.
package struct RememberedRoot: Hashable, Sendable {
    /// The difference between the folder found at a root's path and the remembered one.
    package enum Difference: Hashable, Sendable {
        /// Another filesystem: a bare mount point, or another disk.
        case filesystem
        /// Another folder of the same filesystem, seen through another mount.
        case mount
        /// Another folder of the same filesystem.
        case folder
        /// The same folder, given to somebody else.
        case owner
    }

    let filesystem: FilesystemMark
    let inode: UInt64
    /// When the folder was made; nil where the filesystem does not keep it.
    let birth: Timestamp?
    let owner: UInt32
    /// The boot to which the marks are confined, for filesystems that do not keep them longer; empty where the boot
    /// is not known. Nil for any other filesystem.
    let boot: String?

    /// Takes the marks of an open folder.
    /// - Parameter known: what statfs(2) has reported of its filesystem, where it was asked already.
    package init(
        of folder: borrowing Directory, _ status: FileStatus, _ known: Filesystem? = nil
    ) throws(SyscallError) {
        let file = status.identity.file
        let kind: Filesystem
        if let known { kind = known } else { kind = try Filesystem(of: folder.descriptor) }
        filesystem = try FilesystemMark(of: folder.descriptor, device: file.device, kind, isLasting: true)
        boot = kind.isForgetful ? Boot.identifier() ?? "" : nil
        inode = file.inode
        // An overlay's folder is born again when it is copied up.
        birth = kind.isLayered ? nil : file.birth
        owner = status.owner
    }

    init(filesystem: FilesystemMark, inode: UInt64, birth: Timestamp?, owner: UInt32, boot: String?) {
        self.filesystem = filesystem
        self.inode = inode
        self.birth = birth
        self.owner = owner
        self.boot = boot
    }

    /// Returns how another root differs; nil if it is the same.
    package func difference(from other: RememberedRoot) -> Difference? {
        guard filesystem.isSame(as: other.filesystem) else { return .filesystem }
        guard inode == other.inode, birth == nil || other.birth == nil || birth == other.birth else { return .folder }
        return owner == other.owner ? nil : .owner
    }

    /// Returns whether the marks are meaningless now: they were taken in another boot, on a filesystem that does not
    /// keep them.
    ///
    /// If the boot is not known they still count: to ask once too often is the lesser evil.
    func isOutdated(in boot: String?) -> Bool {
        guard let own = self.boot, !own.isEmpty, let boot else { return false }
        return own != boot
    }
}

extension Filesystem {
    /// The filesystem's folders may have other marks after a restart of the machine: tmpfs, ramfs and overlayfs.
    fileprivate var isForgetful: Bool { isLayered || magic == 0x0102_1994 || magic == 0x8584_58F6 }
}
