import CInboxLinux
import Glibc

/// The report of fstatfs(2) on the filesystem of an open file.
package struct Filesystem: Hashable, Sendable {
    /// The magic number of `f_type`.
    package let magic: Int64
    /// `f_fsid`: the same filesystem keeps it while it is mounted.
    package let identifier: UInt64

    /// The filesystem is an overlay, which copies a file into its upper layer when somebody renames it or writes to
    /// it.
    package var isLayered: Bool { magic == 0x794C_7630 }

    /// A program serves the filesystem: FUSE.
    package var isServedByProgram: Bool { magic == 0x6573_5546 }

    /// Files may have other owners and modes than they were given: FUSE, SMB, 9p, the shared folders of VirtualBox,
    /// FAT and exFAT show those of the mount.
    package var isWithoutOwners: Bool {
        switch magic {
        case 0x6573_5546, 0xFF53_4D42, 0xFE53_4D42, 0x517B, 0x0102_1997, 0x786F_4256, 0x4D44, 0x2011_BAB0: true
        default: false
        }
    }

    /// A file's inode number and birth time distinguish it from every other: FUSE, the shared folders of VirtualBox,
    /// FAT and exFAT make them up.
    package var hasLastingInodes: Bool {
        switch magic {
        case 0x6573_5546, 0x786F_4256, 0x4D44, 0x2011_BAB0: false
        default: true
        }
    }

    /// A file takes as many blocks there as it has content, and what was never written is a hole: ext4, XFS, Btrfs, F2FS
    /// and tmpfs. Others compress, or count blocks later.
    package var showsHoles: Bool { [0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x0102_1994].contains(magic) }

    /// A lease is this machine's own affair: those of NFS and SMB are granted by their servers.
    package var hasLeases: Bool {
        switch nameWithoutEvents {
        case "NFS", "SMB": false
        default: true
        }
    }

    /// The name of a filesystem on which others can change files without an event here: network filesystems, FUSE,
    /// and what virtual machines share. Nil where inotify(7) sees every change.
    ///
    /// The numbers are those of statfs(2), linux/magic.h and, where the kernel does not have the filesystem, coreutils.
    package var nameWithoutEvents: String? {
        switch magic {
        case 0x6969: "NFS"
        case 0xFF53_4D42, 0xFE53_4D42, 0x517B: "SMB"
        case 0x6573_5546: "FUSE"
        case 0x0102_1997: "9p"
        case 0x00C3_6400: "Ceph"
        case 0x5346_414F, 0x6B41_4653: "AFS"
        case 0x7375_7245: "Coda"
        case 0x564C: "NCP"
        case 0x0BD0_0BD0: "Lustre"
        case 0x0116_1970: "GFS2"
        case 0x7461_636F: "OCFS2"
        case 0x1983_0326: "BeeGFS"
        case 0x4750_4653: "GPFS"
        case 0x2003_0528: "OrangeFS"
        case 0x786F_4256: "VirtualBox's shared folders"
        case 0x7C7C_6673: "Parallels' shared folders"
        case 0xBACB_ACBC: "VMware's shared folders"
        default: nil
        }
    }
}

extension Filesystem {
    /// Asks the kernel, which asks the server of a FUSE or network filesystem each time.
    package init(of descriptor: borrowing FileDescriptor) throws(SyscallError) {
        let number = descriptor.number
        var magic: Int64 = 0
        var identifier: UInt64 = 0
        _ = try systemCall(.fstatfs) { inbox_filesystem(number, &magic, &identifier) }
        self.init(magic: magic, identifier: identifier)
    }
}
